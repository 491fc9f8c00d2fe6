import { createActLog } from '@vdo/acts/act-log';
import { type Fence, openFence } from '@vdo/base/fence';
import { VdoError } from '@vdo/base/vdo-error';
import { type Node, nodes } from '@vdo/kube/types/core';
import { demoServer } from '@vdo/sim-world/create-sim-world';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, test } from 'vitest';
import { shutdownTaint } from '../decisions/taints.ts';
import { createNodeMetrics } from '../nodes/node-metrics.ts';
import { createNodeReporter } from '../nodes/node-reporter.ts';
import { type NodeOverrides, node } from '../testing/node.ts';
import { createPartsTestbed, type PartsTestbed } from '../testing/parts-testbed.ts';
import { createDeletionBudget, type DeletionStore } from './deletion-budget.ts';
import { createLifecycleReconciler } from './lifecycle-reconciler.ts';

let testbed: PartsTestbed;
afterEach(() => testbed.stop());

const user = 'cpi@vsphere.local';
const folderPath = '/demo/vm/kubernetes';
/** A node that does not answer, with what the program wrote when it saw its VM. */
const down = (index = 1, overrides: NodeOverrides = {}): Node => {
  const { find } = testbed.sim.control;
  const place = [find(`node-${index}`, 'VirtualMachine').value, find('kubernetes', 'Folder').value];
  const vm = [demoServer, ...place, testbed.sim.instanceUuid].join('/');
  return node({
    name: `node-${index}`,
    providerID: `vsphere://${demoUuid(index)}`,
    ready: 'Unknown',
    annotations: { 'vdo.vmware.com/vm': vm },
    ...overrides,
  });
};

const setup = ({ fence = openFence, store }: { readonly fence?: Fence; readonly store?: DeletionStore } = {}) => {
  testbed = createPartsTestbed();
  const { clock, signal, during, kube: client } = testbed;
  const events: string[] = [];
  const reconcile = createLifecycleReconciler({
    ...testbed,
    client,
    fence,
    actLog: createActLog(),
    metrics: createNodeMetrics(testbed.metrics),
    reporter: createNodeReporter({ ...testbed, record: (_node, { reason }) => events.push(reason) }),
    budget: createDeletionBudget({ ...testbed, ...(store ? { store } : {}) }),
  });
  const once = (name: string) => reconcile(name, { signal, reconcileId: 'r' });
  /** Reconciles as often as it asks for within the time. */
  const pass = async (ms: number, name = 'node-1') => {
    const endMs = clock.monotonicMs() + ms;
    for (;;) {
      const after = (await during(() => once(name)))?.requeueAfterMs;
      if (after === undefined || clock.monotonicMs() + after > endMs) return;
      await clock.advance(after);
    }
  };
  return { events, once, pass, control: testbed.sim.control };
};
/** A testbed with such a node, whose VM is gone. */
const setupGone = async (options?: Parameters<typeof setup>[0], overrides?: NodeOverrides) => {
  const parts = setup(options);
  await testbed.put(down(1, overrides));
  return { ...parts, restore: parts.control.deleteVm('node-1') };
};
type GoneTestbed = Awaited<ReturnType<typeof setupGone>>;

