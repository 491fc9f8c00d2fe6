import { array, boolean, defineMethod, int, optional, ref, string } from '../schema.ts';
import {
  SsoAdminServiceContent,
  SsoCriteria,
  SsoGroup,
  SsoGroupcheckServiceContent,
  SsoGroupDetails,
  SsoPersonDetails,
  SsoPersonUser,
  SsoPrincipalId,
  SsoSolutionDetails,
  SsoSolutionUser,
  SsoUser,
} from '../types/sso.ts';

/** Namespace of the single sign-on administration at `/sso-adminserver`. */
export const ssoNamespace = 'urn:sso';

export const ssoAdminServiceInstance = defineMethod('SsoAdminServiceInstance', {
  namespace: ssoNamespace,
  request: { _this: ref },
  response: SsoAdminServiceContent,
});

export const ssoGroupcheckServiceInstance = defineMethod('SsoGroupcheckServiceInstance', {
  namespace: ssoNamespace,
  request: { _this: ref },
  response: SsoGroupcheckServiceContent,
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
  request: { _this: ref, criteria: SsoCriteria, limit: int },
  response: array(SsoPersonUser),
});

export const findPersonUser = defineMethod('FindPersonUser', {
  namespace: ssoNamespace,
  request: { _this: ref, userId: SsoPrincipalId },
  response: optional(SsoPersonUser),
});

export const findSolutionUser = defineMethod('FindSolutionUser', {
  namespace: ssoNamespace,
  request: { _this: ref, userName: string },
  response: optional(SsoSolutionUser),
});

export const findSolutionUsers = defineMethod('FindSolutionUsers', {
  namespace: ssoNamespace,
  request: { _this: ref, searchString: string, limit: int },
  response: array(SsoSolutionUser),
});

export const createLocalSolutionUser = defineMethod('CreateLocalSolutionUser', {
  namespace: ssoNamespace,
  request: { _this: ref, userName: string, userDetails: SsoSolutionDetails },
});

export const updateLocalSolutionUserDetails = defineMethod('UpdateLocalSolutionUserDetails', {
  namespace: ssoNamespace,
  request: { _this: ref, userName: string, userDetails: SsoSolutionDetails },
});

export const findUser = defineMethod('FindUser', {
  namespace: ssoNamespace,
  request: { _this: ref, userId: SsoPrincipalId },
  response: optional(SsoUser),
});

export const findGroups = defineMethod('FindGroups', {
  namespace: ssoNamespace,
  request: { _this: ref, criteria: SsoCriteria, limit: int },
  response: array(SsoGroup),
});

export const findGroup = defineMethod('FindGroup', {
  namespace: ssoNamespace,
  request: { _this: ref, groupId: SsoPrincipalId },
  response: optional(SsoGroup),
});

export const findUsersInGroup = defineMethod('FindUsersInGroup', {
  namespace: ssoNamespace,
  request: { _this: ref, groupId: SsoPrincipalId, searchString: string, limit: int },
  response: array(SsoUser),
});

export const findAllParentGroups = defineMethod('FindAllParentGroups', {
  namespace: ssoNamespace,
  request: { _this: ref, userId: SsoPrincipalId },
  response: array(SsoPrincipalId),
});

export const createLocalPersonUser = defineMethod('CreateLocalPersonUser', {
  namespace: ssoNamespace,
  request: { _this: ref, userName: string, userDetails: SsoPersonDetails, password: string },
});

export const updateLocalPersonUserDetails = defineMethod('UpdateLocalPersonUserDetails', {
  namespace: ssoNamespace,
  request: { _this: ref, userName: string, userDetails: SsoPersonDetails },
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
  request: { _this: ref, groupName: string, groupDetails: SsoGroupDetails },
});

export const addUsersToLocalGroup = defineMethod('AddUsersToLocalGroup', {
  namespace: ssoNamespace,
  request: { _this: ref, userIds: array(SsoPrincipalId), groupName: string },
  response: array(boolean),
});

export const removePrincipalsFromLocalGroup = defineMethod('RemovePrincipalsFromLocalGroup', {
  namespace: ssoNamespace,
  request: { _this: ref, principalsIds: array(SsoPrincipalId), groupName: string },
  response: array(boolean),
});
