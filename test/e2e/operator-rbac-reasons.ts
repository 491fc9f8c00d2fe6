import { names } from '@vdo/config/names';
import type { Right } from './operator-rbac.ts';

export interface UnusedRight {
  readonly reason: string;
  readonly matches: (account: string, right: Right, all: readonly Right[]) => boolean;
}

const isOneOf = (text: string | undefined, ...choices: readonly string[]): boolean => choices.includes(text ?? '');
const listsAll = ({ group, resource, namespace }: Right, all: readonly Right[]): boolean =>
  all.some(
    (one) =>
      one.verb === 'list' &&
      one.name === undefined &&
      one.group === group &&
      one.resource === resource &&
      (one.namespace === undefined || one.namespace === namespace),
  );

/** Rights that the thread does not use, and why they are there all the same. */
export const unusedRights: readonly UnusedRight[] = [
  {
    reason: 'asked when somebody reads the metrics, which the thread does not',
    matches: (_account, { resource }) => isOneOf(resource, 'tokenreviews', 'subjectaccessreviews'),
  },
  {
    reason: 'whoever may list all objects of a kind may read and follow each: no power is added',
    matches: (_account, right, all) => isOneOf(right.verb, 'get', 'watch') && listsAll(right, all),
  },
  {
    reason: 'the upstream drivers live in these namespaces; the thread installs the native ones',
    matches: (account, { namespace, verb }) =>
      account === 'vdo-operator' && isOneOf(namespace, 'kube-system', 'vmware-system-csi') && verb !== '*',
  },
  {
    reason:
      'roles of the upstream drivers, of OpenShift, of the snapshot controller and of settings that the thread does not use',
    matches: (account, { name = '' }) =>
      account === 'vdo-operator' &&
      /^vdo:(upstream|openshift|snapshots|native-\d:metrics-reviews:snapshot|.*:(in-tree-migration|sidecars|own-credentials)$)/.test(
        name,
      ),
  },
  {
    reason: 'what the operator of v0.1.0 wrote, and upstream manifests, is taken away: test/e2e/way-back.real.test.ts',
    matches: (account, { group, name, verb }) =>
      account === 'vdo-operator' &&
      group === 'rbac.authorization.k8s.io' &&
      name !== undefined &&
      !name.startsWith('vdo:') &&
      isOneOf(verb, 'get', 'delete'),
  },
  {
    reason: 'made with two replicas and more, and by settings that the thread does not use',
    matches: (account, { resource }) =>
      account === 'vdo-operator' && isOneOf(resource, 'poddisruptionbudgets', 'networkpolicies'),
  },
  {
    reason:
      'StorageClasses and snapshots of the spec, which the thread does not ask for; claims are listed before a class is pruned',
    matches: (account, { resource, name = '' }) =>
      account === 'vdo-operator' &&
      (isOneOf(resource, 'storageclasses', 'volumesnapshotclasses', 'persistentvolumeclaims') || /snapshot/.test(name)),
  },
  {
    reason:
      'images are tried out before a switch of the distribution, and accounts per driver copied: the thread has neither',
    matches: (account, { name }) =>
      account === 'vdo-operator' &&
      isOneOf(name, 'vdo-image-probe', 'vsphere-credentials-cpi', 'vsphere-credentials-csi'),
  },
  {
    reason: 'the manifest of the operator brings its namespaces; after their deletion they are made anew',
    matches: (account, { resource }) => account === 'vdo-operator' && resource === 'namespaces',
  },
  {
    reason: 'only OpenShift has it',
    matches: (account, { group }) => account === 'vdo-operator' && group === 'operator.openshift.io',
  },
  {
    reason: 'a full sync is requested by a kind of the Go driver where its CRD exists; the thread has none',
    matches: (account, { resource, verb }) =>
      account === names.csiController &&
      isOneOf(resource, 'triggercsifullsyncs', 'triggercsifullsyncs/status') &&
      isOneOf(verb, 'list', 'patch'),
  },
  {
    reason: 'an event that happens again is counted up; it depends on the time whether one does',
    matches: (_account, { resource, verb }) => resource === 'events' && verb === 'patch',
  },
  {
    reason: 'a node is read again after a conflict, and deleted with its VM: the thread does neither',
    matches: (account, { resource, verb }) =>
      account === 'vsphere-cloud-controller-manager' && resource === 'nodes' && isOneOf(verb, 'get', 'delete'),
  },
  {
    reason: 'rejected logins are remembered: in the thread the operator meets them first and makes the ConfigMap',
    matches: (_account, { resource }) => resource === 'configmaps',
  },
  {
    reason: 'no pod uses a volume in the thread; test/e2e/storage-path.real.test.ts attaches, grows and snapshots them',
    matches: (account, { resource, group, name = '' }) =>
      account === 'vsphere-csi-controller' &&
      (/^(volumeattachments|persistentvolumeclaims\/status|csistoragecapacities|volumeattributesclasses|nodes)/.test(
        resource,
      ) ||
        group === 'snapshot.storage.k8s.io' ||
        (resource === 'deployments' && name === account) ||
        name === 'external-snapshotter-leader-csi-vsphere-vmware-com'),
  },
  {
    reason: 'the health of a volume is noted on its claim at each sync; test/e2e/lifecycle.real.test.ts waits for one',
    matches: (account, { resource, verb }) =>
      account === 'vsphere-csi-controller' && resource === 'persistentvolumeclaims' && verb === 'patch',
  },
];
