import { createActLog, violationsOf } from '@vdo/acts/act-log';
import { openFence } from '@vdo/base/fence';
import { toVdoError } from '@vdo/base/vdo-error';
import { createLifecycleReconciler } from '@vdo/cpi/lifecycle/lifecycle-reconciler';
import { createNodeReporter } from '@vdo/cpi/nodes/node-reporter';
import { node } from '@vdo/cpi/testing/node';
import { createPartsTestbed } from '@vdo/cpi/testing/parts-testbed';
import type { KubeClient } from '@vdo/kube/client';
import { nodes } from '@vdo/kube/types/core';
import { demoServer } from '@vdo/sim-world/create-sim-world';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { type Cell, errorOf, nameOf } from './cells.ts';

/** A program that looks after nodes, of which the VM of the first is gone and that of the second is there. */
const open = async () => {
  const testbed = createPartsTestbed();
  const { clock, kube, sim, signal } = testbed;
  let cell: Cell | undefined;
  let asked = 0;
  const client: KubeClient = {
    ...kube,
    delete: async (resource, key, options) => {
      asked += 1;
      const now = cell;
      cell = undefined;
      if (now?.when === 'before') throw errorOf(now);
      const result = await kube.delete(resource, key, options);
      if (now) throw errorOf(now);
      return result;
    },
  };
  const actLog = createActLog({ limit: 100_000 });
  const reconcile = createLifecycleReconciler({
    ...testbed,
    client,
    fence: openFence,
    actLog,
    reporter: createNodeReporter({ ...testbed, record: () => {} }),
    budget: { spend: async () => true },
    metrics: { lookedFor: () => {} },
  });
  const nodeOf = (index: number, ready: 'True' | 'Unknown') => {
    const place = [
      sim.control.find(`node-${index}`, 'VirtualMachine').value,
      sim.control.find('kubernetes', 'Folder').value,
    ];
    return node({
      name: `node-${index}`,
      providerID: `vsphere://${demoUuid(index)}`,
      ready,
      annotations: { 'vdo.vmware.com/vm': [demoServer, ...place, sim.instanceUuid].join('/') },
    });
  };
  const [gone, there, anew] = [nodeOf(1, 'Unknown'), nodeOf(2, 'Unknown'), nodeOf(1, 'True')];
  await testbed.put(there);
  sim.control.deleteVm('node-1');
  const once = (name: string) => testbed.during(() => reconcile(name, { signal, reconcileId: 'r' }));
  /** As the controller would, for ten minutes of waiting at most. */
  const pass = async (name: string): Promise<void> => {
    for (let waitedMs = 0; waitedMs < 600_000; ) {
      const next = await once(name).catch((error: unknown) => ({
        requeueAfterMs: toVdoError(error).retry === 'backoff' ? 1_000 : 300_000,
      }));
      if (next?.requeueAfterMs === undefined) return;
      await clock.advance(next.requeueAfterMs);
      waitedMs += next.requeueAfterMs;
    }
  };
  return {
    testbed,
    actLog,
    gone,
    anew,
    pass,
    once,
    arm: (next: Cell) => {
      cell = next;
      asked = 0;
    },
    asked: () => asked,
    uidOf: async (name: string) => (await testbed.client.find(nodes, { name }))?.metadata.uid,
  };
};

/** Deletes a Node under each error; gives what is wrong then. */
export const runNodeTable = async (columns: readonly Cell[]): Promise<readonly string[]> => {
  const { testbed, actLog, gone, anew, pass, once, arm, asked, uidOf } = await open();
  const other = await uidOf('node-2');
  const wrong: string[] = [];
  for (const cell of columns) {
    await testbed.put(gone);
    arm(cell);
    await pass('node-1');
    await once('node-2');
    if (asked() === 0) wrong.push(`${nameOf(cell)}: never asked`);
    if ((await uidOf('node-1')) !== undefined) wrong.push(`${nameOf(cell)}: still there`);
    if ((await uidOf('node-2')) !== other) wrong.push(`${nameOf(cell)}: another Node is gone`);
    await testbed.client.delete(nodes, { name: 'node-1' });
  }
  // It went, that was not told, and the machine has registered again: the retry is about the one that went.
  for (const cell of columns.filter(({ when }) => when === 'after')) {
    await testbed.put(gone);
    arm(cell);
    const watching = testbed.client.watch(nodes, {});
    const registering = (async () => {
      for await (const { type, object } of watching)
        if (type === 'DELETED' && object.metadata.name === 'node-1') return testbed.put(anew);
      return undefined;
    })();
    await pass('node-1');
    const registered = await registering;
    if ((await uidOf('node-1')) !== registered?.metadata.uid) wrong.push(`${nameOf(cell)}: the new Node is gone`);
    await testbed.client.delete(nodes, { name: 'node-1' });
  }
  await testbed.stop();
  return [...wrong, ...violationsOf(actLog.records())];
};
