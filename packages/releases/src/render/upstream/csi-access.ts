import { apiGroups, names } from '@vdo/config/names';
import type { PolicyRule } from '@vdo/kube/types/cluster';
import type { KubeObject } from '@vdo/kube/types/object';
import { snapshotGroup } from '@vdo/kube/types/snapshots';
import { driverLabels } from '../shared/labels.ts';
import { useScc } from '../shared/protection.ts';
import { clusterRole, role, rule, serviceAccount } from '../shared/rbac.ts';
import type { RenderContext } from '../shared/render-context.ts';
import { upstreamObjects } from './objects.ts';

const read = ['get', 'list', 'watch'] as const;
const cns = apiGroups.cns;
const snapshots = snapshotGroup;

/** What driver, syncer and sidecars do in the whole cluster. Leases and new ConfigMaps are in their namespace only. */
const upstreamCsiControllerRules: readonly PolicyRule[] = [
  rule('', ['nodes', 'pods', 'configmaps'], read),
  rule('', ['persistentvolumeclaims'], [...read, 'update', 'patch']),
  rule('', ['persistentvolumeclaims/status'], ['update', 'patch']),
  rule('', ['persistentvolumes'], [...read, 'create', 'update', 'patch', 'delete']),
  rule('', ['events'], [...read, 'create', 'update', 'patch']),
  rule('storage.k8s.io', ['storageclasses', 'csinodes'], read),
  rule('storage.k8s.io', ['volumeattachments'], [...read, 'patch']),
  rule('storage.k8s.io', ['volumeattachments/status'], ['patch']),
  rule(cns, ['triggercsifullsyncs'], [...read, 'create', 'update']),
  rule(cns, ['cnsvspherevolumemigrations'], [...read, 'create', 'update', 'delete']),
  rule(cns, ['cnsvolumeinfoes'], [...read, 'create', 'delete']),
  rule(cns, ['cnsvolumeoperationrequests'], ['get', 'list', 'create', 'update', 'delete']),
  rule(cns, ['csinodetopologies'], [...read, 'update']),
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], ['get', 'create', 'update']),
  rule(snapshots, ['volumesnapshots'], ['get', 'list']),
  rule(snapshots, ['volumesnapshotclasses'], read),
  rule(snapshots, ['volumesnapshotcontents'], [...read, 'create', 'update', 'patch', 'delete']),
  rule(snapshots, ['volumesnapshotcontents/status'], ['update', 'patch']),
];

const nodeRules: readonly PolicyRule[] = [
  rule(cns, ['csinodetopologies'], ['get', 'watch', 'create', 'patch']),
  rule('', ['nodes'], ['get']),
];

const inOwnNamespace: readonly PolicyRule[] = [
  rule('', ['configmaps'], ['create']),
  rule('coordination.k8s.io', ['leases'], [...read, 'create', 'update', 'delete']),
];

/** Names of roles that upstream has not: what its ClusterRole allows everywhere is needed in the namespace only. */
export const upstreamCsiLocalRole = `${names.csiController}:local`;

/** Accounts and rights of the upstream storage driver. */
export const upstreamCsiAccess = (context: RenderContext): readonly KubeObject[] => {
  const { namespace, openShift } = context;
  const labels = driverLabels(context.release);
  const controller = { namespace, serviceAccount: names.csiController, labels };
  const node = { namespace, serviceAccount: names.csiNode, labels };
  const { csiControllerRole, csiControllerBinding, csiNodeRole, csiNodeBinding } = upstreamObjects;
  const nodeLocal = {
    name: upstreamObjects.csiNodeLocalRole,
    namespace,
    rules: [rule('', ['configmaps'], read)],
    binding: upstreamObjects.csiNodeLocalBinding,
  };
  return [
    serviceAccount(controller),
    ...clusterRole(csiControllerRole, controller, upstreamCsiControllerRules, csiControllerBinding),
    ...role({ name: upstreamCsiLocalRole, namespace, rules: inOwnNamespace }, controller),
    serviceAccount(node),
    ...clusterRole(csiNodeRole, node, nodeRules, csiNodeBinding),
    ...role(nodeLocal, node),
    ...useScc(node, 'privileged', openShift),
  ];
};
