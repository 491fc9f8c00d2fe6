import { VdoError } from '@vdo/base/vdo-error';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { type VSphereDrivers, type VSphereDriversSpec, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';

/** Why a resource is ignored; undefined for the one that VDO reconciles. */
export const rejectNonSingleton = ({ metadata: { name } }: VSphereDrivers): VdoError | undefined =>
  name === vsphereDriversName
    ? undefined
    : new VdoError({
        code: 'ResourceNotSingleton',
        message: `VSphereDrivers ${name} is ignored: VDO reconciles only the VSphereDrivers named ${vsphereDriversName}`,
        remedy: `Copy its spec to VSphereDrivers ${vsphereDriversName}, then kubectl delete vspheredrivers ${name}. Deleting it changes nothing else.`,
      });

/** The spec with its defaults. Throws ConfigInvalid with every mistake. */
export const readSpec = (resource: VSphereDrivers): VSphereDriversSpec => parseVSphereDrivers(resource).spec;
