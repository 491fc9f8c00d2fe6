import { names } from '@vdo/config/names';
import type { DatastoreHealth } from '@vdo/vsphere/health/health-reader';
import { morefKey } from '@vdo/vsphere/wire/moref';
import { quoted } from '../administrator.ts';
import { type Check, type CheckObject, fail, pass, skipped, type Verdict, warn } from '../check.ts';
import { valueIn } from '../facts/reading.ts';
import type { PlaceFacts, VCenterFacts } from '../facts/vcenter-facts.ts';
import type { ClusterFacts } from '../facts.ts';
import { driversObject, few, notRead } from '../not-read.ts';
import { vcenterObject } from '../vcenter/reachability.ts';
import { parameterOf } from './class-parameters.ts';
import { placesOf } from './segments.ts';
import type { SharedDatastores } from './shared-datastores.ts';

const minFree = 10;
/** Below this, writes to thin disks fail, and no volume of a usual size can be created. */
const fullBelow = 1;
const because = 'vcenter/answers, credentials/login and node/vm-found';
const datastoreObject = ({ name }: DatastoreHealth): CheckObject => ({ kind: 'Datastore', name });

/** Runs a judgement per vCenter whose datastores are known. */
const perVCenter =
  (judge: (facts: VCenterFacts, places: PlaceFacts, cluster: ClusterFacts) => readonly Verdict[]): Check['judge'] =>
  (cluster) => {
    if (!cluster.spec.csi) return [skipped(driversObject, 'spec.csi is not set')];
    return cluster.vcenters.flatMap((facts) => {
      const places = valueIn(facts.places);
      return places?.datastores
        ? judge(facts, places, cluster)
        : [notRead(vcenterObject(facts), facts.places, 'its datastores', because)];
    });
  };

const namedUrls = ({ kube }: ClusterFacts): ReadonlySet<string> =>
  new Set(
    (valueIn(kube.storageClasses) ?? [])
      .filter(({ provisioner }) => provisioner === names.csiDriver)
      .flatMap((one) => parameterOf(one, 'datastoreurl') ?? []),
  );

/** A datastore of a single host is ignored, unless it is the only host or a StorageClass names the datastore. */
const matters = (datastore: DatastoreHealth, { hosts }: PlaceFacts, urls: ReadonlySet<string>): boolean => {
  const key = morefKey(datastore.ref);
  const mounting = [...hosts.values()].filter(({ datastores }) => datastores.some((ref) => morefKey(ref) === key));
  return mounting.length > 1 || hosts.size === 1 || urls.has(datastore.url);
};

const judgeAccessible = (datastore: DatastoreHealth): Verdict => {
  const object = datastoreObject(datastore);
  if (!datastore.accessible)
    return fail(object, {
      reason: 'DatastoreInaccessible',
      message: `${datastore.type} datastore ${datastore.name} (${datastore.url}) is not accessible`,
      remedy:
        'Check the storage connection of the hosts that lost it: adapters, paths, the NFS server. To list the hosts:',
      commands: [`govc object.collect "$(govc find / -type s -name '${datastore.name}')" host`],
    });
  if (datastore.maintenance)
    return warn(object, {
      reason: 'DatastoreInMaintenance',
      message: `datastore ${datastore.name} is in maintenance mode, so that no volumes are created there`,
      remedy: 'Exit maintenance mode:',
      commands: [`govc datastore.maintenance.exit '${datastore.name}'`],
    });
  return pass(object, 'it is accessible');
};

