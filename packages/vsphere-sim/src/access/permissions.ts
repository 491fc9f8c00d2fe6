import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import type { ObjectStore } from '../state/object-store.ts';
import type { Roles } from './roles.ts';

export interface Permission {
  readonly entity: MoRef;
  /** `name@domain`, lower case. */
  readonly principal: string;
  readonly group: boolean;
  readonly roleId: number;
  readonly propagate: boolean;
}

/** The caller: a user and its groups. */
export interface Principal {
  readonly user: string;
  readonly groups: readonly string[];
}

/** The permissions of a vCenter. */
export interface Permissions {
  list(): readonly Permission[];
  on(entity: MoRef): readonly Permission[];
  set(permission: Permission): void;
  remove(entity: MoRef, principal: string, group: boolean): boolean;
  allows(principal: Principal, privilege: string, object: MoRef): boolean;
  /** The role IDs that apply to a principal on an object. */
  rolesOn(principal: Principal, object: MoRef): readonly number[];
  /** Grows with every change, of roles too. */
  version(): number;
  /** Call this when an object was moved: it then inherits from other objects. */
  invalidate(): void;
}

/**
 * The rules of vCenter: the permission set nearest to an object decides; one for the user comes before those of its
 * groups, which add up; one that does not propagate decides on its own object alone; a VM inherits from its folder and
 * from its resource pool, a vApp likewise, and the user may do what either allows.
 */
export const createPermissions = (store: ObjectStore, roles: Roles): Permissions => {
  const byEntity = new Map<string, Permission[]>();
  let version = 0;
  let decided = new Map<string, Map<string, readonly number[]>>();

  const invalidate = (): void => {
    version += 1;
    decided = new Map();
  };

  const own = (principal: Principal, key: string, inherited: boolean): readonly number[] | undefined => {
    const here = (byEntity.get(key) ?? []).filter((permission) => permission.propagate || !inherited);
    const forUser = here.filter((permission) => !permission.group && permission.principal === principal.user);
    const forGroups = here.filter((permission) => permission.group && principal.groups.includes(permission.principal));
    const deciding = forUser.length > 0 ? forUser : forGroups;
    return deciding.length > 0 ? deciding.map((permission) => permission.roleId) : undefined;
  };

  const decide = (principal: Principal, object: MoRef, inherited: boolean): readonly number[] => {
    const cacheKey = `${principal.user} ${principal.groups.join()} ${inherited}`;
    const cache = decided.get(cacheKey) ?? new Map<string, readonly number[]>();
    decided.set(cacheKey, cache);
    const key = morefKey(object);
    const known = cache.get(key);
    if (known) return known;
    const found = own(principal, key, inherited) ?? [
      ...new Set(parentsOf(store, object).flatMap((parent) => decide(principal, parent, true))),
    ];
    cache.set(key, found);
    return found;
  };

  return {
    list: () => [...byEntity.values()].flat(),
    on: (entity) => byEntity.get(morefKey(entity)) ?? [],
    set: (permission) => {
      const key = morefKey(permission.entity);
      const others = (byEntity.get(key) ?? []).filter(
        (other) => other.principal !== permission.principal || other.group !== permission.group,
      );
      byEntity.set(key, [...others, permission]);
      invalidate();
    },
    remove: (entity, principal, group) => {
      const before = byEntity.get(morefKey(entity)) ?? [];
      const after = before.filter((permission) => permission.principal !== principal || permission.group !== group);
      byEntity.set(morefKey(entity), after);
      invalidate();
      return after.length < before.length;
    },
    allows: (principal, privilege, object) =>
      decide(principal, object, false).some((roleId) => roles.grants(roleId, privilege)),
    rolesOn: (principal, object) => decide(principal, object, false),
    version: () => version + roles.version(),
    invalidate,
  };
};

const inheritsFrom: Readonly<Record<string, readonly string[]>> = {
  VirtualMachine: ['parent', 'resourcePool'],
  VirtualApp: ['parent', 'parentFolder'],
};

const parentsOf = (store: ObjectStore, object: MoRef): readonly MoRef[] => {
  const properties = store.get(object)?.properties;
  const parents = inheritsFrom[object.type] ?? ['parent'];
  return parents.flatMap((name) => (properties?.[name] as MoRef | undefined) ?? []);
};
