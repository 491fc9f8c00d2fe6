import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Input, Value } from '@vdo/vsphere/wire/schema';
import type { DynamicProperty, MissingProperty, PropertyFilterSpec } from '@vdo/vsphere/wire/types/property-collector';
import { encodable, hasProperty } from '../property/property-schema.ts';
import { faults } from '../sim-fault.ts';
import { managedType } from '../state/managed-types.ts';

/** Refuses properties that the named type does not have, as vCenter does. */
export const checkFilterSpec = (spec: Value<typeof PropertyFilterSpec>): void => {
  for (const { type, pathSet } of spec.propSet) {
    if (!managedType(type)) continue;
    const wrong = pathSet.find((path) => !hasProperty(type, path));
    if (wrong !== undefined) throw faults.invalidProperty(wrong);
  }
};

/** Values with their wire types, ready for a place that accepts anything. */
export const toDynamicProperties = (
  type: string,
  values: ReadonlyMap<string, unknown>,
): readonly Input<Value<typeof DynamicProperty>>[] =>
  [...values].map(([name, value]) => ({ name, val: encodable(type, name, value) }));

/** Properties the session may not read. */
export const missingProperties = (
  object: MoRef,
  paths: readonly string[],
): readonly Input<Value<typeof MissingProperty>>[] => {
  const { fault, message } = faults.noPermission(object, 'System.Read');
  return paths.map((path) => ({ path, fault: { fault, localizedMessage: message } }));
};
