import { names } from '@vdo/config/names';
import { type Check, fail, pass, skipped, unknown, type Verdict } from '../check.ts';
import type { RegistrationFacts } from '../facts/kube-facts.ts';
import { valueIn } from '../facts/reading.ts';
import type { ClusterFacts, NodeFacts } from '../facts.ts';
import { nodeObject } from '../node-object.ts';
import { driversObject, notRead } from '../not-read.ts';
import { storageNamespace } from '../storage-namespace.ts';
import { storageLabelsOf } from '../topology/categories.ts';

const registerAfterMs = 5 * 60_000;
const snapshotterCrds = 'https://github.com/kubernetes-csi/external-snapshotter/client/config/crd';

const isInstalled = ({ releases }: ClusterFacts): boolean =>
  releases.drivers.some(({ kind, installed }) => kind === 'CSI' && installed);

const restartPod = (namespace: string, node: string): string =>
  `kubectl -n ${namespace} delete pod -l app=vsphere-csi-node --field-selector spec.nodeName=${node}`;

/** Nodes on which the storage driver should run, with its registration there. */
const perNode =
  (judge: (facts: NodeFacts, entry: RegistrationFacts | undefined, cluster: ClusterFacts) => Verdict): Check['judge'] =>
  (cluster) => {
    if (!cluster.spec.csi) return [skipped(driversObject, 'spec.csi is not set')];
    if (!isInstalled(cluster)) return [skipped(driversObject, 'the storage driver is not installed yet')];
    const registrations = valueIn(cluster.kube.registrations);
    if (!registrations)
      return [notRead(driversObject, cluster.kube.registrations, 'the CSINodes', 'the log of the operator')];
    return cluster.nodes.map((facts) => {
      const { name } = nodeObject(facts);
      if ((facts.node.status?.nodeInfo?.operatingSystem ?? 'linux') !== 'linux')
        return skipped(nodeObject(facts), 'the storage driver runs on Linux nodes');
      return judge(facts, registrations.get(name), cluster);
    });
  };

const judgeRegistered = (facts: NodeFacts, entry: RegistrationFacts | undefined, cluster: ClusterFacts): Verdict => {
  const { nowMs, spec } = cluster;
  const object = nodeObject(facts);
  if (entry) return pass(object, `it is registered as ${entry.nodeID}`);
  const created = Date.parse(facts.node.metadata.creationTimestamp ?? '');
  if (nowMs - created < registerAfterMs) return pass(object, 'the node is new');
  const namespace = storageNamespace(cluster);
  return fail(object, {
    reason: 'NotRegistered',
    message: `the storage driver is not registered with the kubelet of the node (CSINode ${object.name} does not list ${names.csiDriver})`,
    remedy: `If the kubelet's folder is not ${spec.advanced.kubeletPath}, set spec.advanced.kubeletPath. These commands show the driver pod on the node and recreate it, so that it registers again:`,
    commands: [
      `kubectl -n ${namespace} get pods -l app=vsphere-csi-node --field-selector spec.nodeName=${object.name}`,
      restartPod(namespace, object.name),
    ],
  });
};

const judgeKeys = (facts: NodeFacts, entry: RegistrationFacts | undefined, cluster: ClusterFacts): Verdict => {
  const { spec } = cluster;
  const object = nodeObject(facts);
  const wanted = storageLabelsOf(spec);
  if (wanted.length === 0) return skipped(object, 'spec.topology is not set');
  if (!entry) return unknown(object, 'the storage driver is not registered on the node', 'csi/node-registered');
  const missing = wanted.filter((key) => !entry.topologyKeys.includes(key));
  if (missing.length === 0) return pass(object, `it is registered with ${wanted.join(', ')}`);
  return fail(object, {
    reason: 'TopologyKeysMissing',
    message: `the storage driver registered without the topology keys ${missing.join(', ')}: pods with zonal volumes are not scheduled on the node`,
    remedy: 'Once topology/labels-match passes, recreate the driver pod on the node, so that it registers again:',
    commands: [restartPod(storageNamespace(cluster), object.name)],
  });
};

const judgeCrds = (cluster: ClusterFacts): readonly Verdict[] => {
  const { spec, kube } = cluster;
  if (!spec.csi?.snapshots) return [skipped(driversObject, 'spec.csi.snapshots is not set')];
  if (spec.csi.snapshots.install && !isInstalled(cluster))
    return [skipped(driversObject, 'the operator installs them with the storage driver')];
  const crds = valueIn(kube.snapshotCrds);
  if (!crds) return [notRead(driversObject, kube.snapshotCrds, 'the CRDs', 'the log of the operator')];
  return crds.map(({ name, exists, servesV1 }) => {
    const object = { kind: 'CustomResourceDefinition', name };
    if (exists && servesV1) return pass(object, 'it serves snapshot.storage.k8s.io/v1');
    return fail(object, {
      reason: exists ? 'SnapshotCrdTooOld' : 'SnapshotCrdMissing',
      message: exists
        ? `${name} does not serve v1, which the storage driver uses`
        : `${name} does not exist, although spec.csi.snapshots is set`,
      remedy: `Let the operator install the snapshot CRDs, or install those of the external-snapshotter project: kubectl apply -k "${snapshotterCrds}?ref=v8.3.0".`,
      commands: [
        `kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"csi":{"snapshots":{"install":true}}}}'`,
      ],
    });
  });
};

export const csiChecks: readonly Check[] = [
  {
    id: 'csi/node-registered',
    title: 'The storage driver is registered with the kubelet of each node.',
    meaning: 'Pods with volumes are not scheduled on the node.',
    remedy: 'Check the driver pod on the node. If the kubelet uses another folder, set `spec.advanced.kubeletPath`.',
    action: 'BlockUpgrade',
    judge: perNode(judgeRegistered),
  },
  {
    id: 'csi/snapshot-crds',
    title: 'The snapshot CRDs are installed if spec.csi.snapshots is set.',
    meaning: 'VolumeSnapshots cannot be created.',
    remedy: 'Set `spec.csi.snapshots.install` to true, or install the CRDs of the external-snapshotter project.',
    action: 'BlockUpgrade',
    judge: judgeCrds,
  },
  {
    id: 'csi/topology-keys',
    title: 'The storage driver has registered each node with the topology keys.',
    meaning: 'The scheduler does not know the zone of the node, and schedules no pods with zonal volumes on it.',
    remedy: 'Correct the topology labels of the node (see `topology/labels-match`), then restart the driver pod on it.',
    action: 'BlockUpgrade',
    judge: perNode(judgeKeys),
  },
];
