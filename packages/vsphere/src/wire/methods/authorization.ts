import { array, boolean, defineMethod, int, ref, string } from '../schema.ts';
import { EntityPrivilege, Permission, UserPrivilegeResult } from '../types/authorization.ts';

export const addAuthorizationRole = defineMethod('AddAuthorizationRole', {
  namespace: 'urn:vim25',
  request: { _this: ref, name: string, privIds: array(string) },
  response: int,
});

export const updateAuthorizationRole = defineMethod('UpdateAuthorizationRole', {
  namespace: 'urn:vim25',
  request: { _this: ref, roleId: int, newName: string, privIds: array(string) },
});

export const removeAuthorizationRole = defineMethod('RemoveAuthorizationRole', {
  namespace: 'urn:vim25',
  request: { _this: ref, roleId: int, failIfUsed: boolean },
});

export const setEntityPermissions = defineMethod('SetEntityPermissions', {
  namespace: 'urn:vim25',
  request: { _this: ref, entity: ref, permission: array(Permission) },
});

export const removeEntityPermission = defineMethod('RemoveEntityPermission', {
  namespace: 'urn:vim25',
  request: { _this: ref, entity: ref, user: string, isGroup: boolean },
});

export const retrieveAllPermissions = defineMethod('RetrieveAllPermissions', {
  namespace: 'urn:vim25',
  request: { _this: ref },
  response: array(Permission),
});

export const retrieveEntityPermissions = defineMethod('RetrieveEntityPermissions', {
  namespace: 'urn:vim25',
  request: { _this: ref, entity: ref, inherited: boolean },
  response: array(Permission),
});

export const retrieveRolePermissions = defineMethod('RetrieveRolePermissions', {
  namespace: 'urn:vim25',
  request: { _this: ref, roleId: int },
  response: array(Permission),
});

export const hasPrivilegeOnEntities = defineMethod('HasPrivilegeOnEntities', {
  namespace: 'urn:vim25',
  request: { _this: ref, entity: array(ref), sessionId: string, privId: array(string) },
  response: array(EntityPrivilege),
});

export const fetchUserPrivilegeOnEntities = defineMethod('FetchUserPrivilegeOnEntities', {
  namespace: 'urn:vim25',
  request: { _this: ref, entities: array(ref), userName: string },
  response: array(UserPrivilegeResult),
});
