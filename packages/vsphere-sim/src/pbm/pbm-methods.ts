import {
  pbmCheckRequirements,
  pbmQueryProfile,
  pbmRetrieveContent,
  pbmRetrieveServiceContent,
} from '@vdo/vsphere/wire/methods/pbm';
import { type MoRef, moref } from '@vdo/vsphere/wire/moref';
import { make, type Value } from '@vdo/vsphere/wire/schema';
import {
  PbmCapabilityProfile,
  type PbmPlacementCapabilityProfileRequirement,
  type PbmPlacementHub,
} from '@vdo/vsphere/wire/types/pbm';
import type { Core } from '../core.ts';
import { faults } from '../sim-fault.ts';
import { handle, handleAnonymous, type MethodHandler } from '../soap/method-handler.ts';
import type { Policy } from './policies.ts';

type Hub = Value<typeof PbmPlacementHub>;

const profileOf = (policy: Policy, at: Date) =>
  make(PbmCapabilityProfile, {
    profileId: { uniqueId: policy.id },
    name: policy.name,
    description: policy.description,
    creationTime: at,
    createdBy: 'Temporary user handle',
    lastUpdatedTime: at,
    lastUpdatedBy: 'Temporary user handle',
    profileCategory: 'REQUIREMENT',
    resourceType: { resourceType: 'STORAGE' },
    constraints: {},
    generationId: 0n,
    isDefault: policy.isDefault,
  });

const policyOf = (core: Core, id: string): Policy => {
  const policy = core.policies.get(id);
  if (!policy) throw faults.invalidArgument('profileId');
  return policy;
};

/** Each requested datastore with the reason why it does not satisfy all the policies. */
const check = (core: Core, hubs: readonly Hub[], policies: readonly Policy[]) => {
  const all = [...core.store.all()].filter(({ ref }) => ref.type === 'Datastore').map(({ ref }) => ref);
  const asked: readonly MoRef[] = hubs.length === 0 ? all : hubs.map(({ hubType, hubId }) => moref(hubType, hubId));
  return asked.map((datastore) => {
    const wrong = policies.filter((policy) => !core.policies.isCompatible(policy, datastore));
    return {
      hub: { hubType: datastore.type, hubId: datastore.value },
      error: wrong.map((policy) => {
        const { fault, message } = faults.incompatiblePolicy(policy.name);
        return { fault, localizedMessage: message };
      }),
    };
  });
};

/** Storage policies, and the datastores that satisfy them. */
export const pbmMethods: readonly MethodHandler[] = [
  handleAnonymous(pbmRetrieveServiceContent, (_request, { core }) => ({
    aboutInfo: { name: 'PBM', version: '2.0', instanceUuid: core.about.instanceUuid ?? '' },
    sessionManager: moref('PbmSessionManager', 'SessionManager'),
    capabilityMetadataManager: moref('PbmCapabilityMetadataManager', 'CapabilityMetadataManager'),
    profileManager: moref('PbmProfileProfileManager', 'ProfileManager'),
    complianceManager: moref('PbmComplianceManager', 'complianceManager'),
    placementSolver: moref('PbmPlacementSolver', 'placementSolver'),
  })),

  handle(pbmQueryProfile, ({ profileCategory }, { core }) =>
    profileCategory === undefined || profileCategory === 'REQUIREMENT'
      ? core.policies.list().map(({ id }) => ({ uniqueId: id }))
      : [],
  ),

  handle(pbmRetrieveContent, ({ profileIds }, { core }) => {
    if (profileIds.length === 0) throw faults.invalidArgument('profileIds');
    const at = new Date(core.clock.now());
    return profileIds.map(({ uniqueId }) => profileOf(policyOf(core, uniqueId), at));
  }),

  handle(pbmCheckRequirements, ({ hubsToSearch, placementSubjectRequirement }, { core }) => {
    const wanted = placementSubjectRequirement.flatMap(
      (requirement) => (requirement as Partial<Value<typeof PbmPlacementCapabilityProfileRequirement>>).profileId ?? [],
    );
    return check(
      core,
      hubsToSearch,
      wanted.map(({ uniqueId }) => policyOf(core, uniqueId)),
    );
  }),
];
