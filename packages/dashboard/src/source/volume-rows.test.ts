import type { PersistentVolumeClaim } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import {
  ago,
  claimOf,
  classOf,
  clusterFacts,
  diskOf,
  nowMs,
  orphanOf,
  snapshotOf,
  volumeOf,
} from '../testing/cluster-facts.ts';
import type { DashboardFacts } from './build-model.ts';
import { trimPod } from './volume-facts.ts';
import { volumeRows } from './volume-rows.ts';

const small = { nodes: 2, volumes: 2 };
const facts = (changes: Partial<DashboardFacts> = {}) => clusterFacts(small, changes);
const rowsOf = (changes: Partial<DashboardFacts> = {}) => volumeRows(facts(changes));
const attachment = (changes: object) => {
  const [first] = facts().attachments;
  return [
    {
      ...first,
      ...changes,
      metadata: { ...first?.metadata, creationTimestamp: ago(1), ...(changes as { metadata?: object }).metadata },
    },
  ] as DashboardFacts['attachments'];
};
const pending = (minutes: number): PersistentVolumeClaim =>
  ({
    ...claimOf(9),
    metadata: { ...claimOf(9).metadata, creationTimestamp: ago(minutes) },
    spec: { ...claimOf(9).spec, volumeName: undefined, storageClassName: 'fast' },
    status: { phase: 'Pending' },
  }) as unknown as PersistentVolumeClaim;
const withDisks = (...more: ReturnType<typeof diskOf>[]) => {
  const { inventory } = facts();
  return { vcenters: inventory.vcenters.map((one) => ({ ...one, volumes: [...one.volumes, ...more] })) };
};

describe('a volume', () => {
  it('is joined with its claim, disk, datastore, policy, node, pod and snapshots', () => {
    expect(rowsOf()[0]).toMatchObject({
      kind: 'volume',
      health: 'good',
      claim: 'shop/shop-db-data-0',
      storageClass: 'fast',
      policy: 'gold',
      vcenter: 'vc1.example.com',
      datastore: 'vc1.example.com/vsan-gold',
      path: '[vsan-gold] fcd/00000009-0000-4000-8000-000000000000.vmdk',
      diskHealth: 'green',
      attachments: [{ node: 'worker-0', state: 'attached' }],
      pods: [{ namespace: 'shop', name: 'shop-db-0', node: 'worker-0', phase: 'Running' }],
      snapshots: [{ name: 'shop/nightly-1', ready: true }, { name: 'shop/nightly-2' }],
      operations: [],
    });
  });

  it('names the claims that were made from its snapshots', () => {
    const copy = {
      ...claimOf(0),
      metadata: { ...claimOf(0).metadata, name: 'copy', uid: 'c' },
      spec: { ...claimOf(0).spec, dataSource: { kind: 'VolumeSnapshot', name: 'nightly-1' } },
    };
    expect(rowsOf({ claims: [claimOf(0), copy] })[0]?.snapshots[0]?.restored).toEqual(['shop/copy']);
  });

  it('is not mixed up with a later claim of the same name', () => {
    const later = { ...claimOf(0), metadata: { ...claimOf(0).metadata, uid: 'another' } };
    const [row] = rowsOf({ claims: [later], snapshots: [snapshotOf(0, 'its')] });
    expect(row).toMatchObject({ claim: 'shop/shop-db-data-0', snapshots: [] });
    expect(row?.claimUid).toBeUndefined();
  });

  it('that is red by vCenter or lies on a datastore that is away is sick, and says why', () => {
    const { inventory } = facts();
    const [vcenter] = inventory.vcenters;
    if (!vcenter) throw new Error('one vCenter');
    const [first, ...disks] = vcenter.volumes;
    const red = {
      vcenters: [{ ...vcenter, volumes: [{ ...first, health: 'red' } as (typeof disks)[number], ...disks] }],
    };
    expect(rowsOf({ inventory: red })[0]).toMatchObject({
      health: 'bad',
      note: 'vCenter reports the disk health as red',
    });
    const [gold, ...others] = vcenter.datastores;
    const away = {
      vcenters: [
        { ...vcenter, datastores: [{ ...gold, problem: 'is not accessible' } as (typeof others)[number], ...others] },
      ],
    };
    expect(rowsOf({ inventory: away }).map(({ health, note }) => [health, note])).toEqual([
      ['bad', 'datastore vsan-gold is not accessible'],
      ['good', ''],
    ]);
  });

  it('shows what is under way, since when, and the error of the last attempt', () => {
    const attaching = rowsOf({ attachments: attachment({ status: { attached: false } }) })[0];
    expect(attaching).toMatchObject({
      health: 'good',
      operations: [{ what: 'attach', done: 1, sinceMs: nowMs - 60_000, on: 'worker-0' }],
    });
    const failed = rowsOf({
      attachments: attachment({ status: { attached: false, attachError: { message: 'no free place' } } }),
    })[0];
    expect(failed).toMatchObject({ health: 'bad', note: 'cannot be attached to worker-0: no free place' });
    const leaving = rowsOf({ attachments: attachment({ metadata: { deletionTimestamp: ago(5) } }) })[0];
    expect(leaving).toMatchObject({ health: 'warn', operations: [{ what: 'detach', sinceMs: nowMs - 300_000 }] });
  });

  it('is mounting while its pod has not got its volumes', () => {
    const [pod] = facts().pods;
    if (!pod) throw new Error('one pod');
    const waiting = {
      ...pod,
      status: { phase: 'Pending', conditions: [{ type: 'PodReadyToStartContainers', status: 'False' as const }] },
    };
    expect(rowsOf({ pods: [waiting] })[0]?.operations).toMatchObject([{ what: 'mount', done: 3, on: 'worker-0' }]);
    const pulling = {
      ...pod,
      status: { phase: 'Pending', conditions: [{ type: 'PodReadyToStartContainers', status: 'True' as const }] },
    };
    expect(rowsOf({ pods: [pulling] })[0]?.operations).toEqual([]);
  });

  it('grows: what is asked for is shown beside what it is', () => {
    const claim = claimOf(0);
    const claims = [
      {
        ...claim,
        spec: { ...claim.spec, resources: { requests: { storage: '40Gi' } } },
        status: {
          phase: 'Bound',
          conditions: [{ type: 'Resizing', status: 'True' as const, lastTransitionTime: ago(1) }],
        },
      },
    ];
    expect(rowsOf({ claims })[0]).toMatchObject({ wanted: 40 * 1024 ** 3, operations: [{ what: 'expand', done: 1 }] });
  });
});

