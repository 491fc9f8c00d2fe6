import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { names } from '@vdo/config/names';
import type { Event, Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@vdo/kube/types/core';
import type { VolumeSnapshot } from '@vdo/kube/types/snapshots';
import type { StorageClass, VolumeAttachment } from '@vdo/kube/types/storage';
import type { DatastoreFact, DiskFact, Inventory } from '../inventory.ts';
import type { SampleRow } from '../rows/time-rows.ts';
import type { DashboardFacts } from '../source/build-model.ts';
import type { NodePlace } from '../source/places-note.ts';

/** The time of every page that tests draw. */
export const nowMs = Date.parse('2026-03-01T12:00:00Z');
export const ago = (minutes: number): string => new Date(nowMs - minutes * 60_000).toISOString();
const gib = 1024 ** 3;
const uuid = (kind: number, index: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(index).padStart(12, '0')}`;

export interface Size {
  readonly nodes: number;
  readonly volumes: number;
  /** Text that is part of every name which users choose. */
  readonly flavour?: string;
}

const vcenter = 'vc1.example.com';
const workloads = ['shop-db', 'queue', 'search', 'metrics', 'registry', 'mail'];
const namespaces = ['shop', 'platform', 'analytics'];
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

const object = (kind: string, name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, uid: uuid(name.length, name.length), ...more },
});

export const nodeOf = (index: number, flavour = ''): Node =>
  ({
    ...object('Node', `worker-${index}${flavour}`, {
      uid: uuid(1, index),
      labels: { 'topology.kubernetes.io/zone': `zone-${'abc'[index % 3]}`, 'topology.kubernetes.io/region': 'east' },
    }),
    spec: { providerID: `vsphere://${uuid(2, index)}` },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: `10.0.${Math.floor(index / 250)}.${(index % 250) + 1}` }],
      nodeInfo: { kubeletVersion: 'v1.34.4' },
    },
  }) as unknown as Node;

const placeOf = (index: number, flavour = ''): NodePlace => ({
  node: `worker-${index}${flavour}`,
  vcenter,
  datacenter: 'Frankfurt',
  cluster: `compute-${'abc'[index % 3]}${flavour}`,
  host: `esx-${String((Math.floor(index / 9) * 3 + (index % 3)) % 600).padStart(2, '0')}.example.com${flavour}`,
});

const claimName = (index: number, flavour = ''): string => `${at(workloads, index)}-data-${index}${flavour}`;

/** One claim was restored from a snapshot of the first, and one is a clone of that. */
const copied = (index: number, flavour: string): object => {
  if (index === 6) return { dataSource: { kind: 'VolumeSnapshot', name: `nightly-1${flavour}` } };
  return index === 18 ? { dataSource: { kind: 'PersistentVolumeClaim', name: claimName(6, flavour) } } : {};
};

export const claimOf = (index: number, flavour = ''): PersistentVolumeClaim =>
  ({
    ...object('PersistentVolumeClaim', claimName(index, flavour), {
      namespace: at(namespaces, index),
      uid: uuid(3, index),
      creationTimestamp: ago(60 * 24 * 3 + index),
    }),
    spec: {
      storageClassName: at(['fast', 'bulk'], index),
      volumeName: `pvc-${uuid(3, index)}`,
      resources: { requests: { storage: '20Gi' } },
      ...copied(index, flavour),
    },
    status: { phase: 'Bound' },
  }) as unknown as PersistentVolumeClaim;

