import { leaseNames, names } from '@vdo/config/names';
import { snapshotGroup as group } from '@vdo/kube/types/snapshots';
import { leaseRules, rule } from '../shared/rbac.ts';
import type { DriverRole } from './driver-role.ts';

const read = ['get', 'list', 'watch'] as const;

/** Permissions for binding snapshots to their contents, whichever program does it. */
export const snapshotControllerRoles = {
  controller: {
    name: 'vdo:snapshots-1:controller',
    rules: [
      rule('', ['persistentvolumes'], read),
      rule('', ['persistentvolumeclaims'], [...read, 'update', 'patch']),
      rule('', ['events'], ['list', 'watch', 'create', 'update', 'patch']),
      rule(group, ['volumesnapshotclasses'], read),
      rule(group, ['volumesnapshotcontents'], [...read, 'create', 'update', 'patch', 'delete']),
      rule(group, ['volumesnapshotcontents/status'], ['patch']),
      rule(group, ['volumesnapshots'], [...read, 'create', 'update', 'patch', 'delete']),
      rule(group, ['volumesnapshots/status'], ['update', 'patch']),
    ],
  },
  leases: {
    name: 'vdo:snapshots-1:leases',
    namespaces: [names.systemNamespace],
    rules: leaseRules([leaseNames.snapshotController]),
  },
} as const satisfies Record<string, DriverRole>;

export type SecurityContextConstraints = 'privileged' | 'hostnetwork-v2';

const useScc = (name: string, scc: SecurityContextConstraints) => ({
  name,
  rules: [rule('security.openshift.io', ['securitycontextconstraints'], ['use'], [scc])],
});

/** On OpenShift, lets the pods of an account run under the named constraints, only in their own namespace. */
export const sccRoles: Readonly<Record<SecurityContextConstraints, DriverRole>> = {
  privileged: {
    ...useScc('vdo:openshift-1:scc-privileged', 'privileged'),
    namespaces: [names.namespace, names.upstreamCsiNamespace],
    accounts: [names.csiNode],
  },
  'hostnetwork-v2': {
    ...useScc('vdo:openshift-1:scc-hostnetwork', 'hostnetwork-v2'),
    namespaces: [names.namespace, names.systemNamespace],
    accounts: [names.cpi, names.cloudControllerManager],
  },
};
