import { setTimeout as delay } from 'node:timers/promises';
import { createSystemClock } from '@vdo/base/clock';
import type { HttpTransport } from '@vdo/base/http';
import { createSeededRandom } from '@vdo/base/random';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { expect } from 'vitest';
import { type Connection, connectTo, type Target } from './target.ts';

/** A vCenter with many VMs, some of which are nodes. */
export interface ScaleTarget {
  readonly target: Target;
  /** UUIDs of the VMs that are nodes. */
  readonly uuids: readonly string[];
  /** Changes every node once, behind the client's back. */
  changeAll(): Promise<void>;
}

export interface InventoryFigures {
  /** From nothing to a watch that has told everything. */
  readonly coldCalls: number;
  readonly coldMs: number;
  /** From the first change until the last one was told. */
  readonly changeMs: number;
  /** Calls of RetrievePropertiesEx during the changes. */
  readonly reads: number;
}

const uuidOf = (i: number) => `4210aabb-1122-4000-8000-${String(i).padStart(12, '0')}`;

/** vsphere-sim in this process. */
export const startScaleSim = (nodes: number, foreign: number): ScaleTarget & { readonly transport: HttpTransport } => {
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
  return {
    target,
    transport: sim.handler,
    uuids: Array.from({ length: nodes }, (_, i) => uuidOf(i)),
    changeAll: async () => {
      for (let i = 0; i < nodes; i++) sim.control.powerOff(`node-${i}`);
    },
  };
};

/** Finds the VMs of all these nodes. */
const resolveAll = async ({ vcenter }: Connection, uuids: readonly string[]): Promise<void> => {
  const found = await vcenter.nodes.resolve(uuids.map((uuid) => ({ key: uuid, uuid })));
  expect([...found.values()].filter(({ state }) => state === 'found')).toHaveLength(uuids.length);
};

/** Until the watch has told the current state and only waits: no call ended for a second. */
const settled = async ({ calls }: Connection): Promise<number> => {
  let before = 0;
  for (let quiet = 0, i = 0; quiet < 10 && i < 1200; i++) {
    await delay(100);
    const now = await calls();
    quiet = now === before && (await calls('WaitForUpdatesEx')) > 0 ? quiet + 1 : 0;
    before = now;
  }
  return before;
};

/** Resolves all nodes, watches them, changes each one, and tells what it took. */
export const measureInventory = async (scale: ScaleTarget): Promise<InventoryFigures> => {
  const { uuids } = scale;
  const connection = connectTo(scale.target);
  const { vcenter, calls } = connection;
  const startedMs = performance.now();
  await resolveAll(connection, uuids);
  const stop = new AbortController();
  const changed = new Set<string>();
  const unlisten = vcenter.nodes.onChange(({ uuid, powerState }) => {
    if (powerState === 'poweredOff') changed.add(uuid);
  });
  const running = vcenter.nodes.run(stop.signal);
  try {
    const coldCalls = await settled(connection);
    // The second of quiet at the end is no work.
    const coldMs = performance.now() - startedMs - 1000;
    const reads = await calls('RetrievePropertiesEx');
    const changesMs = performance.now();
    await scale.changeAll();
    for (let i = 0; changed.size < uuids.length && i < 10_000; i++) await delay(25);
    const changeMs = performance.now() - changesMs;
    expect(changed.size).toBe(uuids.length);
    return { coldCalls, coldMs, changeMs, reads: (await calls('RetrievePropertiesEx')) - reads };
  } finally {
    unlisten();
    stop.abort();
    await running;
    await vcenter.close();
  }
};

/** At most N/100 + 25 calls cold, and changes then cost no reads. */
export const checkInventoryScale = async (scale: ScaleTarget): Promise<InventoryFigures> => {
  const figures = await measureInventory(scale);
  expect(figures.coldCalls).toBeLessThanOrEqual(scale.uuids.length / 100 + 25);
  expect(figures.reads).toBe(0);
  return figures;
};