describe('a claim that waits', () => {
  it('is under way, with what the controller noted, and slow after two minutes', () => {
    const claims = [pending(1)];
    const intent = {
      apiVersion: '',
      kind: '',
      metadata: {},
      spec: { task: 'Task:1', claim: { namespace: 'shop', name: 'metrics-data-9' } },
    };
    const [row] = rowsOf({ volumes: [], claims, intents: [intent] });
    expect(row).toMatchObject({ kind: 'claim', health: 'good', operations: [{ what: 'create', done: 2 }] });
    expect(rowsOf({ volumes: [], claims: [pending(3)] })[0]).toMatchObject({ health: 'warn' });
  });
  it('is fine while its class waits for a pod that nobody made', () => {
    const classes = [{ ...classOf('fast', 'gold'), volumeBindingMode: 'WaitForFirstConsumer' as const }];
    expect(rowsOf({ volumes: [], claims: [pending(600)], classes })[0]).toMatchObject({
      health: 'good',
      note: 'waiting for a pod that uses it',
      operations: [],
    });
  });
  it('of another driver is not ours', () => {
    const classes = [{ ...classOf('fast', 'gold'), provisioner: 'other.example.com' }];
    expect(rowsOf({ volumes: [], claims: [pending(600)], classes })).toEqual([]);
  });
});

describe('an orphan', () => {
  it('is a disk that no PersistentVolume had and none has, with the evidence', () => {
    const [orphan] = rowsOf({ inventory: withDisks(orphanOf(7)) }).filter(({ kind }) => kind === 'orphan');
    expect(orphan).toMatchObject({ health: 'warn', handle: '00000005-0000-4000-8000-000000000007', phase: 'Orphan' });
    expect(orphan?.evidence?.join('\n')).toContain('read at 2026-03-01T11:49:00.000Z');
  });
  it.each<[string, Partial<DashboardFacts>]>([
    ['whose volume came after it was read', { volumes: [volumeOf(7)] }],
    [
      'whose claim is waiting for it',
      { claims: [{ ...claimOf(7), metadata: { ...claimOf(7).metadata, uid: 'lost-7' } }] },
    ],
    ['while the lists are not complete', { isComplete: false }],
  ])('is none %s', (_, changes) => {
    const rows = rowsOf({ inventory: withDisks(orphanOf(7)), ...changes });
    expect(rows.filter(({ kind }) => kind === 'orphan')).toEqual([]);
  });
  it('is not a volume that was deleted after vCenter was read', () => {
    expect(rowsOf({ volumes: [], claims: [], inventory: withDisks(diskOf(7)) })).toEqual([]);
  });
});

describe('what is kept of a pod', () => {
  it('is which volumes it uses, where, and nothing else', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'n', annotations: { secret: 'x' } },
      spec: {
        nodeName: 'w',
        containers: [{ name: 'c', image: 'i', env: [{ name: 'PASSWORD', value: 'x' }] }],
        volumes: [
          { name: 'token', secret: {} },
          { name: 'data', persistentVolumeClaim: { claimName: 'd' } },
        ],
      },
      status: { phase: 'Running' },
    };
    expect(JSON.stringify(trimPod(pod))).not.toMatch(/PASSWORD|secret/);
    expect(trimPod(pod).spec.volumes).toEqual([{ name: 'data', persistentVolumeClaim: { claimName: 'd' } }]);
  });
});
