import { type Node, nodes, persistentVolumeClaims } from '@vdo/kube/types/core';
import { csiDrivers, csiNodes } from '@vdo/kube/types/storage';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, it } from 'vitest';
import { driverName } from '../../driver.ts';
import { createSimTestbed } from '../../testing/sim-testbed.ts';
import { annotations } from './claims.ts';

const zoneKey = 'topology.csi.vmware.com/k8s-zone';
const claimKey = { namespace: 'default', name: 'data' };
const minuteMs = 60_000;

let testbed: ReturnType<typeof createSimTestbed>;
afterEach(() => testbed.stop());

const register = async (index: number, zone: string) => {
  const body = { metadata: { labels: { [zoneKey]: zone } } };
  await testbed.client.patch<Node>(nodes, { name: `node-${index}` }, { type: 'merge', body });
  await testbed.client.create(csiNodes, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: `node-${index}` },
    spec: { drivers: [{ name: driverName, nodeID: demoUuid(index), topologyKeys: [zoneKey] }] },
  });
};

const annotate = (body: Readonly<Record<string, string>>) =>
  testbed.client.patch(persistentVolumeClaims, claimKey, {
    type: 'merge',
    body: { metadata: { annotations: body } },
  });

/** A claim whose class lets the scheduler select the node first. Every datastore is full. */
const open = async () => {
  testbed = createSimTestbed({ csi: { topologyCategories: [{ name: 'k8s-zone' }] } });
  await testbed.setUp();
  await testbed.storageClass('slow', { volumeBindingMode: 'WaitForFirstConsumer' });
  for (const [index, zone] of ['zone-a', 'zone-a', 'zone-a', 'zone-b', 'zone-b'].entries())
    await register(index + 1, zone);
  testbed.sim.control.addFault({
    method: 'CnsCreateVolume',
    effect: { kind: 'task-failure', fault: { $type: 'NoDiskSpace', file: '', datastore: 'shared-vmfs' } },
  });
  testbed.start();
  await testbed.claim('data', 'slow');
  const calls = () => testbed.sim.recorder.calls().filter(({ method }) => method === 'CnsCreateVolume').length;
  /** The scheduler selects these nodes by turns, as soon as it sees that none is selected. */
  const run = async (ms: number, ...selected: readonly number[]) => {
    let turn = 0;
    for (let passedMs = 0; passedMs < ms; passedMs += 500) {
      const claim = await testbed.getClaim('data');
      if (!claim?.metadata.annotations?.[annotations.selectedNode]) {
        await annotate({
          [annotations.selectedNode]: `node-${selected[turn % selected.length]}`,
          [annotations.storageProvisioner]: driverName,
        });
        turn += 1;
      }
      await testbed.clock.advance(500);
    }
  };
  return { calls, run };
};

describe('a claim on a full datastore', () => {
  it('is retried at growing intervals, although the scheduler selects the same node again at once', async () => {
    const { calls, run } = await open();
    await run(minuteMs, 1);
    const first = calls();
    expect(first).toBeGreaterThanOrEqual(4);
    expect(first).toBeLessThanOrEqual(8);
    await run(9 * minuteMs, 1);
    expect(calls()).toBeLessThanOrEqual(12);
    expect(calls() - first).toBeGreaterThanOrEqual(2);
  });

  it('is retried no sooner because another node of the same segment is selected', async () => {
    const { calls, run } = await open();
    await run(10 * minuteMs, 1, 2, 3);
    expect(calls()).toBeLessThanOrEqual(12);
  });

  it('is tried at once in another segment, and for each of them at growing intervals', async () => {
    const { calls, run } = await open();
    await run(10 * minuteMs, 1);
    const inOne = calls();
    await annotate({ [annotations.selectedNode]: 'node-4' });
    await testbed.clock.advance(1_000);
    expect(calls()).toBe(inOne + 1);
    await run(10 * minuteMs, 1, 4);
    expect(calls() - inOne).toBeLessThanOrEqual(16);
  });

  it('is tried at once after its claim was edited', async () => {
    const { calls, run } = await open();
    await run(10 * minuteMs, 1);
    const before = calls();
    await annotate({ reason: 'a new attempt' });
    await run(500, 1);
    expect(calls()).toBe(before + 1);
  });

  it('gets its volume within two minutes after there is room, however long it was full', async () => {
    const { run } = await open();
    await testbed.client.create(csiDrivers, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: driverName },
      spec: { storageCapacity: true },
    });
    const { control } = testbed.sim;
    control.clearFaults();
    const free = (bytes: bigint) => {
      for (const name of ['vsanDatastore', 'shared-vmfs', 'local-a'])
        control.write(name, { 'summary.freeSpace': bytes, 'info.freeSpace': bytes });
    };
    free(0n);
    await run(30 * minuteMs, 1);
    expect((await testbed.getClaim('data'))?.spec.volumeName).toBeUndefined();
    free(1n << 40n);
    await run(2 * minuteMs, 1);
    expect((await testbed.getClaim('data'))?.spec.volumeName).toBeDefined();
  });

  it('is tried at once after a node was removed, because the nodes may now share another datastore', async () => {
    const { calls, run } = await open();
    await run(10 * minuteMs, 1);
    const before = calls();
    await testbed.client.delete(nodes, { name: 'node-3' });
    await run(1_000, 1);
    expect(calls()).toBeGreaterThan(before);
  });
});