export const volumeOf = (index: number, flavour = ''): PersistentVolume =>
  ({
    ...object('PersistentVolume', `pvc-${uuid(3, index)}`, {
      uid: uuid(4, index),
      creationTimestamp: ago(60 * 24 * 3 + index),
    }),
    spec: {
      capacity: { storage: '20Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: at(['fast', 'bulk'], index),
      volumeMode: 'Filesystem',
      claimRef: { namespace: at(namespaces, index), name: claimName(index, flavour), uid: uuid(3, index) },
      csi: { driver: names.csiDriver, volumeHandle: uuid(5, index) },
    },
    status: { phase: 'Bound' },
  }) as unknown as PersistentVolume;

const podOf = (index: number, { nodes, flavour = '' }: Size): Pod =>
  ({
    ...object('Pod', `${at(workloads, index)}-${index}${flavour}`, {
      namespace: at(namespaces, index),
      uid: uuid(6, index),
    }),
    spec: {
      containers: [],
      nodeName: `worker-${index % nodes}${flavour}`,
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claimName(index, flavour) } }],
    },
    status: { phase: 'Running' },
  }) as unknown as Pod;

const attachmentOf = (index: number, { nodes, flavour = '' }: Size): VolumeAttachment =>
  ({
    ...object('VolumeAttachment', `csi-${index}`, { creationTimestamp: ago(60 * 24) }),
    spec: {
      attacher: names.csiDriver,
      nodeName: `worker-${index % nodes}${flavour}`,
      source: { persistentVolumeName: `pvc-${uuid(3, index)}` },
    },
    status: { attached: true },
  }) as unknown as VolumeAttachment;

export const classOf = (name: string, policy: string | undefined, isDefault = false): StorageClass =>
  ({
    ...object('StorageClass', name, {
      annotations: isDefault ? { 'storageclass.kubernetes.io/is-default-class': 'true' } : {},
    }),
    provisioner: names.csiDriver,
    parameters: policy === undefined ? {} : { storagepolicyname: policy },
  }) as unknown as StorageClass;

export const snapshotOf = (index: number, name: string, flavour = ''): VolumeSnapshot =>
  ({
    ...object('VolumeSnapshot', `${name}${flavour}`, { namespace: at(namespaces, index), creationTimestamp: ago(700) }),
    spec: { source: { persistentVolumeClaimName: claimName(index, flavour) } },
    status: { readyToUse: true, restoreSize: '20Gi', creationTime: ago(700) },
  }) as unknown as VolumeSnapshot;

export const eventOf = (input: {
  readonly reason: string;
  readonly minutes: number;
  readonly type?: 'Normal' | 'Warning';
  readonly object: Event['involvedObject'];
  readonly message: string;
}): Event => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `${input.reason}-${input.minutes}`, uid: uuid(7, input.minutes) },
  involvedObject: input.object,
  reason: input.reason,
  message: input.message,
  type: input.type ?? 'Normal',
  lastTimestamp: ago(input.minutes),
  reportingComponent: names.operator,
});

const datastoreOf = (index: number, free: number, flavour = ''): DatastoreFact => ({
  name: `${at(['vsan-gold', 'nfs-archive', 'vmfs-silver'], index)}${index > 2 ? `-${index}` : ''}${flavour}`,
  url: `ds:///vmfs/volumes/${uuid(8, index)}/`,
  type: at(['vsan', 'NFS', 'VMFS'], index),
  capacity: 8192 * gib,
  free: free * gib,
  problem: '',
  hosts: Array.from({ length: 6 }, (_, host) => `esx-${String(host).padStart(2, '0')}.example.com${flavour}`),
});

/** Of three, on one that satisfies the policy of its class: even ones have the class fast with the policy gold. */
const storeFor = (index: number, stores: number): number =>
  stores === 3 ? (index % 2 === 0 ? 0 : 1 + (Math.floor(index / 2) % 2)) : index % stores;

export const diskOf = (index: number, stores = 3): DiskFact => ({
  id: uuid(5, index),
  name: `pvc-${uuid(3, index)}`,
  at: storeFor(index, stores),
  mb: 20 * 1024,
  health: 'green',
  path: `[${at(['vsan-gold', 'nfs-archive', 'vmfs-silver'], storeFor(index, stores))}] fcd/${uuid(9, index)}.vmdk`,
});

