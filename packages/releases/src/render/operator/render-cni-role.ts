import { labelKeys, names } from '@vdo/config/names';
import type { PolicyRule } from '@vdo/kube/types/cluster';
import type { KubeObject } from '@vdo/kube/types/object';
import { clusterRole, rule } from '../shared/rbac.ts';

const own = ['get', 'create', 'patch', 'delete'] as const;

/** The kinds that manifests of pod networks are made of. Their names and namespaces are not known before. */
const cniRules: readonly PolicyRule[] = [
  rule('', ['namespaces', 'serviceaccounts', 'configmaps', 'secrets', 'services'], own),
  rule('apps', ['daemonsets', 'deployments', 'statefulsets'], own),
  rule('batch', ['jobs', 'cronjobs'], own),
  // CRDs are never removed: their objects would be deleted with them.
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], ['get', 'create', 'patch']),
  rule('apiregistration.k8s.io', ['apiservices'], own),
  rule(
    'admissionregistration.k8s.io',
    [
      'mutatingwebhookconfigurations',
      'validatingwebhookconfigurations',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
    ],
    own,
  ),
  rule('rbac.authorization.k8s.io', ['clusterroles', 'roles'], [...own, 'bind', 'escalate']),
  rule('rbac.authorization.k8s.io', ['clusterrolebindings', 'rolebindings'], own),
  rule('networking.k8s.io', ['networkpolicies'], own),
  rule('policy', ['poddisruptionbudgets'], own),
  rule('scheduling.k8s.io', ['priorityclasses'], own),
  rule('operator.tigera.io', ['installations', 'apiservers', 'goldmanes', 'whiskers'], own),
  rule(
    'crd.projectcalico.org',
    ['bgpconfigurations', 'felixconfigurations', 'ippools', 'kubecontrollersconfigurations'],
    own,
  ),
  rule('crd.antrea.io', ['clusternetworkpolicies', 'externalippools', 'ippools', 'tiers'], own),
  rule('cilium.io', ['ciliumloadbalancerippools', 'ciliumnetworkpolicies', 'ciliumclusterwidenetworkpolicies'], own),
];

/**
 * The right to manage a pod network, for those who set spec.cni.manifest. Whoever may write such a manifest then has the
 * rights that it gives itself, up to those of an administrator: that is why the operator has not got it by default.
 */
export const renderCniRole = (): readonly KubeObject[] => {
  const labels = { 'app.kubernetes.io/name': names.operator, [labelKeys.partOf]: 'vdo' };
  const subject = { namespace: names.namespace, serviceAccount: names.operator, labels };
  return clusterRole(`${names.operator}:cni`, subject, cniRules);
};
