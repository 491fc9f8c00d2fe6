import { array, boolean, defineMethod, optional, ref, string } from '../schema.ts';
import {
  ObjectContent,
  PropertyFilterSpec,
  RetrieveOptions,
  RetrieveResult,
  UpdateSet,
  WaitOptions,
} from '../types/property-collector.ts';

export const retrieveProperties = defineMethod('RetrieveProperties', {
  namespace: 'urn:vim25',
  request: { _this: ref, specSet: array(PropertyFilterSpec) },
  response: array(ObjectContent),
});

export const retrievePropertiesEx = defineMethod('RetrievePropertiesEx', {
  namespace: 'urn:vim25',
  request: { _this: ref, specSet: array(PropertyFilterSpec), options: RetrieveOptions },
  response: optional(RetrieveResult),
});

export const continueRetrievePropertiesEx = defineMethod('ContinueRetrievePropertiesEx', {
  namespace: 'urn:vim25',
  request: { _this: ref, token: string },
  response: RetrieveResult,
});

export const cancelRetrievePropertiesEx = defineMethod('CancelRetrievePropertiesEx', {
  namespace: 'urn:vim25',
  request: { _this: ref, token: string },
});

export const createFilter = defineMethod('CreateFilter', {
  namespace: 'urn:vim25',
  request: { _this: ref, spec: PropertyFilterSpec, partialUpdates: boolean },
  response: ref,
});

export const destroyPropertyFilter = defineMethod('DestroyPropertyFilter', {
  namespace: 'urn:vim25',
  request: { _this: ref },
});

export const waitForUpdatesEx = defineMethod('WaitForUpdatesEx', {
  namespace: 'urn:vim25',
  request: { _this: ref, version: optional(string), options: optional(WaitOptions) },
  response: optional(UpdateSet),
});

export const cancelWaitForUpdates = defineMethod('CancelWaitForUpdates', {
  namespace: 'urn:vim25',
  request: { _this: ref },
});

export const createPropertyCollector = defineMethod('CreatePropertyCollector', {
  namespace: 'urn:vim25',
  request: { _this: ref },
  response: ref,
});

export const destroyPropertyCollector = defineMethod('DestroyPropertyCollector', {
  namespace: 'urn:vim25',
  request: { _this: ref },
});

export const createContainerView = defineMethod('CreateContainerView', {
  namespace: 'urn:vim25',
  request: { _this: ref, container: ref, type: array(string), recursive: boolean },
  response: ref,
});

export const createListView = defineMethod('CreateListView', {
  namespace: 'urn:vim25',
  request: { _this: ref, obj: array(ref) },
  response: ref,
});

export const modifyListView = defineMethod('ModifyListView', {
  namespace: 'urn:vim25',
  request: { _this: ref, add: array(ref), remove: array(ref) },
  response: array(ref),
});

export const resetListView = defineMethod('ResetListView', {
  namespace: 'urn:vim25',
  request: { _this: ref, obj: array(ref) },
  response: array(ref),
});

export const destroyView = defineMethod('DestroyView', {
  namespace: 'urn:vim25',
  request: { _this: ref },
});