export const orphanOf = (index: number, flavour = ''): DiskFact => ({
  ...diskOf(index),
  name: `pvc-lost-${index}${flavour}`,
  isOrphan: true,
});

const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

/** A large cluster has more than three. */
const storesFor = (volumes: number): number => (volumes > 1_000 ? 40 : 3);

export const inventoryOf = ({ nodes, volumes, flavour }: Size): Inventory => ({
  vcenters: [
    {
      vcenter,
      volumesAtMs: nowMs - 11 * 60_000,
      placesAtMs: nowMs - 11 * 60_000,
      problem: '',
      volumes: range(volumes).map((index) => diskOf(index, storesFor(volumes))),
      datastores: range(storesFor(volumes)).map((index) => datastoreOf(index, at([3900, 2100, 5200], index), flavour)),
      hosts: range(6).map((host) => ({ name: `esx-0${host}.example.com${flavour ?? ''}`, version: '8.0.3' })),
      policies: [
        { name: `gold${flavour ?? ''}`, exists: true, datastores: [`vsan-gold${flavour ?? ''}`] },
        {
          name: `silver${flavour ?? ''}`,
          exists: true,
          datastores: [`vmfs-silver${flavour ?? ''}`, `nfs-archive${flavour ?? ''}`],
        },
      ],
      slots: Object.fromEntries(
        range(nodes).map((index) => [`worker-${index}${flavour ?? ''}`, [(index * 7) % 50, 59] as const]),
      ),
    },
  ],
});

const condition = (type: string, status: 'True' | 'False', reason: string, message: string) => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: ago(60 * 30),
});

export const healthyStatus = (nodes: number) => ({
  conditions: [
    condition('Ready', 'True', 'AllReady', 'Everything runs.'),
    condition('Available', 'True', 'DriversRunning', 'Drivers run.'),
    condition('Degraded', 'False', 'AsExpected', 'Nothing fails.'),
    condition('Progressing', 'False', 'UpToDate', 'Nothing changes.'),
  ],
  drivers: [
    { kind: 'CPI', distribution: 'Native', version: '0.3.0', controllers: { desired: 1, ready: 1 } },
    {
      kind: 'CSI',
      distribution: 'Native',
      version: '0.3.0',
      controllers: { desired: 2, ready: 2 },
      nodes: { desired: nodes, ready: nodes },
    },
  ],
  versions: {
    operator: '0.3.0',
    kubernetes: 'v1.34.4',
    vcenters: [{ server: vcenter, version: '8.0.3', build: '24022515' }],
  },
  nodes: { total: nodes, initialized: nodes },
  checks: { pass: 61, warn: 0, fail: 0, unknown: 0, skipped: 4, lastRunTime: ago(0.6), failing: [] as unknown[] },
});

export const resourceWith = (status: unknown, metadata: object = {}): VSphereDrivers =>
  ({
    apiVersion: 'vdo.vmware.com/v1beta1',
    kind: 'VSphereDrivers',
    metadata: { name: 'cluster', ...metadata },
    spec: { distribution: 'Native', vcenters: [{ server: vcenter, credentialsSecret: 'vcenter' }], cpi: {}, csi: {} },
    status,
  }) as unknown as VSphereDrivers;

const minute = 60_000;

/** A day: minutes of the last two hours, ten minutes before. */
const samplesOf = (): readonly SampleRow[] =>
  range(132 + 120).map((index) => {
    const everyMs = index < 132 ? 10 * minute : minute;
    const atMs = index < 132 ? nowMs - 24 * 60 * minute + index * 10 * minute : nowMs - (252 - index) * minute;
    const per = everyMs / minute;
    const calls = Math.round(per * (9 + 5 * Math.sin(index / 9) + ((index * 13) % 7)));
    const operations = Math.round(per * Math.max(0, 2 + 2 * Math.sin(index / 14)));
    return {
      key: `${everyMs}/${atMs}`,
      atMs,
      everyMs,
      calls,
      callErrors: index % 61 === 7 ? 3 : 0,
      callMs: calls * (22 + ((index * 7) % 9)),
      operations,
      operationErrors: index % 83 === 11 ? 1 : 0,
      operationMs: operations * (1_400 + ((index * 37) % 900)),
    };
  });

