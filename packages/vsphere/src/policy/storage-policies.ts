import { VdoError } from '@vdo/base/vdo-error';
import type { VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import {
  pbmCheckRequirements,
  pbmQueryProfile,
  pbmRetrieveContent,
  pbmRetrieveServiceContent,
} from '../wire/methods/pbm.ts';
import { type MoRef, moref } from '../wire/moref.ts';
import { make, type Value } from '../wire/schema.ts';
import { PbmPlacementCapabilityProfileRequirement, type PbmServiceInstanceContent } from '../wire/types/pbm.ts';

export interface StoragePolicy {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

export interface PolicyPlacement {
  /** The requested datastores that satisfy the policy. */
  readonly compatible: readonly MoRef[];
  /** The reason for each other datastore, by MoRef value. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** Storage policies of vCenter (SPBM). */
export interface StoragePolicies {
  list(options?: CallOptions): Promise<readonly StoragePolicy[]>;
  /** By exact name. Throws VolumeParametersInvalid with a list of the existing names. */
  find(name: string, options?: CallOptions): Promise<StoragePolicy>;
  placement(policyId: string, datastores: readonly MoRef[], options?: CallOptions): Promise<PolicyPlacement>;
}

const serviceInstance = moref('PbmServiceInstance', 'ServiceInstance');

export const createStoragePolicies = (session: VimSession): StoragePolicies => {
  const { pbm } = session;
  const { server } = session.endpoint;
  let content: Value<typeof PbmServiceInstanceContent> | undefined;

  const managers = async (options: CallOptions) => {
    content ??= await pbm.call(pbmRetrieveServiceContent, { _this: serviceInstance }, options);
    return content;
  };

  const list = async (options: CallOptions = {}): Promise<readonly StoragePolicy[]> => {
    const { profileManager: _this } = await managers(options);
    const resourceType = { resourceType: 'STORAGE' };
    const ids = await pbm.call(pbmQueryProfile, { _this, resourceType, profileCategory: 'REQUIREMENT' }, options);
    if (ids.length === 0) return [];
    const profiles = await pbm.call(pbmRetrieveContent, { _this, profileIds: ids }, options);
    return profiles.map(({ profileId, name, description }) => ({
      id: profileId.uniqueId,
      name,
      description: description ?? '',
    }));
  };

  return {
    list,
    find: async (name, options = {}) => {
      const policies = await list(options);
      const found = policies.find((policy) => policy.name === name);
      if (found) return found;
      throw new VdoError({
        code: 'VolumeParametersInvalid',
        message: `vCenter ${server} has no storage policy "${name}"; it has ${policies.map((policy) => `"${policy.name}"`).join(', ') || 'none that this user may read'}`,
        remedy:
          'Correct `storagepolicyname` in the StorageClass, create the policy, or grant StorageProfile.View at the root.',
        details: { policy: name },
      });
    },
    placement: async (policyId, datastores, options = {}) => {
      if (datastores.length === 0) return { compatible: [], reasons: new Map() };
      const { placementSolver: _this } = await managers(options);
      const results = await pbm.call(
        pbmCheckRequirements,
        {
          _this,
          hubsToSearch: datastores.map(({ type, value }) => ({ hubType: type, hubId: value })),
          placementSubjectRequirement: [
            make(PbmPlacementCapabilityProfileRequirement, { profileId: { uniqueId: policyId } }),
          ],
        },
        options,
      );
      const errors = new Map(results.map(({ hub, error }) => [hub.hubId, error]));
      const compatible = datastores.filter(({ value }) => errors.get(value)?.length === 0);
      const reasonFor = (value: string): string => {
        const [first] = errors.get(value) ?? [];
        return first?.localizedMessage ?? first?.fault.$type ?? 'vCenter does not list it for this policy';
      };
      const rest = datastores.filter((datastore) => !compatible.includes(datastore));
      return { compatible, reasons: new Map(rest.map(({ value }) => [value, reasonFor(value)])) };
    },
  };
};