describe('a node whose VM is gone', () => {
  test('is deleted after the second proof, and announced', async () => {
    const { events, pass } = await setupGone();
    await pass(59_000);
    expect(testbed.calls).toEqual([]);
    await pass(120_000);
    expect(testbed.calls).toEqual(['GET node-1', 'DELETE node-1']);
    expect(events).toEqual(['DeletingNode']);
  });

  /** What happens, and how it ends. */
  test.each<[string, (gone: GoneTestbed) => unknown, (gone: GoneTestbed) => unknown]>([
    [
      'the vCenter went silent',
      ({ control }) => control.addFault({ method: '*', effect: { kind: 'drop', when: 'before' } }),
      ({ control }) => control.clearFaults(),
    ],
    [
      'its folder is hidden',
      ({ control }) => control.grant(user, 'NoAccess', folderPath),
      ({ control }) => control.revoke(user, folderPath),
    ],
    [
      'it has another UUID, so that it is not found',
      ({ control, restore }) => {
        restore();
        control.write('node-1', { 'config.uuid': demoUuid(9), 'summary.config.uuid': demoUuid(9) });
      },
      ({ control }) => control.deleteVm('node-1'),
    ],
    ['the VM is back', ({ restore }) => restore(), ({ control }) => control.deleteVm('node-1')],
    ['the node is ready again', () => testbed.setReady('True'), () => testbed.setReady('Unknown')],
  ])('stays when, at the second look, %s; and the delay begins anew', async (_name, happen, end) => {
    const gone = await setupGone();
    await gone.pass(10_000);
    await happen(gone);
    await gone.pass(600_000);
    expect(testbed.calls).toEqual([]);
    await end(gone);
    await gone.pass(10_000);
    expect(testbed.calls).toEqual([]);
    await gone.pass(600_000);
    expect(testbed.calls).toEqual(['GET node-1', 'DELETE node-1']);
  });

  test('stays when its vCenter is no longer configured', async () => {
    const annotations = { 'vdo.vmware.com/vm': 'other/vm-1/group-v1' };
    const { events, pass } = await setupGone({}, { annotations });
    await pass(600_000);
    expect([testbed.calls, events]).toEqual([[], ['NodeGoneUnproven']]);
  });

  test('stays when this program never saw its VM', async () => {
    const { events, pass } = await setupGone({}, { annotations: {} });
    await pass(600_000);
    expect([testbed.calls, events]).toEqual([[], ['NodeGoneUnproven']]);
  });

  test('stays when it registered anew meanwhile', async () => {
    const { pass } = await setupGone();
    await pass(10_000);
    const { spec, metadata } = await testbed.node();
    await testbed.client.delete(nodes, { name: 'node-1' });
    const { labels = {}, annotations = {} } = metadata;
    const anew = node({ labels, annotations, providerID: spec.providerID ?? '' });
    const { uid } = (await testbed.put(anew)).metadata;
    await pass(600_000);
    expect(uid).not.toBe(metadata.uid);
    expect((await testbed.node()).metadata.uid).toBe(uid);
  });

  test('stays when the Lease was lost', async () => {
    const lost: Fence = {
      assertHeld: () => {
        throw new VdoError({ code: 'LeaseLost', message: 'lost', remedy: 'None.' });
      },
    };
    const { pass } = await setupGone({ fence: lost });
    await expect(pass(600_000)).rejects.toMatchObject({ code: 'LeaseLost' });
    expect(testbed.calls).toEqual([]);
  });

  test('stays when too many others went within the hour', async () => {
    const { events, control, pass } = setup();
    for (const index of [1, 2]) {
      await testbed.put(down(index));
      control.deleteVm(`node-${index}`);
    }
    await pass(120_000);
    await pass(120_000, 'node-2');
    expect(testbed.calls).toEqual(['GET node-1', 'DELETE node-1']);
    expect(events).toEqual(['DeletingNode', 'NodeDeletionPaused']);
  });

  test('stays when the deletion cannot be remembered, and says so', async () => {
    const failing = async () => {
      throw new VdoError({ code: 'KubeUnreachable', message: 'down', remedy: 'Wait.' });
    };
    const { events, pass } = await setupGone({ store: { load: failing, save: failing } });
    await pass(600_000);
    expect([testbed.calls, events]).toEqual([[], ['KubeUnreachable']]);
  });

  test('stays when a process before this one deleted too many within the hour', async () => {
    const store: DeletionStore = {
      load: async () => ({ deletedAtMs: [Date.parse('2100-01-01')] }),
      save: async () => {},
    };
    const { events, pass } = await setupGone({ store });
    await pass(600_000);
    expect([testbed.calls, events]).toEqual([[], ['NodeDeletionPaused']]);
  });

  test.each<[string, () => Node]>([
    ['of another provider', () => down(1, { providerID: 'k3s://node-1' })],
    ['without a providerID', () => node({ ready: 'Unknown' })],
    ['that runs on another VM now', () => down(1, { systemUUID: demoUuid(9) })],
  ])('is not ours to delete if it is a node %s', async (_name, given) => {
    const { control, pass } = setup();
    await testbed.put(given());
    control.deleteVm('node-1');
    await pass(600_000);
    expect([testbed.calls, testbed.sim.recorder.count('FindAllByUuid')]).toEqual([[], 0]);
  });
});

describe('a VM that is off', () => {
  test('taints its node, and the taint goes when the node is ready', async () => {
    const { control, pass } = setup();
    const mine = { key: 'mine', effect: 'NoSchedule' } as const;
    await testbed.put(down(1, { taints: [mine] }));
    const taints = async () =>
      (await testbed.node()).spec.taints?.filter(({ key }) => !key.startsWith('node.kubernetes.io/'));
    control.powerOff('node-1');
    await pass(1_000);
    expect(await taints()).toEqual([mine, shutdownTaint]);
    control.powerOn('node-1');
    await pass(1_000);
    expect(await taints()).toHaveLength(2);
    await testbed.setReady('True');
    await pass(1_000);
    expect(await taints()).toEqual([mine]);
  });

  test('does not taint its node once the Lease is lost', async () => {
    const { control, pass } = setup();
    await testbed.put(down(1));
    control.powerOff('node-1');
    testbed.loseLease();
    await expect(pass(1_000)).rejects.toMatchObject({ code: 'LeaseLost' });
    expect((await testbed.node()).spec.taints?.filter(({ key }) => key === shutdownTaint.key) ?? []).toEqual([]);
  });

  test('does not taint a node that is ready again by the time of the write', async () => {
    const { control, pass } = setup();
    await testbed.put(down(1));
    control.powerOff('node-1');
    testbed.rival.act = async () => {
      testbed.rival.act = async () => {};
      control.powerOn('node-1');
      await testbed.setReady('True');
    };
    await pass(1_000);
    expect((await testbed.node()).spec.taints?.filter(({ key }) => key === shutdownTaint.key) ?? []).toEqual([]);
  });
});

test('a thousand nodes that are not ready during an outage cost a few questions and no node', async () => {
  const { once, control } = setup();
  const names = Array.from({ length: 1000 }, (_, index) => `node-${index}`);
  const one = down();
  for (const name of names) await testbed.put({ ...one, metadata: { ...one.metadata, name } });
  control.restart(3_600_000);
  const before = testbed.asked.vcenter;
  for (let round = 0; round < 10; round++) {
    await testbed.during(() => Promise.all(names.map(once)));
    await testbed.clock.advance(32_000);
  }
  expect((await testbed.client.list(nodes)).items).toHaveLength(1000);
  expect(testbed.asked.vcenter - before).toBeLessThan(40);
});
