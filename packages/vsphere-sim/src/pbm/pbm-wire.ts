import { createRegistry } from '@vdo/vsphere/wire/registry';
import { array, defineMethod, optional, ref, string } from '@vdo/vsphere/wire/schema';
import * as common from '@vdo/vsphere/wire/types/common';
import * as faults from '@vdo/vsphere/wire/types/faults';
import * as types from './pbm-types.ts';
import {
  PbmPlacementCompatibilityResult,
  PbmPlacementHub,
  PbmPlacementRequirement,
  PbmProfile,
  PbmProfileId,
  PbmProfileResourceType,
  PbmServerObjectRef,
  PbmServiceInstanceContent,
} from './pbm-types.ts';

/** Namespace of the storage policy service at `/pbm`. */
export const pbmNamespace = 'urn:pbm';

export const pbmTypes = createRegistry([common, faults, types]);

export const pbmRetrieveServiceContent = defineMethod('PbmRetrieveServiceContent', {
  namespace: pbmNamespace,
  request: { _this: ref },
  response: PbmServiceInstanceContent,
});

export const pbmQueryProfile = defineMethod('PbmQueryProfile', {
  namespace: pbmNamespace,
  request: { _this: ref, resourceType: PbmProfileResourceType, profileCategory: optional(string) },
  response: array(PbmProfileId),
});

export const pbmRetrieveContent = defineMethod('PbmRetrieveContent', {
  namespace: pbmNamespace,
  request: { _this: ref, profileIds: array(PbmProfileId) },
  response: array(PbmProfile),
});

export const pbmCheckCompatibility = defineMethod('PbmCheckCompatibility', {
  namespace: pbmNamespace,
  request: { _this: ref, hubsToSearch: array(PbmPlacementHub), profile: PbmProfileId },
  response: array(PbmPlacementCompatibilityResult),
});

export const pbmCheckRequirements = defineMethod('PbmCheckRequirements', {
  namespace: pbmNamespace,
  request: {
    _this: ref,
    hubsToSearch: array(PbmPlacementHub),
    placementSubjectRef: optional(PbmServerObjectRef),
    placementSubjectRequirement: array(PbmPlacementRequirement),
  },
  response: array(PbmPlacementCompatibilityResult),
});