const judgeShared = (facts: VCenterFacts, { segment, shared, missing }: SharedDatastores): Verdict => {
  const object = vcenterObject(facts);
  const whose = segment.name === '' ? 'all nodes' : `the nodes of ${segment.name}`;
  const usable = shared.filter(({ accessible, maintenance }) => accessible && !maintenance);
  if (usable.length > 0) return pass(object, `${whose} share ${few(usable.map(({ name }) => name))}`);
  const reported = [...missing].slice(0, 5).map(([name, hosts]) => `${name} is missing on ${few(hosts, 3)}`);
  const [candidate = 'DATASTORE', hosts = ['HOST']] = [...missing].sort(([, a], [, b]) => a.length - b.length)[0] ?? [];
  return fail(object, {
    reason: 'NoSharedDatastore',
    message: `no usable datastore is mounted by the hosts of ${whose}: ${reported.join('; ') || 'they mount none'}`,
    remedy: `Mount one on all of them: govc datastore.create -type nfs -name '${candidate}' -remote-host NAS -remote-path PATH ${hosts
      .slice(0, 5)
      .map((host) => `'${host}'`)
      .join(
        ' ',
      )} (for VMFS: present its LUN to these hosts, then rescan); or divide the nodes into zones with spec.topology, so that each zone has its own datastore.`,
  });
};

const judgeSpace = (datastore: DatastoreHealth): Verdict => {
  const object = datastoreObject(datastore);
  const { capacityBytes, freeBytes, name } = datastore;
  const percent = capacityBytes === 0n ? 100 : Number((freeBytes * 1000n) / capacityBytes) / 10;
  const gib = (bytes: bigint): string => `${bytes / 1024n ** 3n} GiB`;
  if (percent >= minFree) return pass(object, `${percent} % are free`);
  const problem = {
    message: `${gib(freeBytes)} of ${gib(capacityBytes)} (${percent} %) are free, expected at least ${minFree} %`,
    remedy: `Enlarge datastore ${name}, or move volumes and VMs to another one. To list the volumes on the datastore, and those without a PersistentVolume:`,
    commands: [`vdoctl volumes --datastore ${quoted(name)}`, 'vdoctl volumes --orphans'],
  };
  return percent < fullBelow
    ? fail(object, { reason: 'DatastoreFull', ...problem })
    : warn(object, { reason: 'DatastoreAlmostFull', ...problem });
};

const usedDatastores = (places: PlaceFacts, cluster: ClusterFacts): readonly DatastoreHealth[] => {
  const urls = namedUrls(cluster);
  return (places.datastores ?? []).filter((datastore) => matters(datastore, places, urls));
};

export const datastoreChecks: readonly Check[] = [
  {
    id: 'storage/datastore-accessible',
    title: 'The datastores of the nodes are accessible and not in maintenance mode.',
    meaning: 'Volumes on an inaccessible datastore cause I/O errors, and no new ones are created there.',
    remedy:
      '`govc object.collect PATH host` shows the hosts; `govc datastore.maintenance.exit NAME` exits maintenance mode.',
    action: 'BlockUpgrade',
    judge: perVCenter((_facts, places, cluster) => usedDatastores(places, cluster).map(judgeAccessible)),
  },
  {
    id: 'storage/datastore-shared',
    title: 'The hosts of all nodes, or of all nodes of a zone, share a datastore.',
    meaning:
      'A volume is on one datastore, and a pod may move to any node: without a shared datastore no volume can be created.',
    remedy: 'Mount a datastore on all hosts that run nodes, or divide the nodes into zones with `spec.topology`.',
    action: 'BlockUpgradeOrDegrade',
    judge: perVCenter((facts, _places, cluster) => {
      const judged = (placesOf(facts, cluster) ?? []).map((one) => judgeShared(facts, one));
      return judged.length > 0 ? judged : [skipped(vcenterObject(facts), 'it runs no nodes')];
    }),
  },
  {
    id: 'storage/free-space',
    title: 'The datastores of the nodes have at least 10 % free space.',
    meaning:
      'When a datastore is full, VMs stop and writes to volumes fail, first on thin-provisioned disks. Below 10 % the check warns, below 1 % it fails.',
    remedy:
      'Enlarge the datastore, or move volumes and VMs to another one. `vdoctl volumes --datastore NAME` lists the volumes on it.',
    action: 'BlockUpgrade',
    judge: perVCenter((_facts, places, cluster) =>
      usedDatastores(places, cluster)
        .filter(({ accessible }) => accessible)
        .map(judgeSpace),
    ),
  },
];
