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
import { createCrd } from '@vdo/kube/crd/create-crd';
import { manifestYaml } from '@vdo/releases/render/manifest-yaml';

const header = '# Generated from packages/config/src/api. Do not edit: npm run generate.\n';

const labels = { 'app.kubernetes.io/part-of': 'vdo' };

const crds = [
  createCrd({
    resource: vsphereDrivers,
    names: vsphereDriversNames,
    schema: vsphereDriversSchema,
    rules: vsphereDriversRules,
    printerColumns: vsphereDriversPrinterColumns.map((column) => ({ ...column })),
    labels,
  }),
  createCrd({
    resource: volumeIntentResource,
    names: volumeIntentNames,
    schema: volumeIntentSchema,
    printerColumns: volumeIntentPrinterColumns.map((column) => ({ ...column })),
    labels,
  }),
];

/** deploy/crds, from the schemas that the programs themselves read with. */
export const renderCrds = (): ReadonlyMap<string, string> =>
  new Map(
    crds.map((crd) => {
      const [plural, ...group] = (crd.metadata.name ?? '').split('.');
      const text = header + manifestYaml([crd]);
      return [`deploy/crds/${group.join('.')}_${plural}.yaml`, text];
    }),
  );
