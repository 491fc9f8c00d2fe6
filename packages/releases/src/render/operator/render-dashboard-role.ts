import { apiGroups, labelKeys, names } from '@vdo/config/names';
import type { KubeObject } from '@vdo/kube/types/object';
import { clusterRole, rule } from '../shared/rbac.ts';

/**
 * What the operator needs to serve the dashboard (--dashboard): events, snapshots and pods of all namespaces, which show which
 * pods use a volume. Readers need `get` on the nonResourceURLs /dashboard/ and below.
 */
export const renderDashboardRole = (): readonly KubeObject[] => {
  const labels = { 'app.kubernetes.io/name': names.operator, [labelKeys.partOf]: 'vdo' };
  const subject = { namespace: names.namespace, serviceAccount: names.operator, labels };
  return clusterRole(`${names.operator}:dashboard`, subject, [
    rule('', ['events', 'pods'], ['list', 'watch']),
    rule('snapshot.storage.k8s.io', ['volumesnapshots'], ['list', 'watch']),
    rule(apiGroups.vdo, ['volumeintents'], ['list', 'watch']),
  ]);
};
