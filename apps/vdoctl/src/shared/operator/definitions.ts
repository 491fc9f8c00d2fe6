import { createHash } from 'node:crypto';
import {
  volumeIntentNames,
  volumeIntentPrinterColumns,
  volumeIntentResource,
  volumeIntentSchema,
} from '@vdo/config/api/volume-intent';
import {
  vsphereDrivers,
  vsphereDriversNames,
  vsphereDriversPrinterColumns,
  vsphereDriversSchema,
} from '@vdo/config/api/vsphere-drivers';
import { vsphereDriversRules } from '@vdo/config/api/vsphere-drivers-rules';
import { annotationKeys, labelKeys } from '@vdo/config/names';
import { createCrd } from '@vdo/kube/crd/create-crd';

const labels = { [labelKeys.partOf]: 'vdo' };

/** Helm does not upgrade definitions: by this mark its chart sees that those of a cluster are not its own. */
const marked = (crd: ReturnType<typeof createCrd>): ReturnType<typeof createCrd> => {
  const hash = createHash('sha256').update(JSON.stringify(crd.spec)).digest('hex').slice(0, 12);
  return { ...crd, metadata: { ...crd.metadata, annotations: { [annotationKeys.definition]: hash } } };
};

const driversDefinition = () =>
  createCrd({
    resource: vsphereDrivers,
    names: vsphereDriversNames,
    schema: vsphereDriversSchema,
    rules: vsphereDriversRules,
    printerColumns: vsphereDriversPrinterColumns.map((column) => ({ ...column })),
    labels,
  });

/** What the native storage driver notes before it acts. */
export const intentDefinition = () =>
  marked(
    createCrd({
      resource: volumeIntentResource,
      names: volumeIntentNames,
      schema: volumeIntentSchema,
      printerColumns: volumeIntentPrinterColumns.map((column) => ({ ...column })),
      labels,
    }),
  );

/** The kinds VDO adds to a cluster, from the schemas that the programs themselves read with. */
export const definitions = () => [marked(driversDefinition()), intentDefinition()];
