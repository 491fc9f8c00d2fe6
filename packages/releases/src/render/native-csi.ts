import type { CsiSpec } from '@vdo/config/api/csi-spec';
import type { PolicyRule } from '@vdo/kube/types/cluster';
import type { Namespace } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { CsiDriver } from '@vdo/kube/types/storage';
import { driverLabels, managedLabels } from './labels.ts';
import { csiLeases, names } from './names.ts';
import { csiControllerDeployment } from './native-csi-controller.ts';
import { csiNodeDaemonSet } from './native-csi-node.ts';
import { clusterRole, leaseRules, loginGuardRules, readSecretRule, role, rule, serviceAccount } from './rbac.ts';
import type { RenderContext } from './render-context.ts';

/** What the controller's loops do in the cluster. */
export const csiControllerRules: readonly PolicyRule[] = [
  rule('', ['nodes'], ['get', 'list', 'watch']),
  rule('', ['persistentvolumeclaims'], ['get', 'list', 'watch', 'patch']),
  rule('', ['persistentvolumes'], ['get', 'list', 'watch', 'create', 'patch', 'delete']),
  rule('', ['events'], ['create', 'patch']),
  rule('', ['persistentvolumeclaims/status'], ['patch']),
  rule('storage.k8s.io', ['storageclasses', 'csinodes'], ['get', 'list', 'watch']),
  rule('storage.k8s.io', ['volumeattachments'], ['get', 'list', 'watch', 'patch']),
  rule('storage.k8s.io', ['volumeattachments/status'], ['patch']),
  rule('snapshot.storage.k8s.io', ['volumesnapshots', 'volumesnapshotcontents'], ['get']),
];

/** What the controller remembers in its namespace: volumes being created, and the id of the cluster. */
const stateRules: readonly PolicyRule[] = [
  rule('vdo.vmware.com', ['volumeintents'], ['get', 'list', 'create', 'patch', 'delete']),
  rule('', ['configmaps'], ['create']),
  rule('', ['configmaps'], ['get'], [names.csiClusterId]),
];

const driver = (context: RenderContext): CsiDriver => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  metadata: { name: names.csiDriver, labels: driverLabels(context.release) },
  spec: { attachRequired: true, podInfoOnMount: false, fsGroupPolicy: 'ReadWriteOnceWithFSType' },
});

/** The Leases of the upstream sidecars live in the namespace of the upstream driver, so it exists even without it. */
const leaseNamespace: Namespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: names.csiLeaseNamespace, labels: managedLabels },
};

const controllerAccess = (context: RenderContext): readonly KubeObject[] => {
  const { namespace } = context;
  const name = names.csiController;
  const subject = { namespace, serviceAccount: name, labels: driverLabels(context.release) };
  const leases = { name: `${name}:leases`, namespace: names.csiLeaseNamespace, rules: leaseRules(csiLeases) };
  const secret = {
    name: `${name}:credentials`,
    namespace,
    rules: [readSecretRule(names.credentialsSecret), ...loginGuardRules(names.loginGuard)],
  };
  const state = { name: `${name}:state`, namespace, rules: stateRules };
  return [
    serviceAccount(subject),
    ...clusterRole(name, subject, csiControllerRules),
    ...role(leases, subject),
    ...role(secret, subject),
    ...role(state, subject),
  ];
};

const nodeAccess = (context: RenderContext): readonly KubeObject[] => {
  const labels = driverLabels(context.release);
  const subject = { namespace: context.namespace, serviceAccount: names.csiNode, labels };
  return [serviceAccount(subject), ...clusterRole(names.csiNode, subject, [rule('', ['nodes'], ['get'])])];
};

/** Everything of the native storage driver, in the order in which it is applied: controller before nodes. */
export const renderNativeCsi = (spec: CsiSpec, context: RenderContext): readonly KubeObject[] => [
  leaseNamespace,
  ...controllerAccess(context),
  ...nodeAccess(context),
  driver(context),
  csiControllerDeployment(spec, context),
  csiNodeDaemonSet(context),
];
