import { apiGroups, leaseNames, names } from '@vdo/config/names';
import { snapshotGroup } from '@vdo/kube/types/snapshots';
import { reviewRules } from '../shared/metrics-serving.ts';
import { leaseRules, loginGuardRules, readSecretRule, rule } from '../shared/rbac.ts';
import type { DriverRole } from './driver-role.ts';

const read = ['get', 'list', 'watch'] as const;
const cns = apiGroups.cns;
const home = [names.namespace];
const readSecret = (name: string, secret: string): DriverRole => ({
  name,
  namespaces: home,
  rules: [readSecretRule(secret), ...loginGuardRules(names.loginGuard)],
});

/** For programs that serve their metrics to authorized callers. */
export const metricsReviews: DriverRole = {
  name: 'vdo:native-2:metrics-reviews',
  accounts: [names.cpi, names.csiController, names.snapshotController],
  rules: reviewRules,
};

/** For the cloud controller manager. */
export const nativeCpiRoles = {
  controller: {
    name: 'vdo:native-cpi-1:controller',
    rules: [
      rule('', ['nodes'], ['get', 'list', 'watch', 'patch', 'delete']),
      rule('', ['nodes/status'], ['patch']),
      rule('', ['events'], ['create', 'patch']),
    ],
  },
  leases: {
    name: 'vdo:native-cpi-1:leases',
    namespaces: [names.systemNamespace],
    rules: leaseRules([leaseNames.cpi]),
  },
  credentials: readSecret('vdo:native-cpi-1:credentials', names.credentialsSecret),
  /** With a separate account, it does not read that of the storage driver. */
  ownCredentials: readSecret('vdo:native-cpi-1:own-credentials', names.cpiCredentials),
} as const satisfies Record<string, DriverRole>;

/** One per loop: the snapshot controller and the cloud controller manager hold their own. */
const { provisioner, attacher, resizer, snapshotter, syncer } = leaseNames;

/** For the storage driver. */
export const nativeCsiRoles = {
  controller: {
    name: 'vdo:native-csi-1:controller',
    rules: [
      rule('', ['nodes', 'pods'], read),
      rule('', ['persistentvolumeclaims'], [...read, 'patch']),
      rule('', ['persistentvolumes'], [...read, 'create', 'patch', 'delete']),
      rule('', ['events'], ['create', 'patch']),
      // Its UID is the ID of the cluster.
      rule('', ['namespaces'], ['get'], [names.systemNamespace]),
      rule('', ['persistentvolumeclaims/status'], ['patch']),
      rule('storage.k8s.io', ['storageclasses', 'csinodes'], read),
      rule('storage.k8s.io', ['volumeattributesclasses'], ['get']),
      rule('storage.k8s.io', ['csidrivers'], ['get'], [names.csiDriver]),
      rule('storage.k8s.io', ['volumeattachments'], [...read, 'patch']),
      rule('storage.k8s.io', ['volumeattachments/status'], ['patch']),
      rule(snapshotGroup, ['volumesnapshots', 'volumesnapshotclasses'], read),
      rule(snapshotGroup, ['volumesnapshotcontents'], [...read, 'patch']),
      rule(snapshotGroup, ['volumesnapshotcontents/status'], ['patch']),
      // Requests for full syncs, as the Go driver takes them.
      rule(cns, ['triggercsifullsyncs'], read),
      rule(cns, ['triggercsifullsyncs/status'], ['patch']),
    ],
  },
  /** Tags become node labels, by which volumes are placed. */
  topology: { name: 'vdo:native-csi-1:topology', rules: [rule('', ['nodes'], ['patch'])] },
  inTreeMigration: {
    name: 'vdo:native-csi-1:in-tree-migration',
    rules: [rule(cns, ['cnsvspherevolumemigrations'], ['get', 'list', 'create', 'patch', 'delete'])],
  },
  /** What the upstream sidecars do in addition, in the same pod and with the same account. */
  sidecars: {
    name: 'vdo:native-csi-1:sidecars',
    rules: [
      rule('', ['persistentvolumeclaims', 'persistentvolumeclaims/status', 'persistentvolumes'], ['update']),
      rule('', ['events'], [...read, 'update']),
      rule('storage.k8s.io', ['volumeattributesclasses'], ['list', 'watch']),
      rule(snapshotGroup, ['volumesnapshotcontents'], ['update', 'delete']),
      rule(snapshotGroup, ['volumesnapshotcontents/status'], ['update']),
    ],
  },
  /** In the namespace of the Go driver: the Leases of its loops, and its unfinished work. */
  leases: {
    name: 'vdo:native-csi-1:leases',
    namespaces: [names.upstreamCsiNamespace],
    rules: [
      ...leaseRules([provisioner, attacher, resizer, snapshotter, syncer]),
      rule(cns, ['cnsvolumeoperationrequests'], ['list']),
    ],
  },
  credentials: readSecret('vdo:native-csi-1:credentials', names.credentialsSecret),
  ownCredentials: readSecret('vdo:native-csi-1:own-credentials', names.csiCredentials),
  /** The controller's records: volumes being created, the cluster ID, reports, and capacities for the scheduler. */
  state: {
    name: 'vdo:native-csi-1:state',
    namespaces: home,
    rules: [
      rule(apiGroups.vdo, ['volumeintents'], ['get', 'list', 'create', 'patch', 'delete']),
      rule('', ['configmaps'], ['create']),
      rule('', ['configmaps'], ['get'], [names.csiClusterId]),
      rule('', ['configmaps'], [...read, 'patch'], [names.csiSyncReport]),
      rule('storage.k8s.io', ['csistoragecapacities'], [...read, 'create', 'patch', 'delete']),
      rule('apps', ['deployments'], ['get'], [names.csiController]),
    ],
  },
  node: { name: 'vdo:native-csi-1:node', rules: [rule('', ['nodes'], ['get'])] },
} as const satisfies Record<string, DriverRole>;
