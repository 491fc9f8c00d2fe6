import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { Event, Node, PersistentVolume } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { buildModel, type DashboardFacts } from './build-model.ts';
import { notePlaces, parsePlacesNote } from './places-note.ts';

const node = (name: string, ready: boolean): Node =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: {},
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  }) as unknown as Node;

const volume = (name: string, phase: string, driver = 'csi.vsphere.vmware.com'): PersistentVolume =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: { csi: { driver, volumeHandle: name } },
    status: { phase },
  }) as unknown as PersistentVolume;

const event = (reason: string, lastTimestamp: string, component = 'vdo-operator'): Event => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: reason },
  involvedObject: { kind: 'VSphereDrivers', name: 'cluster' },
  reason,
  message: 'something happened',
  type: 'Warning',
  lastTimestamp,
  reportingComponent: component,
});

const facts = (changes: Partial<DashboardFacts> = {}): DashboardFacts => ({
  cluster: 'test',
  nowMs: 0,
  stale: '',
  resource: undefined,
  nodes: [],
  volumes: [],
  events: [],
  places: [],
  calls: null,
  ...changes,
});

describe('the facts of the page', () => {
  it('says Absent on a cluster without the resource', () => {
    expect(buildModel(facts())).toMatchObject({ health: 'Absent', drivers: [], checks: null, failing: [] });
  });

  it('counts the volumes of this driver alone', () => {
    const volumes = [volume('a', 'Bound'), volume('b', 'Failed'), volume('c', 'Bound', 'other.example.com')];
    expect(buildModel(facts({ volumes })).volumes).toEqual({ total: 2, bound: 1, failed: 1 });
  });

  it('shows events of our programs alone, the newest first', () => {
    const events = [
      event('Older', '2026-01-01T00:00:00Z'),
      event('Newer', '2026-01-02T00:00:00Z'),
      event('Foreign', '2026-01-03T00:00:00Z', 'kubelet'),
    ];
    expect(buildModel(facts({ events })).events.map(({ reason }) => reason)).toEqual(['Newer', 'Older']);
  });

  it('puts nodes below their hosts, and a sick node colours every place above it', () => {
    const place = { vcenter: 'vc1', datacenter: 'DC0', cluster: 'C0' };
    const [vcenter, lost] = buildModel(
      facts({
        nodes: [node('n1', true), node('n2', false), node('n3', true)],
        places: [
          { ...place, node: 'n1', host: 'h1' },
          { ...place, node: 'n2', host: 'h2' },
        ],
      }),
    ).topology;
    expect(vcenter).toMatchObject({ kind: 'vCenter', name: 'vc1', health: 'bad' });
    const hosts = vcenter?.children[0]?.children[0]?.children ?? [];
    expect(hosts.map(({ name, health }) => [name, health])).toEqual([
      ['h1', 'good'],
      ['h2', 'bad'],
    ]);
    expect(hosts[1]?.children[0]).toMatchObject({ kind: 'Node', name: 'n2', note: 'not Ready' });
    expect(lost).toMatchObject({ kind: 'Node', name: 'n3' });
  });

  const resourceWith = (status: unknown): VSphereDrivers =>
    ({
      metadata: { name: 'cluster' },
      spec: { vcenters: [{ server: 'vc1' }, { server: 'vc2' }] },
      status,
    }) as unknown as VSphereDrivers;
  const onHost = { vcenter: 'vc1', datacenter: 'DC0', cluster: 'C0', host: 'h1' };

  it('shows why a node fails beside it', () => {
    const nodes = { total: 1, initialized: 0, failing: [{ name: 'n1', reason: 'R', message: 'no VM', remedy: '' }] };
    const topology = buildModel(facts({ resource: resourceWith({ nodes }), nodes: [node('n1', true)] })).topology;
    expect(topology.at(-1)).toMatchObject({ name: 'n1', health: 'bad', note: 'no VM' });
  });

  it('has each configured vCenter on the map, and colours one that fails', () => {
    const failing = [{ result: 'Fail', message: 'refused the connection', object: { kind: 'VCenter', name: 'vc1' } }];
    const resource = resourceWith({ checks: { failing } });
    const { topology } = buildModel(
      facts({ resource, nodes: [node('n1', true)], places: [{ ...onHost, node: 'n1' }] }),
    );
    expect(topology.map(({ name, health, note }) => [name, health, note])).toEqual([
      ['vc1', 'bad', 'refused the connection'],
      ['vc2', 'unknown', 'no node was found there yet'],
    ]);
    expect(topology[0]?.children[0]?.health).toBe('good');
  });

  it('does not colour by a warning', () => {
    const failing = [{ result: 'Warn', message: 'old', object: { kind: 'Host', name: 'h1' } }];
    const { topology } = buildModel(
      facts({
        resource: resourceWith({ checks: { failing } }),
        nodes: [node('n1', true)],
        places: [{ ...onHost, node: 'n1' }],
      }),
    );
    expect(topology[0]).toMatchObject({ name: 'vc1', health: 'good' });
  });

  it('tells hosts that are down from hosts in maintenance, and VMs that are off from nodes that are sick', () => {
    const { topology } = buildModel(
      facts({
        nodes: [node('n1', true), node('n2', true), node('n3', false)],
        places: [
          { ...onHost, node: 'n1', hostNote: 'in maintenance mode' },
          { ...onHost, host: 'h2', node: 'n2', hostNote: 'does not respond', isHostDown: true },
          { ...onHost, host: 'h3', node: 'n3', vm: 'worker', power: 'powered off' },
        ],
      }),
    );
    const hosts = topology[0]?.children[0]?.children[0]?.children ?? [];
    expect(hosts.map(({ health, note }) => [health, note])).toEqual([
      ['good', 'in maintenance mode'],
      ['bad', 'does not respond'],
      ['bad', ''],
    ]);
    expect(hosts[2]?.children[0]?.note).toBe('VM worker, VM powered off, not Ready');
  });
});

describe('the note of places', () => {
  const onHost = { vcenter: 'vc1', datacenter: 'DC0', cluster: 'C0', host: 'h1' };
  const places = [
    { ...onHost, node: 'n2', vm: 'worker-2', power: 'suspended' },
    { ...onHost, node: 'n1' },
    { vcenter: 'vc2', node: 'n3' },
  ];

  it('gives back what was noted', () => {
    const read = parsePlacesNote(JSON.stringify(notePlaces(places)));
    expect(read).toHaveLength(3);
    for (const place of places) expect(read).toContainEqual(place);
  });
  it('is the same for the same places in another order', () => {
    expect(notePlaces([...places].reverse())).toEqual(notePlaces(places));
  });
  it('of 5,000 nodes fits into a ConfigMap', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      ...onHost,
      host: `esx-${index % 500}.datacenter.example.com`,
      node: `kubernetes-worker-${index}.example.com`,
    }));
    expect(JSON.stringify(notePlaces(many)).length).toBeLessThan(500_000);
  });
  it.each([undefined, '', 'no JSON', '{}'])('that is %j means nothing', (text) => {
    expect(parsePlacesNote(text)).toEqual([]);
  });
});
