import { VdoError } from '@vdo/base/vdo-error';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { type VSphereDrivers, type VSphereDriversSpec, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';

/** Why a resource is not acted upon; undefined for the one that counts. */
export const rejectNonSingleton = ({ metadata: { name } }: VSphereDrivers): VdoError | undefined =>
  name === vsphereDriversName
    ? undefined
    : new VdoError({
        code: 'ResourceNotSingleton',
        message: `VSphereDrivers ${name} is not acted upon: the only one that counts is named ${vsphereDriversName}`,
        remedy: `Put what it says into VSphereDrivers ${vsphereDriversName}, then kubectl delete vspheredrivers ${name}: that changes nothing else.`,
      });

/** The spec with its defaults. Throws ConfigInvalid with every mistake. */
export const readSpec = (resource: VSphereDrivers): VSphereDriversSpec => parseVSphereDrivers(resource).spec;
