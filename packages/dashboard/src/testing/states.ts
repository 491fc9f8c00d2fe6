import { annotationKeys } from '@vdo/config/names';
import type { MomentRow } from '../rows/time-rows.ts';
import type { DashboardFacts } from '../source/build-model.ts';
import {
  ago,
  claimOf,
  clusterFacts,
  eventOf,
  healthyStatus,
  inventoryOf,
  nodeOf,
  nowMs,
  orphanOf,
  resourceWith,
  type Size,
  weekOfSamples,
} from './cluster-facts.ts';

const size: Size = { nodes: 18, volumes: 42 };
const vcenterObject = { kind: 'VCenter', name: 'vc1.example.com' };

const status = (changes: object) => ({ ...healthyStatus(size.nodes), ...changes });
const reasons: Readonly<Record<string, string>> = { Degraded: 'VCenterUnreachable', Progressing: 'RollingOut' };
const holding = (...conditions: readonly (readonly [type: string, status: string, message: string])[]) => {
  const changed = new Map(conditions.map(([type, state, message]) => [type, { state, message }]));
  const before = healthyStatus(size.nodes).conditions.filter(({ type }) => !changed.has(type));
  const after = conditions.map(([type, state, message]) => ({
    type,
    status: state,
    reason: reasons[type] ?? type,
    message,
    lastTransitionTime: ago(7),
  }));
  return [...after, ...before];
};

const moment = (minutes: number, about: Omit<MomentRow, 'key' | 'atMs'>): MomentRow => ({
  key: `${minutes}`,
  atMs: nowMs - minutes * 60_000,
  ...about,
});

/** A release and an edit before a fault, a node that failed after it, and operations all the time. */
const moments = (): readonly MomentRow[] => [
  ...Array.from({ length: 40 }, (_, index) =>
    moment(12 + index * 8.5, {
      kind: 'operation',
      health: index === 17 ? 'bad' : 'good',
      title: index === 17 ? 'A disk cannot be attached' : 'A disk was attached',
      message: index === 17 ? 'no free slot for a disk' : '',
      object: { kind: 'PersistentVolume', name: 'pvc-00000003-0000-4000-8000-000000000001' },
      ms: 1_800,
    }),
  ),
  moment(95, {
    kind: 'operation',
    health: 'good',
    title: 'A volume was expanded',
    message: '10Gi → 20Gi',
    object: { kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'shop-db-data-0' },
    ms: 7_400,
  }),
  moment(190, { kind: 'release', health: 'good', title: 'CSI 0.2.9 → 0.3.0', message: '' }),
  moment(11, {
    kind: 'change',
    health: 'good',
    title: 'The VSphereDrivers resource was edited',
    message: 'generation 7',
  }),
  moment(9.5, {
    kind: 'change',
    health: 'good',
    title: 'A VM moved',
    message: 'esx-01.example.com → esx-04.example.com',
    object: { kind: 'Node', name: 'worker-10' },
  }),
  moment(7, {
    kind: 'fault',
    health: 'bad',
    title: 'vcenter/tcp',
    message: 'vc1.example.com:443 refused the connection.',
    object: vcenterObject,
  }),
  moment(6, {
    kind: 'fault',
    health: 'bad',
    title: 'A node is not Ready',
    message: '',
    object: { kind: 'Node', name: 'worker-4' },
  }),
];

const failing = (id: string, reason: string, more: object) => ({ id, reason, result: 'Fail', ...more });

const unreachable = [
  failing('vcenter/tcp', 'VCenterUnreachable', {
    message: 'vc1.example.com:443 refused the connection.',
    remedy: 'Check that vCenter is running and that no firewall is in between.',
    commands: ['nc -vz vc1.example.com 443', 'vdoctl doctor --only vcenter'],
    docs: 'runbooks/vcenter-unreachable.md',
    object: vcenterObject,
  }),
  ...['node/vm-found', 'node/disk-enable-uuid', 'storage/datastores'].map((id) => ({
    id,
    result: 'Unknown',
    reason: 'VCenterUnreachable',
    message: 'vCenter could not be read.',
    remedy: 'Bring vCenter back.',
  })),
];

