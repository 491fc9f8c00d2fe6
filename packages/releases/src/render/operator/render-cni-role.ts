import { labelKeys, names } from '@vdo/config/names';
import type { PolicyRule } from '@vdo/kube/types/cluster';
import type { KubeObject } from '@vdo/kube/types/object';
import { clusterRole, rule } from '../shared/rbac.ts';

const own = ['get', 'create', 'patch', 'delete'] as const;

/** The kinds in manifests of pod networks. Their names and namespaces are not known in advance. */
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
 * The permission to manage a pod network, for users who set spec.cni.manifest. Anyone who can write such a manifest then has the
 * permissions that it grants itself, up to those of an administrator: therefore the operator does not have it by default.
 */
export const renderCniRole = (): readonly KubeObject[] => {
  const labels = { 'app.kubernetes.io/name': names.operator, [labelKeys.partOf]: 'vdo' };
  const subject = { namespace: names.namespace, serviceAccount: names.operator, labels };
  return clusterRole(`${names.operator}:cni`, subject, cniRules);
};
