import type { RoleModel } from '../model.ts';

export interface Role {
  readonly id: number;
  readonly name: string;
  /** vCenter's own roles cannot be changed. */
  readonly system: boolean;
  readonly privileges: ReadonlySet<string>;
}

/** Privileges that every role has implicitly. */
const implicitPrivileges = ['System.Anonymous', 'System.View', 'System.Read'] as const;

/** The roles of a vCenter. */
export interface Roles {
  list(): readonly Role[];
  get(id: number): Role | undefined;
  byName(name: string): Role | undefined;
  add(name: string, privileges: readonly string[]): Role;
  update(id: number, name: string, privileges: readonly string[]): void;
  remove(id: number): void;
  /** Whether the role has the privilege. */
  grants(id: number, privilege: string): boolean;
  /** Grows with every change. */
  version(): number;
}

/** vCenter's own role that has all privileges. */
export const adminRoleId = -1;
const noAccessId = -5;

const systemRoles: readonly Role[] = [
  { id: noAccessId, name: 'NoAccess', system: true, privileges: new Set() },
  { id: -4, name: 'Anonymous', system: true, privileges: new Set(['System.Anonymous']) },
  { id: -3, name: 'View', system: true, privileges: new Set(['System.Anonymous', 'System.View']) },
  { id: -2, name: 'ReadOnly', system: true, privileges: new Set(implicitPrivileges) },
  { id: adminRoleId, name: 'Admin', system: true, privileges: new Set(implicitPrivileges) },
];

export const createRoles = (models: readonly RoleModel[]): Roles => {
  const roles = new Map(systemRoles.map((role) => [role.id, role]));
  let lastId = 1000;
  let version = 0;

  const write = (id: number, name: string, privileges: readonly string[]): Role => {
    const role = { id, name, system: false, privileges: new Set([...implicitPrivileges, ...privileges]) };
    roles.set(id, role);
    version += 1;
    return role;
  };
  const add: Roles['add'] = (name, privileges) => {
    lastId += 1;
    return write(lastId, name, privileges);
  };
  for (const model of models) add(model.name, model.privileges);

  return {
    list: () => [...roles.values()],
    get: (id) => roles.get(id),
    byName: (name) => [...roles.values()].find((role) => role.name === name),
    add,
    update: (id, name, privileges) => {
      write(id, name, privileges);
    },
    remove: (id) => {
      if (roles.delete(id)) version += 1;
    },
    version: () => version,
    grants: (id, privilege) => id === adminRoleId || (roles.get(id)?.privileges.has(privilege) ?? false),
  };
};
