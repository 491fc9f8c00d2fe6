import type { CsiSpec } from '@vdo/config/api/csi-spec';
import { apiGroups, leaseNames, names } from '@vdo/config/names';
import type { PolicyRule } from '@vdo/kube/types/cluster';
import type { KubeObject } from '@vdo/kube/types/object';
import { snapshotGroup } from '@vdo/kube/types/snapshots';
import type { CsiDriver } from '@vdo/kube/types/storage';
import { driverLabels } from '../shared/labels.ts';
import { reviewRules } from '../shared/metrics-serving.ts';
import { privilegedNamespace } from '../shared/namespaces.ts';
import { disruptionBudget, ingressPolicy, useScc } from '../shared/protection.ts';
import {
  clusterRole,
  leaseRules,
  loginGuardRules,
  readSecretRule,
  role,
  rule,
  serviceAccount,
} from '../shared/rbac.ts';
import type { RenderContext } from '../shared/render-context.ts';
import { csiControllerDeployment, csiControllerPorts } from './csi-controller.ts';
import { csiNodeDaemonSet } from './csi-node.ts';

const read = ['get', 'list', 'watch'] as const;
const snapshots = snapshotGroup;
const cns = apiGroups.cns;

/** What the controller's loops do in the cluster. */
const controllerRules = (spec: CsiSpec, context: RenderContext): readonly PolicyRule[] => [
  rule('', ['nodes', 'pods'], read),
  // Tags become labels of nodes, by which volumes are placed.
  ...(context.topologyLabels.length > 0 ? [rule('', ['nodes'], ['patch'])] : []),
  rule('', ['persistentvolumeclaims'], [...read, 'patch']),
  rule('', ['persistentvolumes'], [...read, 'create', 'patch', 'delete']),
  rule('', ['events'], ['create', 'patch']),
  // Its UID is the id of the cluster.
  rule('', ['namespaces'], ['get'], [names.systemNamespace]),
  rule('', ['persistentvolumeclaims/status'], ['patch']),
  rule('storage.k8s.io', ['storageclasses', 'csinodes'], read),
  rule('storage.k8s.io', ['volumeattributesclasses'], ['get']),
  rule('storage.k8s.io', ['csidrivers'], ['get'], [names.csiDriver]),
  rule('storage.k8s.io', ['volumeattachments'], [...read, 'patch']),
  rule('storage.k8s.io', ['volumeattachments/status'], ['patch']),
  rule(snapshots, ['volumesnapshots', 'volumesnapshotclasses'], read),
  rule(snapshots, ['volumesnapshotcontents'], [...read, 'patch']),
  rule(snapshots, ['volumesnapshotcontents/status'], ['patch']),
  ...(spec.inTreeMigration
    ? [rule(cns, ['cnsvspherevolumemigrations'], ['get', 'list', 'create', 'patch', 'delete'])]
    : []),
  ...(spec.sidecars === 'Upstream' ? sidecarRules : []),
  ...reviewRules,
];

/** What the upstream sidecars do beyond that, in the same pod and under the same account. */
const sidecarRules: readonly PolicyRule[] = [
  rule('', ['persistentvolumeclaims', 'persistentvolumeclaims/status', 'persistentvolumes'], ['update']),
  rule('', ['events'], [...read, 'update']),
  rule('storage.k8s.io', ['volumeattributesclasses'], ['list', 'watch']),
  rule(snapshots, ['volumesnapshotcontents'], ['update', 'delete']),
  rule(snapshots, ['volumesnapshotcontents/status'], ['update']),
];

/** What the controller keeps in its namespace: volumes being created, the id of the cluster, reports, and what the scheduler is told. */
const stateRules: readonly PolicyRule[] = [
  rule(apiGroups.vdo, ['volumeintents'], ['get', 'list', 'create', 'patch', 'delete']),
  rule('', ['configmaps'], ['create']),
  rule('', ['configmaps'], ['get'], [names.csiClusterId]),
  rule('', ['configmaps'], [...read, 'patch'], [names.csiSyncReport]),
  rule('storage.k8s.io', ['csistoragecapacities'], [...read, 'create', 'patch', 'delete']),
  rule('apps', ['deployments'], ['get'], [names.csiController]),
];

/** One per loop: the snapshot controller and the cloud controller manager hold their own. */
const { provisioner, attacher, resizer, snapshotter, syncer } = leaseNames;

/** Where the Go driver ran: the Leases of its loops, and what it left unfinished. */
const lastDriverRules: readonly PolicyRule[] = [
  ...leaseRules([provisioner, attacher, resizer, snapshotter, syncer]),
  rule(cns, ['cnsvolumeoperationrequests'], ['list']),
];

const driver = (context: RenderContext): CsiDriver => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  metadata: { name: names.csiDriver, labels: driverLabels(context.release) },
  spec: { attachRequired: true, podInfoOnMount: false, fsGroupPolicy: 'ReadWriteOnceWithFSType' },
});

const controllerAccess = (spec: CsiSpec, context: RenderContext): readonly KubeObject[] => {
  const { namespace } = context;
  const name = names.csiController;
  const subject = { namespace, serviceAccount: name, labels: driverLabels(context.release) };
  const leases = { name: `${name}:leases`, namespace: names.upstreamCsiNamespace, rules: lastDriverRules };
  const secret = {
    name: `${name}:credentials`,
    namespace,
    rules: [readSecretRule(context.reads.secret), ...loginGuardRules(names.loginGuard)],
  };
  const state = { name: `${name}:state`, namespace, rules: stateRules };
  return [
    serviceAccount(subject),
    ...clusterRole(name, subject, controllerRules(spec, context)),
    ...role(leases, subject),
    ...role(secret, subject),
    ...role(state, subject),
  ];
};

const nodeAccess = (context: RenderContext): readonly KubeObject[] => {
  const labels = driverLabels(context.release);
  const subject = { namespace: context.namespace, serviceAccount: names.csiNode, labels };
  return [
    serviceAccount(subject),
    ...clusterRole(names.csiNode, subject, [rule('', ['nodes'], ['get'])]),
    ...useScc(subject, 'privileged', context.openShift),
  ];
};

/** Everything of the native storage driver, in the order in which it is applied: controller before nodes. */
export const renderNativeCsi = (spec: CsiSpec, context: RenderContext): readonly KubeObject[] => {
  const { namespace, release } = context;
  const selector = { app: names.csiController };
  const pods = { name: names.csiController, namespace, labels: driverLabels(release), selector };
  return [
    // The Leases of the upstream sidecars live there, and while distributions are switched, pods of the upstream driver.
    privilegedNamespace(names.upstreamCsiNamespace),
    ...controllerAccess(spec, context),
    ...nodeAccess(context),
    driver(context),
    ingressPolicy(pods, csiControllerPorts(spec)),
    ...disruptionBudget(pods, context.replicas),
    csiControllerDeployment(spec, context),
    csiNodeDaemonSet(spec, context),
  ];
};
