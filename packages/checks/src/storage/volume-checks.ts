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
    if (!cluster.spec.csi) return [skipped(driversObject, 'spec.csi is absent')];
    const { clusterId } = cluster.kube;
    if (clusterId && 'error' in clusterId) return [notRead(driversObject, clusterId, 'the id of the cluster', '')];
    if (idOf(cluster) === undefined) return [skipped(driversObject, 'no volume has been made yet')];
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
        remedy: `See its datastore (storage/datastore-accessible) and, on vSAN, its objects: in the vSphere Client, Monitor, vSAN, Virtual Objects. This shows the volume:`,
        commands: [`govc volume.ls -l ${volume.id}`],
      };
      const object = { kind: 'PersistentVolume', name };
      return volume.status === 'red' ? fail(object, problem) : warn(object, problem);
    }),
    rest,
  ];
};

const judgeOrphans = (facts: VCenterFacts, volumes: VolumeFacts, { kube }: ClusterFacts): readonly Verdict[] => {
  const object = vcenterObject(facts);
  const { strangers } = volumes;
  if (!strangers) return [notRead(object, kube.persistentVolumes, 'the PersistentVolumes', 'the log of the operator')];
  if (strangers.count === 0) return [pass(object, 'every volume of this cluster is a PersistentVolume')];
  const { count, capacityMb, first } = strangers;
  return [
    warn(object, {
      reason: 'OrphanVolumes',
      message: `${count} volumes (${capacityMb / 1024n} GiB) of this cluster are no PersistentVolume: ${first
        .map(({ id, name }) => `${id} (${name})`)
        .join(', ')}${count > first.length ? ` and ${count - first.length} more` : ''}`,
      remedy:
        'They are left alone. Make sure that nobody needs them and that no other cluster has this id (storage/cluster-id-unique) before an administrator deletes them in vCenter. This shows where they are:',
      commands: [`govc volume.ls -l ${first.map(({ id }) => id).join(' ')}`],
    }),
  ];
};

/** An id stays as long as the resource: the way to another one is a new resource. Volumes stay attached and mounted all the while. */
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
        remedy: 'Set it back to the id under which the volumes are registered:',
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
        message: `another cluster acts under the id ${id}: ${sign}. Nothing is deleted or detached meanwhile`,
        remedy: `Stop the storage driver of the copy, and wait for 15 minutes; see docs/guides/disaster-recovery.md. Or give the newer of the two clusters an id of its own, in that cluster: ${unique}.`,
      }),
    ];
  const { total, strangers } = volumes;
  if (!strangers) return [notRead(object, kube.persistentVolumes, 'the PersistentVolumes', 'the log of the operator')];
  const foreign = strangers.count;
  if (foreign >= 3 && foreign > total - foreign)
    return [
      fail(object, {
        reason: 'ClusterIdShared',
        message: `${foreign} of the ${total} volumes under the id ${id} are unknown to this cluster: another cluster has the same id`,
        remedy: `Give the newer of the two clusters an id of its own, in that cluster: ${unique}. Its driver registers its volumes again under it.`,
      }),
    ];
  if (cluster.vcenters.some(({ spec: { server } }) => server.toLowerCase() === id.toLowerCase()))
    return [
      warn(object, {
        reason: 'ClusterIdIsServer',
        message: `the id ${id} is the name of the vCenter, as upstream VDO gave it to every cluster of that vCenter`,
        remedy: `Nothing, if this is the only cluster of that vCenter. Else give every further one an id of its own: ${unique}`,
      }),
    ];
  return [pass(object, `no other cluster uses the id ${id}`)];
};

export const volumeChecks: readonly Check[] = [
  {
    id: 'storage/volume-health',
    title: 'All volumes are accessible and healthy.',
    meaning:
      'The storage under a volume is broken or reduced; pods that use it see I/O errors, or will after the next failure.',
    remedy: 'See the datastore of the volume, and on vSAN its objects: Monitor, vSAN, Virtual Objects.',
    action: 'BlockUpgrade',
    readsVolumes: true,
    judge: perVCenter(judgeHealth),
  },
  {
    id: 'storage/orphan-volumes',
    title: 'Every volume of this cluster is a PersistentVolume.',
    meaning: 'A volume that nothing refers to takes space. It is reported and never deleted.',
    remedy:
      'Find out whether this cluster or another one needs the volume; `govc volume.ls -l ID` shows where it is. Nothing deletes it by itself.',
    action: 'None',
    readsVolumes: true,
    judge: perVCenter(judgeOrphans),
  },
  {
    id: 'storage/cluster-id-unique',
    title: 'The id under which volumes are registered belongs to this cluster alone, and does not change.',
    meaning: 'Clusters with the same id take the volumes of each other for orphans.',
    remedy:
      'Make the resource of the newer cluster anew, with an id of its own in `spec.csi.clusterId`; volumes stay attached and mounted all the while.',
    action: 'BlockUpgrade',
    readsVolumes: true,
    judge: perVCenter(judgeClusterId),
  },
];
