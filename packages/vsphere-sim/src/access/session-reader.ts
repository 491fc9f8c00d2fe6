import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import type { InventoryReader } from '../property/inventory-reader.ts';
import type { ManagedObject, ObjectStore } from '../state/object-store.ts';
import type { Properties } from '../state/property-path.ts';
import { isManagedType } from '../state/type-hierarchy.ts';
import type { Permissions, Principal } from './permissions.ts';
import { adminRoleId } from './roles.ts';

export interface SessionReaderOptions {
  readonly store: ObjectStore;
  readonly permissions: Permissions;
  readonly principal: Principal;
  readonly rootFolder: MoRef;
  /** Properties that differ from session to session: `SessionManager.currentSession`. */
  readonly overlay?: (object: ManagedObject) => ManagedObject;
}

/** The inventory as one user sees it: references to objects that it may not read are left out. */
export const createSessionReader = (options: SessionReaderOptions): InventoryReader => {
  const { store, permissions, principal, overlay = (object) => object } = options;
  let seen = new WeakMap<object, unknown>();
  let seenVersion = -1;
  let everything = false;

  const refresh = (): void => {
    if (seenVersion === permissions.version()) return;
    seen = new WeakMap();
    seenVersion = permissions.version();
    everything = seesEverything(permissions, principal, options.rootFolder);
  };

  const canRead = (ref: MoRef): boolean => {
    refresh();
    return everything || !isManagedType(ref.type, 'ManagedEntity') || permissions.allows(principal, 'System.Read', ref);
  };

  const visible = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    const known = seen.get(value);
    if (known !== undefined) return known === hidden ? undefined : known;
    const made = Array.isArray(value) ? visibleItems(value) : isRef(value) ? visibleRef(value) : visibleFields(value);
    seen.set(value, made ?? hidden);
    return made;
  };
  const visibleRef = (ref: MoRef): MoRef | undefined => (canRead(ref) ? ref : undefined);
  const visibleItems = (items: readonly unknown[]): readonly unknown[] => {
    const made = items.map(visible).filter((item) => item !== undefined);
    return made.length === items.length && made.every((item, index) => item === items[index]) ? items : made;
  };
  const visibleFields = (fields: object): Properties | undefined => {
    const entries = Object.entries(fields).map(([name, value]) => [name, value, visible(value)] as const);
    // For example the mount of a datastore on a hidden host: without its key, the rest has no meaning.
    if (entries.some(([name, before, after]) => name === 'key' && before !== undefined && after === undefined))
      return undefined;
    if (entries.every(([, before, after]) => before === after)) return fields as Properties;
    return Object.fromEntries(entries.flatMap(([name, , after]) => (after === undefined ? [] : [[name, after]])));
  };

  return {
    version: store.version,
    accessVersion: permissions.version,
    changedSince: store.changedSince,
    subscribe: (listener) => store.subscribe(listener),
    canRead,
    get: (ref) => {
      const object = store.get(ref);
      if (!object) return undefined;
      refresh();
      if (everything) return overlay(object);
      return overlay({ ref: object.ref, properties: visible(object.properties) as Properties });
    },
  };
};

const hidden = Symbol('hidden');

const isRef = (value: object): value is MoRef =>
  typeof (value as Partial<MoRef>).type === 'string' &&
  typeof (value as Partial<MoRef>).value === 'string' &&
  Object.keys(value).length === 2;

/** With one permission, Admin on the root folder, one check decides for all objects. */
const seesEverything = (permissions: Permissions, principal: Principal, rootFolder: MoRef): boolean => {
  const own = permissions
    .list()
    .filter(({ principal: name, group }) => (group ? principal.groups.includes(name) : principal.user === name));
  return (
    own.length === 1 &&
    own.every(
      ({ roleId, propagate, entity }) =>
        roleId === adminRoleId && propagate && morefKey(entity) === morefKey(rootFolder),
    )
  );
};
