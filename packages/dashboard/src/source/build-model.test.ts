import type { Node } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import {
  ago,
  clusterFacts,
  eventOf,
  healthyStatus,
  inventoryOf,
  nodeOf,
  nowMs,
  resourceWith,
  snapshotOf,
  volumeOf,
} from '../testing/cluster-facts.ts';
import { buildModel, createModelMemory, type DashboardFacts } from './build-model.ts';

const small = { nodes: 3, volumes: 2 };
const modelOf = (changes: Partial<DashboardFacts> = {}) => buildModel(clusterFacts(small, changes));
const notReady = (node: Node): Node => ({
  ...node,
  status: { ...node.status, conditions: [{ type: 'Ready', status: 'False' }] },
});
const checksOf = (...failing: readonly object[]) =>
  resourceWith({ ...healthyStatus(3), checks: { ...healthyStatus(3).checks, failing } });

describe('the facts of the page', () => {
  it('says Absent on a cluster without the resource', () => {
    expect(modelOf({ resource: undefined }).summary).toMatchObject({ health: 'Absent', drivers: [], checks: null });
  });

  it('shows events of our programs alone, the newest first', () => {
    const about = { object: { kind: 'VSphereDrivers', name: 'cluster' }, message: 'm' };
    const events = [
      eventOf({ reason: 'Older', minutes: 9, ...about }),
      eventOf({ reason: 'Newer', minutes: 2, ...about }),
      { ...eventOf({ reason: 'Foreign', minutes: 1, ...about }), reportingComponent: 'kubelet' },
    ];
    expect(modelOf({ events }).tables.events.map(({ reason }) => reason)).toEqual(['Newer', 'Older']);
  });

  it('knows of a node its VM, host, cluster, datacenter and vCenter', () => {
    expect(modelOf().tables.nodes[1]).toMatchObject({
      name: 'worker-1',
      health: 'good',
      vm: 'worker-1',
      host: 'esx-01.example.com',
      cluster: 'compute-b',
      datacenter: 'Frankfurt',
      vcenter: 'vc1.example.com',
      ips: ['10.0.0.2'],
      zone: 'zone-b',
      slots: { used: 7, total: 59 },
    });
  });

  it('tells nodes that are sick from those whose VM is off and those that nobody has found', () => {
    const places = clusterFacts(small)
      .places.slice(0, 2)
      .map((place, index) => (index === 1 ? { ...place, power: 'powered off' } : place));
    const nodes = [notReady(nodeOf(0)), nodeOf(1), nodeOf(2)];
    expect(modelOf({ nodes, places }).tables.nodes.map(({ health, note }) => [health, note])).toEqual([
      ['bad', 'not Ready'],
      ['bad', 'VM is powered off'],
      ['unknown', 'its VM is not known yet'],
    ]);
  });

  it('tells hosts that are down from hosts in maintenance', () => {
    const [first, second, third] = clusterFacts(small).places;
    if (!first || !second || !third) throw new Error('three places');
    const places = [
      { ...first, hostNote: 'does not respond', isHostDown: true },
      { ...second, hostNote: 'in maintenance mode' },
      third,
    ];
    expect(modelOf({ places }).tables.hosts.map(({ health, note }) => [health, note])).toEqual([
      ['bad', 'does not respond'],
      ['warn', 'in maintenance mode'],
      ['good', ''],
    ]);
  });

  it('marks what a check finds, and nothing by what could not be judged', () => {
    const object = { kind: 'Node', name: 'worker-0' };
    const base = { id: 'node/x', reason: 'R', remedy: '', object };
    const healthOf = (result: string) =>
      modelOf({ resource: checksOf({ ...base, result, message: 'm' }) }).tables.nodes[0]?.health;
    expect([healthOf('Fail'), healthOf('Warn'), healthOf('Unknown')]).toEqual(['bad', 'warn', 'good']);
  });

  it('warns of a datastore with little room, and says which policy no vCenter has', () => {
    const { inventory } = clusterFacts(small);
    const vcenters = inventory.vcenters.map((one) => ({
      ...one,
      datastores: one.datastores.map((datastore, index) => ({ ...datastore, free: index === 0 ? 1 : datastore.free })),
      policies: one.policies.map((policy) => ({ ...policy, exists: policy.name !== 'gold' })),
    }));
    const { tables } = modelOf({ inventory: { vcenters } });
    expect(tables.datastores.map(({ health }) => health)).toEqual(['warn', 'good', 'good']);
    expect(tables.policies.map(({ name, health }) => [name, health])).toEqual([
      ['gold', 'bad'],
      ['silver', 'good'],
    ]);
  });

  it('says what it does not know, and since when it knows the rest', () => {
    expect(modelOf().summary).toMatchObject({ inventoryAtMs: nowMs - 11 * 60_000, gaps: [] });
    const [vcenter] = clusterFacts(small).inventory.vcenters;
    if (!vcenter) throw new Error('one vCenter');
    const inventory = { vcenters: [{ ...vcenter, problem: 'vCenter did not answer. Wait.' }] };
    expect(modelOf({ inventory }).summary.gaps).toEqual([
      { what: 'Volumes of vc1.example.com', why: 'vCenter did not answer. Wait.' },
    ]);
    expect(modelOf({ inventory: { vcenters: [] } }).summary.inventoryAtMs).toBeNull();
  });

  it('puts 5,000 nodes and 20,000 volumes together without a thought', () => {
    const model = buildModel(clusterFacts({ nodes: 5_000, volumes: 20_000 }));
    expect([model.tables.nodes.length, model.tables.volumes.length]).toEqual([5_000, 20_000]);
  });

  it('counts volumes of other drivers as none of ours', () => {
    const foreign = volumeOf(1);
    const volumes = [
      volumeOf(0),
      { ...foreign, spec: { ...foreign.spec, csi: { driver: 'other.example.com', volumeHandle: 'x' } } },
    ];
    expect(modelOf({ volumes }).tables.volumes).toHaveLength(1);
  });

  it('keeps the time of its facts', () => {
    expect(modelOf().asOfMs).toBe(nowMs);
    expect(modelOf().summary.checks?.lastRunTime).toBe(ago(0.6));
  });
});

