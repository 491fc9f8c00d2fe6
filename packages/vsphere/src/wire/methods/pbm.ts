import { array, defineMethod, optional, ref, string } from '../schema.ts';
import {
  PbmPlacementCompatibilityResult,
  PbmPlacementHub,
  PbmPlacementRequirement,
  PbmProfile,
  PbmProfileId,
  PbmProfileResourceType,
  PbmServerObjectRef,
  PbmServiceInstanceContent,
} from '../types/pbm.ts';

export const pbmRetrieveServiceContent = defineMethod('PbmRetrieveServiceContent', {
  namespace: 'urn:pbm',
  request: { _this: ref },
  response: PbmServiceInstanceContent,
});

export const pbmQueryProfile = defineMethod('PbmQueryProfile', {
  namespace: 'urn:pbm',
  request: { _this: ref, resourceType: PbmProfileResourceType, profileCategory: optional(string) },
  response: array(PbmProfileId),
});

export const pbmRetrieveContent = defineMethod('PbmRetrieveContent', {
  namespace: 'urn:pbm',
  request: { _this: ref, profileIds: array(PbmProfileId) },
  response: array(PbmProfile),
});

export const pbmCheckRequirements = defineMethod('PbmCheckRequirements', {
  namespace: 'urn:pbm',
  request: {
    _this: ref,
    hubsToSearch: array(PbmPlacementHub),
    placementSubjectRef: optional(PbmServerObjectRef),
    placementSubjectRequirement: array(PbmPlacementRequirement),
  },
  response: array(PbmPlacementCompatibilityResult),
});