const warnings = [
  {
    id: 'storage/orphan-volumes',
    result: 'Warn',
    reason: 'OrphanVolumes',
    message: '2 disks of this cluster, 40 GiB together, have no PersistentVolume.',
    remedy: 'See which they are and why nothing needs them, before anything is deleted.',
    commands: ['vdoctl volumes cleanup --dry-run --id 00000005-0000-4000-8000-000000000900'],
    docs: 'reference/checks.md#storage-orphan-volumes',
  },
  ...[3, 4, 5, 9].map((index) => ({
    id: 'node/hardware-version',
    result: 'Warn',
    reason: 'OldHardwareVersion',
    message: 'The VM has hardware version 13; 15 or later is expected.',
    remedy: 'Upgrade the virtual hardware while the VM is off.',
    commands: [`vdoctl vsphere vms prepare --node worker-${index}`],
    object: { kind: 'Node', name: `worker-${index}` },
  })),
];

const sickNodes = Array.from({ length: size.nodes }, (_, index) => {
  const node = nodeOf(index);
  const isSick = index === 4 || index === 7;
  return isSick
    ? { ...node, status: { ...node.status, conditions: [{ type: 'Ready', status: 'False' as const }] } }
    : node;
});

const busy = (): Partial<DashboardFacts> => {
  const facts = clusterFacts(size);
  const [first, second, ...rest] = facts.attachments;
  const waiting = {
    ...claimOf(50),
    metadata: { ...claimOf(50).metadata, creationTimestamp: ago(0.6) },
    spec: { ...claimOf(50).spec, volumeName: undefined },
    status: { phase: 'Pending' },
  };
  const [, , third] = facts.claims;
  return {
    attachments: [
      ...(first
        ? [
            {
              ...first,
              metadata: {
                ...first.metadata,
                creationTimestamp: ago(0.5),
                annotations: { [annotationKeys.attachTask]: `task-1207 ${ago(0.45)}` },
              },
              status: { attached: false },
            },
          ]
        : []),
      ...(second
        ? [
            {
              ...second,
              metadata: { ...second.metadata, creationTimestamp: ago(9) },
              status: { attached: false, attachError: { message: 'VM worker-1 has 60 disks and no free slot.' } },
            },
          ]
        : []),
      ...rest,
    ],
    claims: facts.claims
      .map((claim) =>
        claim === third
          ? {
              ...claim,
              spec: { ...claim.spec, resources: { requests: { storage: '40Gi' } } },
              status: {
                ...claim.status,
                conditions: [{ type: 'Resizing', status: 'True' as const, lastTransitionTime: ago(1) }],
              },
            }
          : claim,
      )
      .concat([waiting as unknown as (typeof facts.claims)[number]]),
    intents: [
      {
        apiVersion: 'vdo.vmware.com/v1beta1',
        kind: 'VolumeIntent',
        metadata: { name: 'i' },
        spec: {
          askedAt: ago(0.5),
          task: 'Task:task-42',
          claim: { namespace: waiting.metadata.namespace ?? '', name: waiting.metadata.name ?? '' },
        },
      },
    ],
  };
};

const withOrphans = () => {
  const [first, ...others] = inventoryOf(size).vcenters;
  if (!first) return inventoryOf(size);
  const [gold, ...rest] = first.datastores;
  const full = gold ? [{ ...gold, free: gold.capacity * 0.06 }] : [];
  return {
    vcenters: [
      { ...first, datastores: [...full, ...rest], volumes: [...first.volumes, orphanOf(900), orphanOf(901)] },
      ...others,
    ],
  };
};

const warnEvent = eventOf({
  reason: 'VCenterUnreachable',
  minutes: 7,
  type: 'Warning',
  object: { kind: 'VSphereDrivers', name: 'cluster' },
  message: 'vc1.example.com:443 refused the connection.',
});

