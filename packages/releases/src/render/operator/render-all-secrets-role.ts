import { labelKeys, names } from '@vdo/config/names';
import type { KubeObject } from '@vdo/kube/types/object';
import { roleObject } from '../roles/driver-role.ts';
import { upstreamCpiRoles } from '../roles/upstream-roles.ts';
import { clusterRole } from '../shared/rbac.ts';
import { operatorGrants } from './operator-grants.ts';

/**
 * For upstream cloud controller managers before 1.32, which read the Secrets of all namespaces. The operator could bind the role to
 * itself if no admission policy forbids it: therefore the role is not installed by default.
 */
export const renderAllSecretsRole = (): readonly KubeObject[] => {
  const labels = { 'app.kubernetes.io/name': names.operator, [labelKeys.partOf]: 'vdo' };
  const subject = { namespace: names.namespace, serviceAccount: names.operator, labels };
  const { allSecrets } = upstreamCpiRoles;
  return [
    roleObject(allSecrets),
    ...clusterRole(`${names.operator}:all-secrets`, subject, operatorGrants([allSecrets]).cluster),
  ];
};
