import type { Node } from '@vdo/kube/types/core';
import { demoServer } from '@vdo/sim-world/create-sim-world';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, test } from 'vitest';
import { isUninitialized } from '../decisions/taints.ts';
import { node, waitingNode } from '../testing/node.ts';
import { createPartsTestbed, type PartsTestbed } from '../testing/parts-testbed.ts';
import { createNodeMetrics } from './node-metrics.ts';
import { createNodeReconciler } from './node-reconciler.ts';
import { createNodeReporter } from './node-reporter.ts';

const anySide = { subnets: [], excludedSubnets: [], networkName: undefined };
const uuid = demoUuid(1);
const hourMs = 3_600_000;
const host = 'node-1.demo.example';

let testbed: PartsTestbed;
afterEach(() => testbed.stop());

const setup = async (given: Node, labels: { zone?: string; region?: string } = {}) => {
  testbed = createPartsTestbed({ labels });
  const events: string[] = [];
  const reconcile = createNodeReconciler({
    ...testbed,
    reporter: createNodeReporter({ ...testbed, record: (_node, { reason }) => events.push(reason) }),
    metrics: createNodeMetrics(testbed.metrics),
    addressRules: new Map([[demoServer, { families: ['ipv4'], internal: anySide, external: anySide }]]),
    topologyLabels: labels,
    extraLabels: {},
  });
  await testbed.put(given);
  const { signal, during, sim } = testbed;
  return { events, control: sim.control, run: () => during(() => reconcile('node-1', { signal, reconcileId: 'r' })) };
};
const searches = () => testbed.sim.recorder.count('FindAllByUuid');
const addresses = async () => (await testbed.node()).status?.addresses?.map(({ address }) => address);

describe('a waiting node', () => {
  test('is initialized, announced and counted', async () => {
    const { events, run } = await setup(waitingNode({ systemUUID: uuid }), { zone: 'k8s-zone' });
    expect(await run()).toBeUndefined();
    expect(await testbed.node()).toMatchObject({
      metadata: { labels: { 'topology.kubernetes.io/zone': 'zone-a' } },
      spec: { providerID: `vsphere://${uuid}` },
    });
    expect(isUninitialized(await testbed.node())).toBe(false);
    expect(await addresses()).toEqual([host, '10.10.0.11', '10.10.0.11']);
    expect(events).toEqual(['Synced']);
    expect((await testbed.metrics.expose()).body).toContain('node_controller_initial_node_sync_delay_seconds_count 1');
    const before = searches();
    await run();
    expect(events).toEqual(['Synced']);
    expect(searches()).toBe(before);
  });

  test('waits with growing pauses while its VM is not found, and comes back in time', async () => {
    const { events, control, run } = await setup(waitingNode({ systemUUID: uuid }));
    const restore = control.deleteVm('node-1');
    const pauses = [];
    for (let i = 0; i < 8; i++) pauses.push((await run())?.requeueAfterMs ?? 0);
    expect(pauses.every((pause, i) => pause > 0 && pause <= Math.min(32_000, 1000 * 2 ** i))).toBe(true);
    expect(events).toEqual(['NodeVmNotFound']);
    restore();
    expect(await run()).toBeUndefined();
    expect(events).toEqual(['NodeVmNotFound', 'Synced']);
  });

  test('says why when the vCenter does not answer', async () => {
    const { events, control, run } = await setup(waitingNode({ systemUUID: uuid }));
    control.restart(hourMs);
    expect(await run()).toMatchObject({ requeueAfterMs: expect.any(Number) });
    expect(events).toEqual(['VCenterUnreachable']);
  });

  test('works without its tags, says so, and looks for them again', async () => {
    const { events, control, run } = await setup(waitingNode({ systemUUID: uuid }), { zone: 'k8s-zone' });
    control.untag('/demo/host/compute-a', 'k8s-zone', 'zone-a');
    expect(await run()).toEqual({ requeueAfterMs: 300_000 });
    expect(events).toEqual(['NodeTopologyMissing', 'Synced']);
    expect(isUninitialized(await testbed.node())).toBe(false);
  });

  test('of another provider is left alone', async () => {
    const { events, run } = await setup(waitingNode({ providerID: 'k3s://node-1', systemUUID: uuid }));
    expect(await run()).toBeUndefined();
    expect(events).toEqual(['NodeForeignProviderId']);
    expect([testbed.calls, searches()]).toEqual([[], 0]);
  });
});

describe('an initialized node', () => {
  const initialized = node({ providerID: `vsphere://${uuid}`, systemUUID: uuid, addresses: ['InternalIP 10.10.0.11'] });

  test('follows the addresses of its VM without further questions', async () => {
    const { control, run } = await setup(initialized);
    await run();
    const before = searches();
    control.setIps('node-1', 0, ['10.10.0.99']);
    await run();
    expect(await addresses()).toEqual([host, '10.10.0.99', '10.10.0.99']);
    expect(searches()).toBe(before);
  });

  test('keeps what it has while Tools are stopped', async () => {
    const { events, control, run } = await setup(initialized);
    control.setTools('node-1', false);
    await run();
    expect((await testbed.node()).status?.addresses).toEqual(initialized.status?.addresses);
    expect(events).toEqual(['NodeNoAddresses']);
  });

  test('is not bothered by an outage', async () => {
    const { events, control, run } = await setup(initialized);
    control.restart(hourMs);
    await run();
    expect([events, testbed.calls]).toEqual([[], []]);
  });

  test('whose VM was re-created is reported and not touched', async () => {
    const { events, run } = await setup(node({ providerID: `vsphere://${demoUuid(9)}`, systemUUID: uuid }));
    await run();
    expect([events, testbed.calls]).toEqual([['NodeVmReplaced'], []]);
  });

  test('keeps its zone when its VM moves, and says so', async () => {
    const zoned = { 'failure-domain.beta.kubernetes.io/zone': 'zone-a', 'topology.kubernetes.io/zone': 'zone-a' };
    const given = node({ providerID: `vsphere://${uuid}`, labels: zoned });
    const { events, control, run } = await setup(given, { zone: 'k8s-zone' });
    await run();
    control.migrate('node-1', 'esx-b3.demo.example');
    await run();
    expect(events).toEqual(['NodeTopologyChanged']);
    expect((await testbed.node()).metadata.labels?.['topology.kubernetes.io/zone']).toBe('zone-a');
  });
});

test('a node that nobody initialized and that does not wait is not looked up', async () => {
  const { run } = await setup(node({ systemUUID: uuid }));
  expect(await run()).toBeUndefined();
  expect(searches()).toBe(0);
});