const hour = 60 * minute;

/** What Prometheus has of a week: hours before the last day, and nothing of an afternoon. */
export const weekOfSamples = (): readonly SampleRow[] => {
  const day = samplesOf();
  const hours = range(144)
    .filter((index) => index < 70 || index > 74)
    .map((index): SampleRow => {
      const calls = Math.round(60 * (9 + 6 * Math.sin(index / 3.8) + ((index * 13) % 4)));
      const operations = Math.round(60 * Math.max(0, 1.5 + 1.5 * Math.sin(index / 3.8)));
      const atMs = nowMs - 168 * hour + index * hour;
      return {
        key: `${hour}/${atMs}`,
        atMs,
        everyMs: hour,
        calls,
        callErrors: index === 31 ? 240 : 0,
        callMs: calls * (24 + (index % 7)),
        operations,
        operationErrors: index === 31 ? 20 : 0,
        operationMs: operations * (1_500 + ((index * 37) % 600)),
      };
    });
  return [...hours, ...day];
};

/** A cluster that is well, of any size. */
export const clusterFacts = (size: Size, changes: Partial<DashboardFacts> = {}): DashboardFacts => {
  const { nodes, volumes, flavour = '' } = size;
  const shop = { kind: 'PersistentVolumeClaim', namespace: 'shop', name: claimName(0, flavour) };
  return {
    cluster: `production${flavour}`,
    nowMs,
    stale: '',
    setup: 'configured',
    resource: resourceWith(healthyStatus(nodes)),
    nodes: range(nodes).map((index) => nodeOf(index, flavour)),
    places: range(nodes).map((index) => placeOf(index, flavour)),
    volumes: range(volumes).map((index) => volumeOf(index, flavour)),
    claims: range(volumes).map((index) => claimOf(index, flavour)),
    attachments: range(volumes).map((index) => attachmentOf(index, size)),
    pods: range(volumes).map((index) => podOf(index, size)),
    snapshots: volumes > 0 ? [snapshotOf(0, 'nightly-1', flavour), snapshotOf(0, 'nightly-2', flavour)] : [],
    classes: [classOf('fast', `gold${flavour}`, true), classOf('bulk', `silver${flavour}`)],
    intents: [],
    events: [
      eventOf({ reason: 'VolumeCreated', minutes: 4, object: shop, message: `created ${claimName(0, flavour)}` }),
      eventOf({
        reason: 'Upgraded',
        minutes: 190,
        object: { kind: 'VSphereDrivers', name: 'cluster' },
        message: 'CSI Native 0.2.9 was replaced by 0.3.0.',
      }),
    ],
    inventory: inventoryOf(size),
    attachTimes: new Map(),
    isComplete: true,
    gaps: [],
    calls: {
      of: 'the operator',
      everyMs: 60_000,
      problem: '',
      samples: range(90).map((index) => ({
        atMs: nowMs - (90 - index) * 60_000,
        calls: 6 + ((index * 13) % 9) + (index % 15 === 0 ? 30 : 0),
        errors: index === 83 ? 2 : 0,
        latencyMs: 18 + ((index * 7) % 12),
      })),
    },
    samples: samplesOf(),
    moments: [],
    watchedSinceMs: nowMs - 30 * 3_600_000,
    ratesOf: '',
    growth: new Map([
      [
        `${vcenter}/vsan-gold${flavour}`,
        { bytes: 36 * gib, sinceMs: nowMs - 23 * hour - 11 * minute, untilMs: nowMs - 11 * minute },
      ],
    ]),
    ...changes,
  };
};
