import { createRegistry } from '@vdo/vsphere/wire/registry';
import { array, boolean, defineMethod, defineType, int, optional, ref, string } from '@vdo/vsphere/wire/schema';
import * as common from '@vdo/vsphere/wire/types/common';
import * as faults from '@vdo/vsphere/wire/types/faults';

/** Namespace of the single sign-on administration at `/sso-adminserver`. */
export const ssoNamespace = 'urn:sso';

const services = [
  'configurationManagementService',
  'smtpManagementService',
  'principalDiscoveryService',
  'principalManagementService',
  'roleManagementService',
  'passwordPolicyService',
  'lockoutPolicyService',
  'domainManagementService',
  'identitySourceManagementService',
  'systemManagementService',
  'computerManagementService',
  'ssoHealthManagementService',
  'deploymentInformationService',
  'replicationService',
] as const;

type Service = (typeof services)[number];

/** Where each service lives, in the order of the service content. */
export const ssoServices = services;

const AdminServiceContent = defineType('SsoAdminServiceContent', {
  sessionManager: ref,
  ...(Object.fromEntries(services.map((name) => [name, ref])) as Record<Service, typeof ref>),
});

const GroupcheckServiceContent = defineType('SsoGroupcheckServiceContent', {
  sessionManager: ref,
  groupCheckService: ref,
});

const PrincipalId = defineType('SsoPrincipalId', { name: string, domain: string });

const PersonDetails = defineType('SsoAdminPersonDetails', {
  description: optional(string),
  emailAddress: optional(string),
  firstName: optional(string),
  lastName: optional(string),
});

const PersonUser = defineType('SsoAdminPersonUser', {
  id: PrincipalId,
  alias: optional(PrincipalId),
  details: PersonDetails,
  disabled: boolean,
  locked: boolean,
});

const User = defineType('SsoAdminUser', {
  id: PrincipalId,
  alias: optional(PrincipalId),
  kind: string,
  description: optional(string),
});

const GroupDetails = defineType('SsoAdminGroupDetails', { description: optional(string) });

const Group = defineType('SsoAdminGroup', { id: PrincipalId, alias: optional(PrincipalId), details: GroupDetails });

const Criteria = defineType('SsoAdminPrincipalDiscoveryServiceSearchCriteria', {
  searchString: string,
  domain: string,
});

export const ssoTypes = createRegistry([
  common,
  faults,
  {
    AdminServiceContent,
    GroupcheckServiceContent,
    PrincipalId,
    PersonDetails,
    PersonUser,
    User,
    GroupDetails,
    Group,
    Criteria,
  },
]);

export const ssoAdminServiceInstance = defineMethod('SsoAdminServiceInstance', {
  namespace: ssoNamespace,
  request: { _this: ref },
  response: AdminServiceContent,
});

export const ssoGroupcheckServiceInstance = defineMethod('SsoGroupcheckServiceInstance', {
  namespace: ssoNamespace,
  request: { _this: ref },
  response: GroupcheckServiceContent,
});

export const ssoLogin = defineMethod('Login', {
  namespace: ssoNamespace,
  request: { _this: ref },
});

export const ssoLogout = defineMethod('Logout', {
  namespace: ssoNamespace,
  request: { _this: ref },
});

export const findPersonUsers = defineMethod('FindPersonUsers', {
  namespace: ssoNamespace,
  request: { _this: ref, criteria: Criteria, limit: int },
  response: array(PersonUser),
});

export const findPersonUser = defineMethod('FindPersonUser', {
  namespace: ssoNamespace,
  request: { _this: ref, userId: PrincipalId },
  response: optional(PersonUser),
});

export const findUser = defineMethod('FindUser', {
  namespace: ssoNamespace,
  request: { _this: ref, userId: PrincipalId },
  response: optional(User),
});

export const findGroups = defineMethod('FindGroups', {
  namespace: ssoNamespace,
  request: { _this: ref, criteria: Criteria, limit: int },
  response: array(Group),
});

export const findGroup = defineMethod('FindGroup', {
  namespace: ssoNamespace,
  request: { _this: ref, groupId: PrincipalId },
  response: optional(Group),
});

export const findUsersInGroup = defineMethod('FindUsersInGroup', {
  namespace: ssoNamespace,
  request: { _this: ref, groupId: PrincipalId, searchString: string, limit: int },
  response: array(User),
});

export const findAllParentGroups = defineMethod('FindAllParentGroups', {
  namespace: ssoNamespace,
  request: { _this: ref, userId: PrincipalId },
  response: array(PrincipalId),
});

export const createLocalPersonUser = defineMethod('CreateLocalPersonUser', {
  namespace: ssoNamespace,
  request: { _this: ref, userName: string, userDetails: PersonDetails, password: string },
});

export const updateLocalPersonUserDetails = defineMethod('UpdateLocalPersonUserDetails', {
  namespace: ssoNamespace,
  request: { _this: ref, userName: string, userDetails: PersonDetails },
});

export const resetLocalPersonUserPassword = defineMethod('ResetLocalPersonUserPassword', {
  namespace: ssoNamespace,
  request: { _this: ref, userName: string, newPassword: string },
});

export const deleteLocalPrincipal = defineMethod('DeleteLocalPrincipal', {
  namespace: ssoNamespace,
  request: { _this: ref, principalName: string },
});

export const createLocalGroup = defineMethod('CreateLocalGroup', {
  namespace: ssoNamespace,
  request: { _this: ref, groupName: string, groupDetails: GroupDetails },
});

export const addUsersToLocalGroup = defineMethod('AddUsersToLocalGroup', {
  namespace: ssoNamespace,
  request: { _this: ref, userIds: array(PrincipalId), groupName: string },
  response: array(boolean),
});

export const removePrincipalsFromLocalGroup = defineMethod('RemovePrincipalsFromLocalGroup', {
  namespace: ssoNamespace,
  request: { _this: ref, principalsIds: array(PrincipalId), groupName: string },
  response: array(boolean),
});
