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

/** Helm does not upgrade CRDs: this label tells the chart that the CRDs of a cluster are managed by vdoctl. */
const marked = (crd: ReturnType<typeof createCrd>): ReturnType<typeof createCrd> => {
  const hash = createHash('sha256').update(JSON.stringify(crd.spec)).digest('hex').slice(0, 12);
  return { ...crd, metadata: { ...crd.metadata, annotations: { [annotationKeys.definition]: hash } } };
};

const driversCrd = () =>
  createCrd({
    resource: vsphereDrivers,
    names: vsphereDriversNames,
    schema: vsphereDriversSchema,
    rules: vsphereDriversRules,
    printerColumns: vsphereDriversPrinterColumns.map((column) => ({ ...column })),
    labels,
  });

/** VolumeIntents, which the native storage driver writes before it acts. */
export const intentCrd = () =>
  marked(
    createCrd({
      resource: volumeIntentResource,
      names: volumeIntentNames,
      schema: volumeIntentSchema,
      printerColumns: volumeIntentPrinterColumns.map((column) => ({ ...column })),
      labels,
    }),
  );

/** The CRDs of VDO, from the schemas with which the programs read the resources. */
export const vdoCrds = () => [marked(driversCrd()), intentCrd()];
