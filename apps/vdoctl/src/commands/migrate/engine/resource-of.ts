import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys } from '@vdo/config/names';

/** Allows the operator to take over objects of other tools: a migration asks for exactly that. */
const adopt = { [annotationKeys.adopt]: 'true' } as const;

/** The resource as a migration creates it. */
export const resourceOf = (spec: unknown) => ({
  apiVersion: `${vsphereDrivers.group}/${vsphereDrivers.version}`,
  kind: vsphereDrivers.kind,
  metadata: { name: vsphereDriversName, annotations: adopt },
  spec,
});
