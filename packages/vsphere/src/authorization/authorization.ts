import { defineProperties } from '../property/properties.ts';
import { retrieveObjects } from '../property/retrieve.ts';
import { askAsSession } from '../session/ask-as-session.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import {
  addAuthorizationRole,
  hasPrivilegeOnEntities,
  removeAuthorizationRole,
  removeEntityPermission,
  retrieveAllPermissions,
  retrieveEntityPermissions,
  setEntityPermissions,
  updateAuthorizationRole,
} from '../wire/methods/authorization.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import { array, type Value } from '../wire/schema.ts';
import { AuthorizationRole, type Permission as PermissionType } from '../wire/types/authorization.ts';

export interface Role {
  readonly id: number;
  readonly name: string;
  /** System roles cannot be changed. */
  readonly system: boolean;
  readonly privileges: readonly string[];
}

export interface Permission {
  readonly entity: MoRef;
  /** `DOMAIN\user` or `DOMAIN\group`. */
  readonly principal: string;
  readonly group: boolean;
  readonly roleId: number;
  readonly propagate: boolean;
}

/** Roles and permissions of vCenter. */
export interface Authorization {
  roles(options?: CallOptions): Promise<readonly Role[]>;
  createRole(name: string, privileges: readonly string[], options?: CallOptions): Promise<number>;
  /** Replaces name and privileges. */
  updateRole(role: Pick<Role, 'id' | 'name' | 'privileges'>, options?: CallOptions): Promise<void>;
  /** Refused by vCenter while the role is in use. */
  removeRole(id: number, options?: CallOptions): Promise<void>;
  /** The permissions of one object, including inherited ones, or of all objects. */
  permissions(entity?: MoRef, options?: CallOptions): Promise<readonly Permission[]>;
  /** Adds or replaces the permission of a principal on an object. */
  setPermission(permission: Permission, options?: CallOptions): Promise<void>;
  removePermission(
    permission: Pick<Permission, 'entity' | 'principal' | 'group'>,
    options?: CallOptions,
  ): Promise<void>;
  /** Which of the privileges this session's user lacks on each object, by `morefKey`; objects that lack none are absent. */
  missingPrivileges(
    entities: readonly MoRef[],
    privileges: readonly string[],
    options?: CallOptions,
  ): Promise<ReadonlyMap<string, readonly string[]>>;
}

const roleProperties = defineProperties('AuthorizationManager', { roleList: array(AuthorizationRole) });
/** Objects per call: a reply has a few hundred bytes per object. */
const batchSize = 2500;

const toPermission = (permission: Value<typeof PermissionType>): readonly Permission[] => {
  const { entity, principal, group, roleId, propagate } = permission;
  return entity ? [{ entity, principal, group, roleId, propagate }] : [];
};

export const createAuthorization = (session: VimSession): Authorization => {
  const { vim } = session;
  const manager = async (options: CallOptions): Promise<MoRef> =>
    requireManager(await session.open(options), 'authorizationManager');

  return {
    roles: async (options = {}) => {
      const collector = requireManager(await session.open(options), 'propertyCollector');
      const request = { properties: roleProperties, refs: [await manager(options)] };
      const [found] = await retrieveObjects(vim, request, { ...options, collector });
      return (found?.values.roleList ?? []).map(({ roleId, name, system, privilege }) => ({
        id: roleId,
        name,
        system,
        privileges: privilege,
      }));
    },
    createRole: async (name, privIds, options = {}) =>
      vim.call(addAuthorizationRole, { _this: await manager(options), name, privIds }, options),
    updateRole: async ({ id: roleId, name: newName, privileges: privIds }, options = {}) => {
      await vim.call(updateAuthorizationRole, { _this: await manager(options), roleId, newName, privIds }, options);
    },
    removeRole: async (roleId, options = {}) => {
      await vim.call(removeAuthorizationRole, { _this: await manager(options), roleId, failIfUsed: true }, options);
    },
    permissions: async (entity, options = {}) => {
      const _this = await manager(options);
      const found = entity
        ? await vim.call(retrieveEntityPermissions, { _this, entity, inherited: true }, options)
        : await vim.call(retrieveAllPermissions, { _this }, options);
      return found.flatMap(toPermission);
    },
    setPermission: async (permission, options = {}) => {
      const { entity } = permission;
      await vim.call(
        setEntityPermissions,
        { _this: await manager(options), entity, permission: [permission] },
        options,
      );
    },
    removePermission: async ({ entity, principal: user, group: isGroup }, options = {}) => {
      await vim.call(removeEntityPermission, { _this: await manager(options), entity, user, isGroup }, options);
    },
    missingPrivileges: async (entities, privId, options = {}) => {
      const missing = new Map<string, readonly string[]>();
      for (let i = 0; i < entities.length; i += batchSize) {
        const entity = entities.slice(i, i + batchSize);
        const answers = await askAsSession(
          session,
          (opened) => {
            const _this = requireManager(opened, 'authorizationManager');
            return vim.call(hasPrivilegeOnEntities, { _this, entity, sessionId: opened.key, privId }, options);
          },
          options,
        );
        for (const { entity: object, privAvailability } of answers) {
          const lacking = privAvailability.filter(({ isGranted }) => !isGranted).map(({ privId: id }) => id);
          if (lacking.length > 0) missing.set(morefKey(object), lacking);
        }
      }
      return missing;
    },
  };
};
