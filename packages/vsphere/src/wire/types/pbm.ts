import { array, boolean, dateTime, defineType, long, optional, ref, string } from '../schema.ts';
import { LocalizedMethodFault } from './faults.ts';

export const PbmAboutInfo = defineType('PbmAboutInfo', {
  name: string,
  version: string,
  instanceUuid: string,
});

export const PbmServiceInstanceContent = defineType('PbmServiceInstanceContent', {
  aboutInfo: PbmAboutInfo,
  sessionManager: ref,
  capabilityMetadataManager: ref,
  profileManager: ref,
  complianceManager: ref,
  placementSolver: ref,
  replicationManager: optional(ref),
});

export const PbmProfileId = defineType('PbmProfileId', {
  uniqueId: string,
});

export const PbmProfileResourceType = defineType('PbmProfileResourceType', {
  resourceType: string,
});

export const PbmProfile = defineType(
  'PbmProfile',
  {
    profileId: PbmProfileId,
    name: string,
    description: optional(string),
    creationTime: dateTime,
    createdBy: string,
    lastUpdatedTime: dateTime,
    lastUpdatedBy: string,
  },
  { open: true },
);

/** What the policy asks for, by subtypes that nothing here reads. */
export const PbmCapabilityConstraints = defineType('PbmCapabilityConstraints', {}, { open: true });

export const PbmCapabilityProfile = defineType(
  'PbmCapabilityProfile',
  {
    profileCategory: string,
    resourceType: PbmProfileResourceType,
    constraints: optional(PbmCapabilityConstraints),
    generationId: optional(long),
    isDefault: boolean,
    systemCreatedProfileType: optional(string),
    lineOfService: optional(string),
    k8sCompliantName: optional(string),
    otherK8sCompliantNames: array(string),
  },
  { extends: PbmProfile },
);

export const PbmPlacementHub = defineType('PbmPlacementHub', {
  hubType: string,
  hubId: string,
});

export const PbmPlacementRequirement = defineType('PbmPlacementRequirement', {}, { open: true });

export const PbmPlacementCapabilityProfileRequirement = defineType(
  'PbmPlacementCapabilityProfileRequirement',
  {
    profileId: PbmProfileId,
  },
  { extends: PbmPlacementRequirement },
);

export const PbmPlacementCompatibilityResult = defineType('PbmPlacementCompatibilityResult', {
  hub: PbmPlacementHub,
  howMany: optional(long),
  warning: array(LocalizedMethodFault),
  error: array(LocalizedMethodFault),
});

export const PbmServerObjectRef = defineType('PbmServerObjectRef', {
  objectType: string,
  key: string,
  serverUuid: optional(string),
});
