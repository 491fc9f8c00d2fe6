import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys } from '@vdo/config/names';

/** Lets the operator take over what another tool brought: that is what was asked for. */
const adopt = { [annotationKeys.adopt]: 'true' } as const;

/** The resource as a migration writes it. */
export const resourceOf = (spec: unknown) => ({
  apiVersion: `${vsphereDrivers.group}/${vsphereDrivers.version}`,
  kind: vsphereDrivers.kind,
  metadata: { name: vsphereDriversName, annotations: adopt },
  spec,
});
