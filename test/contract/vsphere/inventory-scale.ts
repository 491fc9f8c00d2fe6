import { setTimeout as delay } from 'node:timers/promises';
import { createSystemClock } from '@vdo/base/clock';
import { createSeededRandom } from '@vdo/base/random';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { expect } from 'vitest';
import { connectTo, type Target } from './target.ts';

const uuidOf = (i: number) => `4210aabb-1122-4000-8000-${String(i).padStart(12, '0')}`;

const start = (nodes: number, foreign: number) => {
  const vm = (i: number) => ({ name: i < nodes ? `node-${i}` : `foreign-${i}`, uuid: uuidOf(i) });
  const sim = createVSphereSim({
    model: {
      datacenters: [
        {
          name: 'DC0',
          clusters: [{ name: 'C0', hosts: [{ name: 'h0' }, { name: 'h1' }] }],
          datastores: [{ name: 'ds', type: 'VMFS' }],
          vms: Array.from({ length: nodes + foreign }, (_, i) => vm(i)),
        },
      ],
    },
    clock: createSystemClock(),
    random: createSeededRandom(1),
  });
  const idle = async () => {};
  const target: Target = {
    name: 'scale',
    server: 'vcenter.example',
    port: 443,
    thumbprint: '',
    transport: sim.handler,
    username: 'administrator@vsphere.local',
    password: 'obviously-fake',
    control: { powerOff: idle, rename: idle, destroy: idle, tag: idle, endSessions: idle },
    stop: idle,
  };
  return { sim, target };
};

/** Resolves `nodes` VMs among `foreign` others, watches them and changes each one. */
export const checkInventoryScale = async (nodes: number, foreign: number): Promise<void> => {
  const { sim, target } = start(nodes, foreign);
  const { vcenter, calls } = connectTo(target);
  const queries = Array.from({ length: nodes }, (_, i) => ({ key: `node-${i}`, uuid: uuidOf(i) }));
  const found = await vcenter.nodes.resolve(queries);
  expect([...found.values()].every(({ state }) => state === 'found')).toBe(true);
  const stop = new AbortController();
  const changed = new Set<string>();
  vcenter.nodes.onChange(({ name }) => changed.add(name));
  const running = vcenter.nodes.run(stop.signal);
  // The current state comes in batches of 100, then the watch waits.
  for (let i = 0; (await calls('WaitForUpdatesEx')) < nodes / 100 && i < 4000; i++) await delay(25);
  await delay(100);
  expect(await calls()).toBeLessThanOrEqual(nodes / 100 + 25);
  const reads = await calls('RetrievePropertiesEx');
  for (let i = 0; i < nodes; i++) sim.control.powerOff(`node-${i}`);
  for (let i = 0; changed.size < nodes && i < 4000; i++) await delay(25);
  expect(changed.size).toBe(nodes);
  expect(await calls('RetrievePropertiesEx')).toBe(reads);
  stop.abort();
  await running;
  await vcenter.close();
};
