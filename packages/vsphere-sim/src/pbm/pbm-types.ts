import { anyType, array, boolean, dateTime, defineType, long, optional, ref, string } from '@vdo/vsphere/wire/schema';
import { LocalizedMethodFault } from '@vdo/vsphere/wire/types/faults';

/* Data objects of `urn:pbm`, as the storage policy API lists them. */

export const PbmAboutInfo = defineType('PbmAboutInfo', { name: string, version: string, instanceUuid: string });

export const PbmServiceInstanceContent = defineType('PbmServiceInstanceContent', {
  aboutInfo: PbmAboutInfo,
  sessionManager: ref,
  capabilityMetadataManager: ref,
  profileManager: ref,
  complianceManager: ref,
  placementSolver: ref,
  replicationManager: optional(ref),
});

export const PbmProfileId = defineType('PbmProfileId', { uniqueId: string });

export const PbmProfileResourceType = defineType('PbmProfileResourceType', { resourceType: string });

export const PbmCapabilityMetadataUniqueId = defineType('PbmCapabilityMetadataUniqueId', {
  namespace: string,
  id: string,
});

export const PbmCapabilityPropertyInstance = defineType('PbmCapabilityPropertyInstance', {
  id: string,
  operator: optional(string),
  value: anyType,
});

export const PbmCapabilityConstraintInstance = defineType('PbmCapabilityConstraintInstance', {
  propertyInstance: array(PbmCapabilityPropertyInstance),
});

export const PbmCapabilityInstance = defineType('PbmCapabilityInstance', {
  id: PbmCapabilityMetadataUniqueId,
  constraint: array(PbmCapabilityConstraintInstance),
});

export const PbmCapabilitySubProfile = defineType('PbmCapabilitySubProfile', {
  name: string,
  capability: array(PbmCapabilityInstance),
  forceProvision: optional(boolean),
});

export const PbmCapabilityConstraints = defineType('PbmCapabilityConstraints', {});

export const PbmCapabilitySubProfileConstraints = defineType(
  'PbmCapabilitySubProfileConstraints',
  { subProfiles: array(PbmCapabilitySubProfile) },
  { extends: PbmCapabilityConstraints },
);

export const PbmProfile = defineType('PbmProfile', {
  profileId: PbmProfileId,
  name: string,
  description: optional(string),
  creationTime: dateTime,
  createdBy: string,
  lastUpdatedTime: dateTime,
  lastUpdatedBy: string,
});

export const PbmCapabilityProfile = defineType(
  'PbmCapabilityProfile',
  {
    profileCategory: string,
    resourceType: PbmProfileResourceType,
    constraints: PbmCapabilityConstraints,
    generationId: optional(long),
    isDefault: boolean,
    systemCreatedProfileType: optional(string),
    lineOfService: optional(string),
  },
  { extends: PbmProfile },
);

export const PbmPlacementHub = defineType('PbmPlacementHub', { hubType: string, hubId: string });

export const PbmPlacementRequirement = defineType('PbmPlacementRequirement', {});

export const PbmPlacementCapabilityProfileRequirement = defineType(
  'PbmPlacementCapabilityProfileRequirement',
  { profileId: PbmProfileId },
  { extends: PbmPlacementRequirement },
);

export const PbmServerObjectRef = defineType('PbmServerObjectRef', {
  objectType: string,
  key: string,
  serverUuid: optional(string),
});

export const PbmPlacementCompatibilityResult = defineType('PbmPlacementCompatibilityResult', {
  hub: PbmPlacementHub,
  howMany: optional(long),
  warning: array(LocalizedMethodFault),
  error: array(LocalizedMethodFault),
});