describe('the memory of a build', () => {
  const size = { nodes: 30, volumes: 60 };
  const replaced = <T>(list: readonly T[], index: number, change: (one: T) => T): readonly T[] =>
    list.map((one, at) => (at === index % list.length ? change(one) : one));
  /** What can change about a cluster, one thing at a time. */
  const changes: readonly ((facts: DashboardFacts, index: number) => Partial<DashboardFacts>)[] = [
    ({ nodes }, index) => ({
      nodes: replaced(nodes, index, (node) => ({ ...node, status: { conditions: [] } }) as unknown as typeof node),
    }),
    ({ places }, index) => ({ places: replaced(places, index, (place) => ({ ...place, host: `other-${index}` })) }),
    ({ attachments }, index) => ({
      attachments: replaced(attachments, index, (one) => ({ ...one, status: { attached: index % 2 === 0 } })),
    }),
    ({ attachments }, index) => ({ attachments: attachments.filter((_, at) => at !== index % attachments.length) }),
    ({ volumes }, index) => ({ volumes: volumes.filter((_, at) => at !== index % volumes.length) }),
    ({ claims }, index) => ({
      claims: replaced(claims, index, (claim) => ({
        ...claim,
        metadata: { ...claim.metadata, uid: `other-${index}` },
      })),
    }),
    ({ pods }, index) => ({ pods: replaced(pods, index, (pod) => ({ ...pod, status: { phase: 'Pending' } })) }),
    ({ pods }, index) => ({ pods: pods.filter((_, at) => at !== index % pods.length) }),
    ({ snapshots }, index) => ({ snapshots: [...snapshots, snapshotOf(index % 60, `extra-${index}`)] }),
    ({ classes }, index) => ({ classes: replaced(classes, index, (one) => ({ ...one, parameters: {} })) }),
    (_, index) => ({ inventory: inventoryOf({ nodes: 30, volumes: 60 - (index % 7) }) }),
    ({ resource }, index) => ({
      resource: resourceWith({
        ...resource?.status,
        nodes: {
          total: 30,
          initialized: 30,
          failing: [{ name: `worker-${index % 30}`, reason: 'X', message: 'x', remedy: '' }],
        },
      }),
    }),
    ({ nowMs: before }) => ({ nowMs: before + 200_000 }),
  ];

  it.each([1, 2, 3, 4, 5])('gives the same model as a build without one, whatever changed before (%i)', (seed) => {
    let facts = clusterFacts(size);
    const memory = createModelMemory();
    for (let step = 0; step < 60; step += 1) {
      const random = (step * 7_919 + seed * 104_729) % 9_973;
      facts = { ...facts, ...changes[random % changes.length]?.(facts, random) };
      expect(buildModel(facts, memory)).toEqual(buildModel(facts));
    }
  });
  it('gives the same rows again where nothing changed', () => {
    const facts = clusterFacts(size);
    const memory = createModelMemory();
    const [before, after] = [buildModel(facts, memory), buildModel({ ...facts, nodes: [...facts.nodes] }, memory)];
    expect(after.tables.volumes).toBe(before.tables.volumes);
    for (const [index, row] of after.tables.nodes.entries()) expect(row).toBe(before.tables.nodes[index]);
  });
});
