import { names } from '@vdo/config/names';
import { type Check, fail, pass, skipped, type Verdict, warn } from '../check.ts';
import { valueIn } from '../facts/reading.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import type { VolumeFacts } from '../facts/volume-facts.ts';
import type { ClusterFacts } from '../facts.ts';
import { driversObject, notRead } from '../not-read.ts';
import { vcenterObject } from '../vcenter/reachability.ts';

const because = 'vcenter/answers, credentials/login and privileges/root';

const idOf = ({ spec, kube }: ClusterFacts): string | undefined => spec.csi?.clusterId ?? valueIn(kube.clusterId);

/** Runs a judgement per vCenter whose volumes are known. */
const perVCenter =
  (judge: (facts: VCenterFacts, volumes: VolumeFacts, cluster: ClusterFacts) => readonly Verdict[]): Check['judge'] =>
  (cluster) => {
    if (!cluster.spec.csi) return [skipped(driversObject, 'spec.csi is not set')];
    const { clusterId } = cluster.kube;
    if (clusterId && 'error' in clusterId) return [notRead(driversObject, clusterId, 'the cluster ID', '')];
    if (idOf(cluster) === undefined) return [skipped(driversObject, 'no volume has been created yet')];
    return cluster.vcenters.flatMap((facts) => {
      const volumes = valueIn(facts.volumes);
      return volumes
        ? judge(facts, volumes, cluster)
        : [notRead(vcenterObject(facts), facts.volumes, 'its volumes', because)];
    });
  };

const judgeHealth = (facts: VCenterFacts, volumes: VolumeFacts, { kube }: ClusterFacts): readonly Verdict[] => {
  const { total, unhealthy } = volumes;
  const rest = pass(vcenterObject(facts), `${total - unhealthy.length} of ${total} volumes are healthy`);
  const handles = valueIn(kube.persistentVolumes)?.handles;
  return [
    ...unhealthy.map((volume) => {
      const name = handles?.get(volume.handle) ?? volume.name;
      const problem = {
        reason: volume.status === 'red' ? 'VolumeInaccessible' : 'VolumeDegraded',
        message: `volume ${volume.id} on ${volume.datastoreUrl} is ${volume.status === 'red' ? 'not accessible' : 'degraded'}`,
        remedy: `See its datastore (storage/datastore-accessible) and, on vSAN, its objects: in the vSphere Client, Monitor, vSAN, Virtual Objects. To see the volume:`,
        commands: [`govc volume.ls -l ${volume.id}`],
      };
      const object = { kind: 'PersistentVolume', name };
      return volume.status === 'red' ? fail(object, problem) : warn(object, problem);
    }),
    rest,
  ];
};

