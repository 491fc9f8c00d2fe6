import {
  vsphereDrivers,
  vsphereDriversNames,
  vsphereDriversPrinterColumns,
  vsphereDriversSchema,
} from '@vdo/config/api/vsphere-drivers';
import { vsphereDriversRules } from '@vdo/config/api/vsphere-drivers-rules';
import { createCrd } from '@vdo/kube/crd/create-crd';
import { stringify } from 'yaml';

const header = '# Generated from packages/config/src/api. Do not edit: npm run generate.\n';

/** deploy/crds, from the schemas that the programs themselves read with. */
export const renderCrds = (): ReadonlyMap<string, string> => {
  const crd = createCrd({
    resource: vsphereDrivers,
    names: vsphereDriversNames,
    schema: vsphereDriversSchema,
    rules: vsphereDriversRules,
    printerColumns: vsphereDriversPrinterColumns.map((column) => ({ ...column })),
    labels: { 'app.kubernetes.io/part-of': 'vdo' },
  });
  return new Map([
    [
      `deploy/crds/${vsphereDrivers.group}_${vsphereDrivers.plural}.yaml`,
      header + stringify(crd, { lineWidth: 0, aliasDuplicateObjects: false }),
    ],
  ]);
};
