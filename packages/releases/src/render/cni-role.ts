import type { PolicyRule } from '@vdo/kube/types/cluster';
import type { KubeObject } from '@vdo/kube/types/object';
import { names } from './names.ts';
import { clusterRole, rule } from './rbac.ts';

const write = ['get', 'list', 'create', 'patch', 'delete'] as const;
const rbacGroup = 'rbac.authorization.k8s.io';

/**
 * What a pod network consists of. Whoever may write any ClusterRole may do everything: that is why this is shipped apart
 * and bound only where spec.cni.manifest is used.
 */
export const cniRules: readonly PolicyRule[] = [
  rule('', ['namespaces', 'serviceaccounts', 'configmaps', 'secrets', 'services'], write),
  rule('apps', ['daemonsets', 'deployments'], write),
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], write),
  rule('apiregistration.k8s.io', ['apiservices'], write),
  rule('admissionregistration.k8s.io', ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'], write),
  rule(rbacGroup, ['clusterroles', 'roles'], [...write, 'escalate', 'bind']),
  rule(rbacGroup, ['clusterrolebindings', 'rolebindings'], write),
  rule('networking.k8s.io', ['networkpolicies'], write),
  rule('policy', ['poddisruptionbudgets'], write),
  rule('scheduling.k8s.io', ['priorityclasses'], write),
  rule('crd.antrea.io', ['tiers', 'ippools', 'externalippools', 'clusternetworkpolicies'], write),
  rule(
    'crd.projectcalico.org',
    ['ippools', 'felixconfigurations', 'bgpconfigurations', 'kubecontrollersconfigurations'],
    write,
  ),
  rule('operator.tigera.io', ['installations', 'apiservers'], write),
  rule('cilium.io', ['ciliumloadbalancerippools', 'ciliumnetworkpolicies', 'ciliumclusterwidenetworkpolicies'], write),
];

/** The ClusterRole that lets the operator keep a pod network, and its binding. */
export const renderCniRole = (): readonly KubeObject[] =>
  clusterRole(
    `${names.operator}:cni`,
    {
      namespace: names.namespace,
      serviceAccount: names.operator,
      labels: { 'app.kubernetes.io/name': names.operator, 'app.kubernetes.io/part-of': 'vdo' },
    },
    cniRules,
  );
