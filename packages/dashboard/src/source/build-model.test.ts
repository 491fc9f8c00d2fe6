import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { Event, Node, PersistentVolume } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { buildModel, type DashboardFacts } from './build-model.ts';
import { sampleBetween } from './call-sampler.ts';

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
  calls: [],
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

  it('shows why a node fails beside it', () => {
    const resource = {
      metadata: { name: 'cluster' },
      status: {
        nodes: { total: 1, initialized: 0, failing: [{ name: 'n1', reason: 'R', message: 'no VM', remedy: '' }] },
      },
    } as unknown as VSphereDrivers;
    const [place] = buildModel(facts({ resource, nodes: [node('n1', true)] })).topology;
    expect(place).toMatchObject({ health: 'bad', note: 'no VM' });
  });
});

describe('the plot of calls', () => {
  it('takes the difference of two readings', () => {
    const sample = sampleBetween({ calls: 10, seconds: 1 }, { calls: 14, seconds: 1.1 }, 5);
    expect(sample).toEqual({ atMs: 5, calls: 4, latencyMs: 25 });
  });
  it('has no latency without calls', () => {
    expect(sampleBetween({ calls: 10, seconds: 1 }, { calls: 10, seconds: 1 }, 5).latencyMs).toBeNull();
  });
});