/** The states of a cluster that the page is tried with, each with the word that it must show. */
export const states = {
  healthy: clusterFacts(size),
  attention: clusterFacts(size, {
    inventory: withOrphans(),
    resource: resourceWith(
      status({
        checks: { pass: 56, warn: 5, fail: 0, unknown: 0, skipped: 4, lastRunTime: ago(2), failing: warnings },
      }),
    ),
  }),
  degraded: clusterFacts(size, {
    moments: moments(),
    events: [warnEvent, ...clusterFacts(size).events],
    nodes: sickNodes,
    resource: resourceWith(
      status({
        conditions: holding(['Degraded', 'True', 'vCenter vc1.example.com refused the connection.']),
        checks: { pass: 40, warn: 0, fail: 1, unknown: 3, skipped: 4, lastRunTime: ago(1), failing: unreachable },
      }),
    ),
  }),
  unavailable: clusterFacts(size, {
    resource: resourceWith(
      status({
        conditions: holding(
          ['Available', 'False', 'No controller of the storage driver is running.'],
          ['Ready', 'False', 'The storage driver does not serve.'],
        ),
        drivers: [
          { kind: 'CPI', distribution: 'Native', version: '0.3.0', controllers: { desired: 1, ready: 1 } },
          {
            kind: 'CSI',
            distribution: 'Native',
            version: '0.3.0',
            controllers: { desired: 2, ready: 0 },
            nodes: { desired: 18, ready: 18 },
          },
        ],
      }),
    ),
  }),
  actionRequired: clusterFacts(size, {
    resource: resourceWith(
      status({
        conditions: holding([
          'Stalled',
          'True',
          'The StorageClass fast must be replaced by hand: its policy cannot be changed.',
        ]),
      }),
    ),
  }),
  progressing: clusterFacts(size, {
    resource: resourceWith(
      status({
        conditions: holding(
          ['Progressing', 'True', 'Rolling out CSI 0.3.1: 11 of 18 nodes are done.'],
          ['Ready', 'False', 'A roll-out is under way.'],
        ),
        drivers: [
          { kind: 'CPI', distribution: 'Native', version: '0.3.1', controllers: { desired: 1, ready: 1 } },
          {
            kind: 'CSI',
            distribution: 'Native',
            version: '0.3.0',
            target: '0.3.1',
            controllers: { desired: 2, ready: 2 },
            nodes: { desired: 18, ready: 11 },
          },
        ],
      }),
    ),
  }),
  busy: clusterFacts(size, busy()),
  removing: clusterFacts(size, { resource: resourceWith(healthyStatus(size.nodes), { deletionTimestamp: ago(2) }) }),
  notInstalled: clusterFacts(
    { nodes: 3, volumes: 0 },
    { setup: 'not-installed', resource: undefined, places: [], inventory: { vcenters: [] }, events: [] },
  ),
  notConfigured: clusterFacts(
    { nodes: 3, volumes: 0 },
    { setup: 'not-configured', resource: undefined, places: [], inventory: { vcenters: [] }, events: [] },
  ),
  apiLost: clusterFacts(size, { stale: 'the API server refused the connection. Check that it is running.' }),
  /** A Prometheus was given, and was down for some hours. */
  scraped: clusterFacts(size, {
    ratesOf: 'Prometheus at prometheus.monitoring:9090',
    samples: weekOfSamples(),
    watchedSinceMs: nowMs - 40 * 60_000,
    moments: moments().filter(({ atMs }) => atMs > nowMs - 40 * 60_000),
  }),
  newLeader: clusterFacts(size, {
    inventory: { vcenters: [] },
    gaps: [
      {
        what: 'Disks, datastores and policies in vCenter',
        why: 'The leader of the operator has not read them yet.',
      },
    ],
  }),
} satisfies Readonly<Record<string, DashboardFacts>>;
export type StateName = keyof typeof states;

/** What a browser would run if the page put text in as markup. */
const hostile = `<img src=x onerror="window.hacked=1">"'\`\${window.hacked=1}</script><script>window.hacked=1</script>`;

export const hostileFacts = (): DashboardFacts => {
  const facts = clusterFacts({ nodes: 3, volumes: 6, flavour: hostile });
  const [claim] = facts.claims;
  return {
    ...facts,
    stale: '',
    events: [
      eventOf({
        reason: hostile,
        minutes: 1,
        type: 'Warning',
        object: { kind: hostile, namespace: hostile, name: hostile },
        message: hostile,
      }),
    ],
    resource: resourceWith({
      ...healthyStatus(3),
      checks: {
        pass: 1,
        warn: 0,
        fail: 1,
        unknown: 0,
        skipped: 0,
        lastRunTime: new Date(nowMs).toISOString(),
        failing: [
          {
            id: `storage/${hostile}`,
            result: 'Fail',
            reason: hostile,
            message: hostile,
            remedy: hostile,
            commands: [hostile],
            docs: `javascript:${hostile}`,
            object: { kind: 'PersistentVolumeClaim', namespace: 'shop', name: claim?.metadata.name ?? '' },
          },
        ],
      },
    }),
    gaps: [{ what: hostile, why: hostile }],
    moments: [
      {
        key: hostile,
        atMs: nowMs - 60_000,
        kind: 'change',
        health: 'bad',
        title: hostile,
        message: hostile,
        object: { kind: 'Node', name: hostile },
      },
    ],
  };
};
