import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Input, Value } from '@vdo/vsphere/wire/schema';
import type { MissingProperty, PropertyFilterSpec } from '@vdo/vsphere/wire/types/property-collector';
import { encodable, fieldAt, hasProperty } from '../property/property-schema.ts';
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

/** Adds the wire types to values. Cached for one reply: thousands of objects request the same few paths. */
export const createValueEncoder = (): ((type: string, path: string, value: unknown) => unknown) => {
  const fields = new Map<string, ReturnType<typeof fieldAt>>();
  return (type, path, value) => {
    const key = `${type}.${path}`;
    if (!fields.has(key)) fields.set(key, fieldAt(type, path));
    return encodable(fields.get(key), value);
  };
};

/** Properties the session may not read. */
export const missingProperties = (
  object: MoRef,
  paths: readonly string[],
): readonly Input<Value<typeof MissingProperty>>[] => {
  if (paths.length === 0) return [];
  const { fault, message } = faults.noPermission(object, 'System.Read');
  return paths.map((path) => ({ path, fault: { fault, localizedMessage: message } }));
};