const judgeCompliance = (facts: VCenterFacts, volumes: VolumeFacts, { kube }: ClusterFacts): readonly Verdict[] => {
  const object = vcenterObject(facts);
  const { total, nonCompliant } = volumes;
  if (!nonCompliant) return [pass(object, `no volume of ${total} is known to violate its storage policy`)];
  const handles = valueIn(kube.persistentVolumes)?.handles;
  const named = nonCompliant.first.map(({ handle, name }) => handles?.get(handle) ?? name);
  const more = nonCompliant.count - named.length;
  return [
    warn(object, {
      reason: 'VolumeNonCompliant',
      message: `${nonCompliant.count} of ${total} volumes do not satisfy their storage policy: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
      remedy:
        'Repair the datastore, or apply the policy again (in the vSphere Client: Monitor, Cloud Native Storage, Container Volumes), or move the volumes to a datastore that satisfies it: vdoctl volumes move NAME --to DATASTORE. To list the volumes:',
      commands: ['vdoctl volumes'],
    }),
  ];
};

const judgeOrphans = (facts: VCenterFacts, volumes: VolumeFacts, { kube }: ClusterFacts): readonly Verdict[] => {
  const object = vcenterObject(facts);
  const { orphans } = volumes;
  if (!orphans) return [notRead(object, kube.persistentVolumes, 'the PersistentVolumes', 'the log of the operator')];
  if (orphans.count === 0) return [pass(object, 'every volume of this cluster has a PersistentVolume')];
  const { count, capacityMb, first } = orphans;
  return [
    warn(object, {
      reason: 'OrphanVolumes',
      message: `${count} volumes (${capacityMb / 1024n} GiB) of this cluster have no PersistentVolume: ${first
        .map(({ id, name }) => `${id} (${name})`)
        .join(', ')}${count > first.length ? ` and ${count - first.length} more` : ''}`,
      remedy:
        'VDO does not delete them. Before an administrator deletes them in vCenter, make sure that they are not needed and that no other cluster has the same cluster ID (storage/cluster-id-unique). To see where they are:',
      commands: [`govc volume.ls -l ${first.map(({ id }) => id).join(' ')}`],
    }),
  ];
};

/** The cluster ID cannot be changed in an existing resource: to change it, recreate the resource. Volumes stay attached and mounted meanwhile. */
const unique = [
  'kubectl get vspheredrivers cluster -o yaml > drivers.yaml',
  `kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"deletionPolicy":"Orphan"}}'`,
  'kubectl delete vspheredrivers cluster',
  ...[names.namespace, names.upstreamCsiNamespace].map(
    (place) => `kubectl -n ${place} delete configmap ${names.csiClusterId} --ignore-not-found`,
  ),
  'set spec.csi.clusterId in the file',
  'kubectl apply -f drivers.yaml',
].join('; ');

const judgeClusterId = (facts: VCenterFacts, volumes: VolumeFacts, cluster: ClusterFacts): readonly Verdict[] => {
  const object = vcenterObject(facts);
  const { kube, spec } = cluster;
  const recorded = valueIn(kube.clusterId);
  const id = idOf(cluster) ?? '';
  if (spec.csi?.clusterId !== undefined && recorded !== undefined && recorded !== spec.csi.clusterId)
    return [
      fail(object, {
        reason: 'ClusterIdChanged',
        message: `spec.csi.clusterId is ${spec.csi.clusterId}, but the volumes of this cluster are registered under ${recorded}`,
        remedy: 'Set it back to the cluster ID under which the volumes are registered:',
        commands: [
          `kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"csi":{"clusterId":"${recorded}"}}}'`,
        ],
      }),
    ];
  const sign = valueIn(kube.clusterIdSharedBy);
  if (sign !== undefined)
    return [
      fail(object, {
        reason: 'ClusterIdShared',
        message: `another cluster uses the same cluster ID ${id}: ${sign}. VDO deletes and detaches nothing meanwhile`,
        remedy: `Stop the storage driver of the copy, and wait for 15 minutes; see docs/guides/disaster-recovery.md. To keep both, divide the volumes as described there, then give the newer of the two clusters its own cluster ID, in that cluster: ${unique}.`,
      }),
    ];
  const { total, orphans } = volumes;
  if (!orphans) return [notRead(object, kube.persistentVolumes, 'the PersistentVolumes', 'the log of the operator')];
  const foreign = orphans.count;
  if (foreign >= 3 && foreign > total - foreign)
    return [
      fail(object, {
        reason: 'ClusterIdShared',
        message: `${foreign} of the ${total} volumes with the cluster ID ${id} are unknown to this cluster: another cluster has the same cluster ID`,
        remedy: `Give the newer of the two clusters its own cluster ID, in that cluster: ${unique}. Its driver then registers its volumes again.`,
      }),
    ];
  if (cluster.vcenters.some(({ spec: { server } }) => server.toLowerCase() === id.toLowerCase()))
    return [
      warn(object, {
        reason: 'ClusterIdIsServer',
        message: `the cluster ID ${id} is the name of the vCenter; upstream VDO used it for every cluster of that vCenter`,
        remedy: `No action is needed if this is the only cluster of that vCenter. Otherwise give every other cluster its own cluster ID: ${unique}`,
      }),
    ];
  return [pass(object, `no other cluster uses the cluster ID ${id}`)];
};

export const volumeChecks: readonly Check[] = [
  {
    id: 'storage/volume-health',
    title: 'All volumes are accessible and healthy.',
    meaning:
      'The storage of a volume has failed or lost redundancy; pods that use it get I/O errors now or after the next failure.',
    remedy: 'Check the datastore of the volume, and on vSAN its objects: Monitor, vSAN, Virtual Objects.',
    action: 'BlockUpgrade',
    readsVolumes: true,
    judge: perVCenter(judgeHealth),
  },
  {
    id: 'storage/volume-compliance',
    title: 'The disk of every volume satisfies its storage policy.',
    meaning: 'A volume lacks what its policy promises, such as copies or encryption.',
    remedy:
      'Repair the datastore, apply the policy again in the vSphere Client, or move the volume: `vdoctl volumes move NAME --to DATASTORE`.',
    action: 'None',
    readsVolumes: true,
    judge: perVCenter(judgeCompliance),
  },
  {
    id: 'storage/orphan-volumes',
    title: 'Every volume of this cluster has a PersistentVolume.',
    meaning: 'A volume without a PersistentVolume uses space on its datastore.',
    remedy:
      'Find out whether this or another cluster needs the volume; `govc volume.ls -l ID` shows where it is. VDO never deletes it automatically. To delete it: `vdoctl volumes cleanup --id ID`.',
    action: 'None',
    readsVolumes: true,
    judge: perVCenter(judgeOrphans),
  },
  {
    id: 'storage/cluster-id-unique',
    title: 'The cluster ID of the volumes is unique to this cluster and does not change.',
    meaning: 'Two clusters with the same cluster ID treat the volumes of each other as orphans.',
    remedy:
      'Follow the steps in docs/guides/disaster-recovery.md (two clusters under one ID): stop the storage driver of one cluster, or divide the volumes and give one cluster its own ID.',
    action: 'BlockUpgrade',
    readsVolumes: true,
    judge: perVCenter(judgeClusterId),
  },
];
