import { anyType, array, boolean, defineType, enumeration, int, optional, ref, string } from '../schema.ts';
import { LocalizedMethodFault } from './faults.ts';

export const PropertySpec = defineType('PropertySpec', {
  type: string,
  all: optional(boolean),
  pathSet: array(string),
});

export const SelectionSpec = defineType(
  'SelectionSpec',
  {
    name: optional(string),
  },
  { open: true },
);

export const TraversalSpec = defineType(
  'TraversalSpec',
  {
    type: string,
    path: string,
    skip: optional(boolean),
    selectSet: array(SelectionSpec),
  },
  { extends: SelectionSpec },
);

export const ObjectSpec = defineType('ObjectSpec', {
  obj: ref,
  skip: optional(boolean),
  selectSet: array(SelectionSpec),
});

export const PropertyFilterSpec = defineType('PropertyFilterSpec', {
  propSet: array(PropertySpec),
  objectSet: array(ObjectSpec),
  reportMissingObjectsInResults: optional(boolean),
});

export const RetrieveOptions = defineType('RetrieveOptions', {
  maxObjects: optional(int),
});

export const DynamicProperty = defineType('DynamicProperty', {
  name: string,
  val: anyType,
});

export const MissingProperty = defineType('MissingProperty', {
  path: string,
  fault: LocalizedMethodFault,
});

export const ObjectContent = defineType('ObjectContent', {
  obj: ref,
  propSet: array(DynamicProperty),
  missingSet: array(MissingProperty),
});

export const RetrieveResult = defineType('RetrieveResult', {
  token: optional(string),
  objects: array(ObjectContent),
});

export const WaitOptions = defineType('WaitOptions', {
  maxWaitSeconds: optional(int),
  maxObjectUpdates: optional(int),
});

export const PropertyChange = defineType('PropertyChange', {
  name: string,
  op: enumeration('PropertyChangeOp', 'add', 'remove', 'assign', 'indirectRemove'),
  val: optional(anyType),
});

export const ObjectUpdate = defineType('ObjectUpdate', {
  kind: enumeration('ObjectUpdateKind', 'modify', 'enter', 'leave'),
  obj: ref,
  changeSet: array(PropertyChange),
  missingSet: array(MissingProperty),
});

export const MissingObject = defineType('MissingObject', {
  obj: ref,
  fault: LocalizedMethodFault,
});

export const PropertyFilterUpdate = defineType('PropertyFilterUpdate', {
  filter: ref,
  objectSet: array(ObjectUpdate),
  missingSet: array(MissingObject),
});

export const UpdateSet = defineType('UpdateSet', {
  version: string,
  filterSet: array(PropertyFilterUpdate),
  truncated: optional(boolean),
});
