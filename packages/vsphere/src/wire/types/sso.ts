import type { MoRef } from '../moref.ts';
import { boolean, defineType, optional, ref, string } from '../schema.ts';
import { InvalidLogin, NoPermission, NotAuthenticated } from './faults.ts';

/** The services of the single sign-on administration, in the order of its service content. */
export const ssoServices = [
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

type Service = (typeof ssoServices)[number];
type OptionalRef = ReturnType<typeof optional<MoRef>>;

/** Which services there are beyond the two for principals depends on the version. */
export const SsoAdminServiceContent = defineType('SsoAdminServiceContent', {
  sessionManager: ref,
  ...(Object.fromEntries(ssoServices.map((name) => [name, optional(ref)])) as Record<Service, OptionalRef>),
  principalDiscoveryService: ref,
  principalManagementService: ref,
});

export const SsoGroupcheckServiceContent = defineType('SsoGroupcheckServiceContent', {
  sessionManager: ref,
  groupCheckService: ref,
});

export const SsoPrincipalId = defineType('SsoPrincipalId', { name: string, domain: string });

export const SsoPersonDetails = defineType('SsoAdminPersonDetails', {
  description: optional(string),
  emailAddress: optional(string),
  firstName: optional(string),
  lastName: optional(string),
});

export const SsoPersonUser = defineType('SsoAdminPersonUser', {
  id: SsoPrincipalId,
  alias: optional(SsoPrincipalId),
  details: SsoPersonDetails,
  disabled: boolean,
  locked: boolean,
});

export const SsoSolutionDetails = defineType('SsoAdminSolutionDetails', {
  description: optional(string),
  /** Base64 of its DER form. */
  certificate: string,
});

export const SsoSolutionUser = defineType('SsoAdminSolutionUser', {
  id: SsoPrincipalId,
  alias: optional(SsoPrincipalId),
  details: SsoSolutionDetails,
  disabled: boolean,
});

export const SsoUser = defineType('SsoAdminUser', {
  id: SsoPrincipalId,
  alias: optional(SsoPrincipalId),
  kind: string,
  description: optional(string),
});

export const SsoGroupDetails = defineType('SsoAdminGroupDetails', { description: optional(string) });

export const SsoGroup = defineType('SsoAdminGroup', {
  id: SsoPrincipalId,
  alias: optional(SsoPrincipalId),
  details: SsoGroupDetails,
});

export const SsoCriteria = defineType('SsoAdminPrincipalDiscoveryServiceSearchCriteria', {
  searchString: string,
  domain: string,
});

/** Single sign-on has faults of its own beside those of vCenter. */
export const SsoFaultNotAuthenticated = defineType('SsoFaultNotAuthenticated', {}, { extends: NotAuthenticated });

export const SsoFaultNoPermission = defineType('SsoFaultNoPermission', {}, { extends: NoPermission });

export const SsoFaultInvalidCredentials = defineType('SsoFaultInvalidCredentials', {}, { extends: InvalidLogin });
