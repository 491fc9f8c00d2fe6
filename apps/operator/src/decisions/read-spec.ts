import { VdoError } from '@vdo/base/vdo-error';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { type VSphereDrivers, type VSphereDriversSpec, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';

/** The spec with its defaults. Throws ConfigInvalid with every mistake, or ResourceNotSingleton. */
export const readSpec = (resource: VSphereDrivers): VSphereDriversSpec => {
  if (resource.metadata.name !== vsphereDriversName) {
    throw new VdoError({
      code: 'ResourceNotSingleton',
      message: `VSphereDrivers ${resource.metadata.name} is not acted upon: the only one that counts is named ${vsphereDriversName}`,
      remedy: `Rename it to ${vsphereDriversName}, or kubectl delete vspheredrivers ${resource.metadata.name}.`,
    });
  }
  return parseVSphereDrivers(resource).spec;
};
