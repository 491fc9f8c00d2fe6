import {
  addAuthorizationRole,
  fetchUserPrivilegeOnEntities,
  hasPrivilegeOnEntities,
  removeAuthorizationRole,
  removeEntityPermission,
  retrieveAllPermissions,
  retrieveEntityPermissions,
  retrieveRolePermissions,
  setEntityPermissions,
  updateAuthorizationRole,
} from '@vdo/vsphere/wire/methods/authorization';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Permission } from '../../access/permissions.ts';
import { knownPrivileges } from '../../access/privileges.ts';
import type { Role } from '../../access/roles.ts';
import type { Core } from '../../core.ts';
import { principalName } from '../../sessions.ts';
import { faults } from '../../sim-fault.ts';
import { handle, type MethodHandler } from '../method-handler.ts';
import { showRoles } from '../put-managers.ts';
import { domainName } from '../user-session.ts';

const show = ({ entity, principal, group, roleId, propagate }: Permission) => ({
  entity,
  principal: domainName(principal),
  group,
  roleId,
  propagate,
});

const ownRole = ({ roles }: Core, id: number): Role => {
  const role = roles.get(id);
  if (!role) throw faults.notFound();
  if (role.system) throw faults.invalidArgument('roleId');
  return role;
};

const known = (privIds: readonly string[]): readonly string[] => {
  if (privIds.some((id) => !knownPrivileges.has(id))) throw faults.invalidArgument('privIds');
  return privIds;
};

const nameFree = (core: Core, name: string, except?: number): void => {
  const taken = core.roles.byName(name);
  if (taken && taken.id !== except) throw faults.alreadyExists(name);
};

const ancestors = ({ store }: Pick<Core, 'store'>, entity: MoRef): readonly MoRef[] => {
  const parent = store.get(entity)?.properties['parent'] as MoRef | undefined;
  return parent ? [parent, ...ancestors({ store }, parent)] : [];
};

/** Entities have their own permissions as a property, so a change wakes watchers. */
const showPermissions = ({ store, permissions }: Core, entity: MoRef): void =>
  store.update(entity, { permission: permissions.on(entity).map(show) });

const roleMethods: readonly MethodHandler[] = [
  handle(addAuthorizationRole, ({ name, privIds }, { core }) => {
    nameFree(core, name);
    const { id } = core.roles.add(name, known(privIds));
    showRoles(core);
    return id;
  }),

  handle(updateAuthorizationRole, ({ roleId, newName, privIds }, { core }) => {
    nameFree(core, newName, ownRole(core, roleId).id);
    core.roles.update(roleId, newName, known(privIds));
    showRoles(core);
    return undefined;
  }),

  handle(removeAuthorizationRole, ({ roleId, failIfUsed }, { core }) => {
    ownRole(core, roleId);
    const used = core.permissions.list().filter((permission) => permission.roleId === roleId);
    if (failIfUsed && used.length > 0) throw faults.removeFailed();
    for (const { entity, principal, group } of used) core.permissions.remove(entity, principal, group);
    core.roles.remove(roleId);
    showRoles(core);
    return undefined;
  }),
];

const permissionMethods: readonly MethodHandler[] = [
  handle(retrieveAllPermissions, (_request, { core }) => core.permissions.list().map(show)),
  handle(retrieveRolePermissions, ({ roleId }, { core }) =>
    core.permissions
      .list()
      .filter((permission) => permission.roleId === roleId)
      .map(show),
  ),
  handle(retrieveEntityPermissions, ({ entity, inherited }, { core }) =>
    [entity, ...(inherited ? ancestors(core, entity) : [])].flatMap((ref) => core.permissions.on(ref)).map(show),
  ),

  handle(setEntityPermissions, ({ entity, permission }, { core }) => {
    for (const { principal, group, roleId, propagate } of permission) {
      const name = principalName(principal);
      if (!core.roles.get(roleId)) throw faults.invalidArgument('permission.roleId');
      if (!core.accounts.has(name, group)) throw faults.userNotFound(principal);
      core.permissions.set({ entity, principal: name, group, roleId, propagate });
    }
    showPermissions(core, entity);
    return undefined;
  }),

  handle(removeEntityPermission, ({ entity, user, isGroup }, { core }) => {
    if (!core.permissions.remove(entity, principalName(user), isGroup)) throw faults.notFound();
    showPermissions(core, entity);
    return undefined;
  }),
];

const questionMethods: readonly MethodHandler[] = [
  handle(hasPrivilegeOnEntities, ({ entity, sessionId, privId }, { core }) => {
    const session = core.sessions.byKey(sessionId);
    if (!session) throw faults.invalidArgument('sessionId');
    return entity.map((ref) => ({
      entity: ref,
      privAvailability: privId.map((id) => ({ privId: id, isGranted: core.permissions.allows(session, id, ref) })),
    }));
  }),

  handle(fetchUserPrivilegeOnEntities, ({ entities, userName }, { core }) => {
    const principal = { user: principalName(userName), groups: core.accounts.groupsOf(principalName(userName)) };
    return entities.map((entity) => ({
      entity,
      privileges: [...knownPrivileges].filter((id) => core.permissions.allows(principal, id, entity)),
    }));
  }),
];

/** AuthorizationManager: roles, permissions, and privilege checks. */
export const authorizationMethods: readonly MethodHandler[] = [
  ...roleMethods,
  ...permissionMethods,
  ...questionMethods,
];
