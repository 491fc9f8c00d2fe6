import { array, boolean, defineType, int, optional, ref, string } from '../schema.ts';
import { Description, ElementDescription } from './common.ts';

export const Permission = defineType('Permission', {
  entity: optional(ref),
  principal: string,
  group: boolean,
  roleId: int,
  propagate: boolean,
});

export const AuthorizationRole = defineType('AuthorizationRole', {
  roleId: int,
  system: boolean,
  name: string,
  info: Description,
  privilege: array(string),
});

export const AuthorizationPrivilege = defineType('AuthorizationPrivilege', {
  privId: string,
  onParent: boolean,
  name: string,
  privGroupName: string,
});

export const AuthorizationDescription = defineType('AuthorizationDescription', {
  privilege: array(ElementDescription),
  privilegeGroup: array(ElementDescription),
});

export const PrivilegePolicyDef = defineType('PrivilegePolicyDef', {
  createPrivilege: string,
  readPrivilege: string,
  updatePrivilege: string,
  deletePrivilege: string,
});

export const PrivilegeAvailability = defineType('PrivilegeAvailability', {
  privId: string,
  isGranted: boolean,
});

export const EntityPrivilege = defineType('EntityPrivilege', {
  entity: ref,
  privAvailability: array(PrivilegeAvailability),
});

export const UserPrivilegeResult = defineType('UserPrivilegeResult', {
  entity: ref,
  privileges: array(string),
});
