import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import type { Node } from '@vdo/kube/types/core';
import { moref } from '@vdo/vsphere/wire/moref';
import { describe, expect, test } from 'vitest';
import { createFakeNodes } from '../testing/fake-nodes.ts';
import { createFakeVCenter, unreachable } from '../testing/fake-vcenter.ts';
import { node, waitingNode } from '../testing/node.ts';
import { nics, vmFacts } from '../testing/vm-facts.ts';
import { createNodeVms } from '../vms/node-vms.ts';
import { createNodeMetrics } from './node-metrics.ts';
import { createNodeReconciler } from './node-reconciler.ts';
import { createNodeReporter } from './node-reporter.ts';
import { createNodeWriter } from './node-writer.ts';

const anySide = { subnets: [], excludedSubnets: [], networkName: undefined };
const uuid = vmFacts().uuid;

const setup = (given: Node, labels: { zone?: string; region?: string } = {}) => {
  const clock = createVirtualClock();
  const { signal } = new AbortController();
  const nodes = createFakeNodes(given);
  const vc = createFakeVCenter();
  const metrics = createMetrics();
  const events: string[] = [];
  const reconcile = createNodeReconciler({
    nodes,
    vms: createNodeVms({
      members: [{ vcenter: vc.vcenter, datacenters: [] }],
      labels,
      clock,
      signal,
      logger: silentLogger,
    }),
    writer: createNodeWriter({ client: nodes.client, clock, random: createSeededRandom(1), concurrency: 4 }),
    reporter: createNodeReporter({ record: (_node, { reason }) => events.push(reason), logger: silentLogger }),
    metrics: createNodeMetrics(metrics),
    clock,
    addressRules: new Map([['vc.example.com', { families: ['ipv4'], internal: anySide, external: anySide }]]),
    topologyLabels: labels,
    extraLabels: {},
  });
  const run = async (name = 'node-1') => {
    const result = reconcile(name, { signal, reconcileId: 'r' });
    await clock.advance(100);
    return result;
  };
  return { clock, nodes, vc, metrics, events, run };
};

describe('a waiting node', () => {
  test('is initialised, announced and counted', async () => {
    const { nodes, vc, metrics, events, run } = setup(waitingNode({ systemUUID: uuid }), { zone: 'k8s-zone' });
    vc.put(vmFacts());
    vc.tags.set('host-1', { zone: 'z1' });
    expect(await run()).toBeUndefined();
    expect(nodes.get('node-1')).toMatchObject({
      metadata: { labels: { 'topology.kubernetes.io/zone': 'z1' } },
      spec: { providerID: `vsphere://${uuid}`, taints: [] },
      status: { addresses: [{ address: 'node-1' }, { address: '10.0.0.1' }, { address: '10.0.0.1' }] },
    });
    expect(events).toEqual(['Synced']);
    expect((await metrics.expose()).body).toContain('node_controller_initial_node_sync_delay_seconds_count 1');
    await run();
    expect(events).toEqual(['Synced']);
    expect(vc.calls).toEqual(['resolve', 'locate']);
  });

  test('waits with growing pauses while its VM is not found, and comes back in time', async () => {
    const { vc, events, run } = setup(waitingNode({ systemUUID: uuid }));
    const pauses = [];
    for (let i = 0; i < 8; i++) pauses.push((await run())?.requeueAfterMs ?? 0);
    expect(pauses.every((pause, i) => pause > 0 && pause <= Math.min(32_000, 1000 * 2 ** i))).toBe(true);
    expect(events).toEqual(['NodeVmNotFound']);
    vc.put(vmFacts());
    expect(await run()).toBeUndefined();
    expect(events).toEqual(['NodeVmNotFound', 'Synced']);
  });

  test('says why when the vCenter does not answer', async () => {
    const { vc, events, run } = setup(waitingNode({ systemUUID: uuid }));
    vc.failure = unreachable('vc.example.com');
    expect(await run()).toMatchObject({ requeueAfterMs: expect.any(Number) });
    expect(events).toEqual(['VCenterUnreachable']);
  });

  test('works without its tags, says so, and looks for them again', async () => {
    const { nodes, vc, events, run } = setup(waitingNode({ systemUUID: uuid }), { zone: 'k8s-zone' });
    vc.put(vmFacts());
    expect(await run()).toEqual({ requeueAfterMs: 300_000 });
    expect(events).toEqual(['NodeTopologyMissing', 'Synced']);
    expect(nodes.get('node-1')?.spec.taints).toEqual([]);
  });

  test('of another provider is left alone', async () => {
    const { nodes, vc, events, run } = setup(waitingNode({ providerID: 'k3s://node-1', systemUUID: uuid }));
    expect(await run()).toBeUndefined();
    expect(events).toEqual(['NodeForeignProviderId']);
    expect([nodes.calls, vc.calls]).toEqual([[], []]);
  });
});

describe('an initialised node', () => {
  const initialised = node({ providerID: `vsphere://${uuid}`, systemUUID: uuid, addresses: ['InternalIP 10.0.0.1'] });

  test('follows the addresses of its VM without further questions', async () => {
    const { nodes, vc, run } = setup(initialised);
    vc.put(vmFacts());
    await run();
    vc.put(vmFacts({ nics: nics({ net: ['10.0.0.9'] }) }));
    await run();
    expect(nodes.get('node-1')?.status?.addresses?.map(({ address }) => address)).toEqual([
      'node-1',
      '10.0.0.9',
      '10.0.0.9',
    ]);
    expect(vc.calls).toEqual(['resolve']);
  });

  test('keeps what it has while Tools are stopped', async () => {
    const { nodes, vc, events, run } = setup(initialised);
    vc.put(vmFacts({ nics: [], toolsRunning: false }));
    await run();
    expect(nodes.get('node-1')?.status?.addresses).toEqual(initialised.status?.addresses);
    expect(events).toEqual(['NodeNoAddresses']);
  });

  test('is not bothered by an outage', async () => {
    const { nodes, vc, events, run } = setup(initialised);
    vc.failure = unreachable('vc.example.com');
    await run();
    expect([events, nodes.calls]).toEqual([[], []]);
  });

  test('whose VM was re-created is reported and not touched', async () => {
    const replaced = node({ providerID: `vsphere://${uuid}`, systemUUID: '99999999-ad22-1139-6d72-59cc8f26bc90' });
    const { nodes, vc, events, run } = setup(replaced);
    vc.put(vmFacts({ uuid: '99999999-ad22-1139-6d72-59cc8f26bc90' }));
    await run();
    expect([events, nodes.calls]).toEqual([['NodeVmReplaced'], []]);
  });

  test('keeps its zone when its VM moves, and says so', async () => {
    const zoned = { 'failure-domain.beta.kubernetes.io/zone': 'z1', 'topology.kubernetes.io/zone': 'z1' };
    const { nodes, vc, events, run } = setup(node({ providerID: `vsphere://${uuid}`, labels: zoned }), { zone: 'c' });
    vc.tags.set('host-1', { zone: 'z1' });
    vc.tags.set('host-2', { zone: 'z2' });
    vc.put(vmFacts());
    await run();
    vc.put(vmFacts({ host: moref('HostSystem', 'host-2') }));
    await run();
    expect(events).toEqual(['NodeTopologyChanged']);
    expect(nodes.get('node-1')?.metadata.labels?.['topology.kubernetes.io/zone']).toBe('z1');
  });
});

test('a node that nobody initialised and that does not wait is not looked up', async () => {
  const { vc, run } = setup(node({ systemUUID: uuid }));
  expect(await run()).toBeUndefined();
  expect(vc.calls).toEqual([]);
});
