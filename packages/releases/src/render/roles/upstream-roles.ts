import { apiGroups, leaseNames, names } from '@vdo/config/names';
import { snapshotGroup } from '@vdo/kube/types/snapshots';
import { leaseRules, rule } from '../shared/rbac.ts';
import type { DriverRole } from './driver-role.ts';

const read = ['get', 'list', 'watch'] as const;
const cns = apiGroups.cns;
const snapshots = snapshotGroup;
const system = [names.systemNamespace];
const storage = [names.upstreamCsiNamespace];

/** For the upstream cloud controller manager. Its own manifests allow in all namespaces what it needs in one. */
export const upstreamCpiRoles = {
  controller: {
    name: 'vdo:upstream-cpi-1:controller',
    rules: [
      rule('', ['events'], ['create', 'update', 'patch']),
      rule('', ['nodes'], [...read, 'update', 'patch', 'delete']),
      rule('', ['nodes/status'], ['patch']),
      rule('', ['services'], ['list', 'watch', 'update', 'patch']),
      rule('', ['services/status'], ['patch']),
    ],
  },
  leases: { name: 'vdo:upstream-cpi-1:leases', namespaces: system, rules: leaseRules([leaseNames.cpi]) },
  secrets: { name: 'vdo:upstream-cpi-1:secrets', namespaces: system, rules: [rule('', ['secrets'], read)] },
  /** Before 1.32, the program lists the Secrets of all namespaces to find its own, and does not start without this permission. */
  allSecrets: { name: 'vdo:upstream-cpi-1:all-secrets', optional: true, rules: [rule('', ['secrets'], read)] },
} as const satisfies Record<string, DriverRole>;

/** For the upstream storage driver. Leases and new ConfigMaps only in its namespace. */
export const upstreamCsiRoles = {
  controller: {
    name: 'vdo:upstream-csi-1:controller',
    rules: [
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
    ],
  },
  local: {
    name: 'vdo:upstream-csi-1:local',
    namespaces: storage,
    rules: [
      rule('', ['configmaps'], ['create']),
      rule('coordination.k8s.io', ['leases'], [...read, 'create', 'update', 'delete']),
    ],
  },
  node: {
    name: 'vdo:upstream-csi-1:node',
    rules: [rule(cns, ['csinodetopologies'], ['get', 'watch', 'create', 'patch']), rule('', ['nodes'], ['get'])],
  },
  nodeLocal: {
    name: 'vdo:upstream-csi-1:node-local',
    namespaces: storage,
    rules: [rule('', ['configmaps'], read)],
  },
} as const satisfies Record<string, DriverRole>;
