import { type Fence, openFence } from '@vdo/base/fence';
import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import type { Node } from '@vdo/kube/types/core';
import { describe, expect, test } from 'vitest';
import { shutdownTaint } from '../decisions/taints.ts';
import { createNodeReporter } from '../nodes/node-reporter.ts';
import { createNodeWriter } from '../nodes/node-writer.ts';
import { createFakeNodes } from '../testing/fake-nodes.ts';
import { createFakeVCenter, unreachable } from '../testing/fake-vcenter.ts';
import { type NodeOverrides, node } from '../testing/node.ts';
import { vmFacts } from '../testing/vm-facts.ts';
import { createNodeVms } from '../vms/node-vms.ts';
import { createDeletionBudget, type DeletionStore } from './deletion-budget.ts';
import { createLifecycleReconciler } from './lifecycle-reconciler.ts';

const uuid = vmFacts().uuid;
const down = (overrides: NodeOverrides = {}): Node =>
  node({
    providerID: `vsphere://${uuid}`,
    ready: 'Unknown',
    annotations: { 'vdo.vmware.com/vm': 'vc.example.com/vm-1/group-v1' },
    ...overrides,
  });

const setup = (
  given: Node,
  others: readonly Node[] = [],
  { fence = openFence, store }: { readonly fence?: Fence; readonly store?: DeletionStore } = {},
) => {
  const clock = createVirtualClock();
  const { signal } = new AbortController();
  const nodes = createFakeNodes(given, ...others);
  const vc = createFakeVCenter();
  const events: string[] = [];
  const reconcile = createLifecycleReconciler({
    nodes: { get: nodes.get, list: nodes.list },
    vms: createNodeVms({
      members: [{ vcenter: vc.vcenter, datacenters: [] }],
      labels: {},
      clock,
      signal,
      logger: silentLogger,
    }),
    client: nodes.client,
    writer: createNodeWriter({ client: nodes.client, clock, random: createSeededRandom(1), concurrency: 4 }),
    fence,
    reporter: createNodeReporter({ record: (_node, { reason }) => events.push(reason), logger: silentLogger }),
    budget: createDeletionBudget({ clock, logger: silentLogger, ...(store ? { store } : {}) }),
    clock,
    logger: silentLogger,
  });
  /** Reconciles as often as it asks for within the time. */
  const pass = async (ms: number, name = 'node-1') => {
    const endMs = clock.monotonicMs() + ms;
    for (;;) {
      const running = reconcile(name, { signal, reconcileId: 'r' });
      running.catch(() => {});
      await clock.advance(50);
      const after = (await running)?.requeueAfterMs;
      if (after === undefined || clock.monotonicMs() + after > endMs) return;
      await clock.advance(after);
    }
  };
  return { clock, nodes, vc, events, pass };
};

describe('a node whose VM is gone', () => {
  test('is deleted after the second proof, and announced', async () => {
    const { nodes, events, pass } = setup(down());
    await pass(59_000);
    expect(nodes.calls).toEqual([]);
    await pass(120_000);
    expect(nodes.calls).toEqual(['delete node-1']);
    expect(events).toEqual(['DeletingNode']);
  });

  test.each<[string, (house: ReturnType<typeof setup>) => unknown]>([
    ['the vCenter went silent', ({ vc }) => Object.assign(vc, { failure: unreachable('vc.example.com') })],
    ['its folder is hidden', ({ vc }) => Object.assign(vc, { existence: { state: 'unproven', because: 'hidden' } })],
    ['it is outside the search', ({ vc }) => Object.assign(vc, { existence: { state: 'exists' } })],
    ['the VM is back', ({ vc }) => vc.put(vmFacts())],
    ['the node is ready again', ({ nodes }) => nodes.put(down({ ready: 'True' }))],
  ])('stays when, at the second look, %s; and the delay begins anew', async (_name, happen) => {
    const house = setup(down());
    await house.pass(10_000);
    happen(house);
    await house.pass(600_000);
    expect(house.nodes.calls).toEqual([]);
    house.vc.failure = undefined;
    house.vc.remove(vmFacts());
    house.vc.existence = { state: 'gone' };
    house.nodes.put(down());
    await house.pass(10_000);
    expect(house.nodes.calls).toEqual([]);
  });

  test('stays when its vCenter is no longer configured', async () => {
    const { nodes, events, pass } = setup(down({ annotations: { 'vdo.vmware.com/vm': 'other/vm-1/group-v1' } }));
    await pass(600_000);
    expect([nodes.calls, events]).toEqual([[], ['NodeGoneUnproven']]);
  });

  test('stays when this program never saw its VM', async () => {
    const { nodes, events, pass } = setup(down({ annotations: {} }));
    await pass(600_000);
    expect([nodes.calls, events]).toEqual([[], ['NodeGoneUnproven']]);
  });

  test('stays when it registered anew meanwhile', async () => {
    const { nodes, pass } = setup(down());
    await pass(10_000);
    const current = nodes.get('node-1');
    if (current)
      nodes.put({
        ...current,
        metadata: { ...current.metadata, uid: 'another' },
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
      });
    await pass(600_000);
    expect(nodes.get('node-1')?.metadata.uid).toBe('another');
  });

  test('stays when the Lease was lost', async () => {
    const lost: Fence = {
      assertHeld: () => {
        throw new VdoError({ code: 'LeaseLost', message: 'lost', remedy: 'None.' });
      },
    };
    const { nodes, pass } = setup(down(), [], { fence: lost });
    await expect(pass(600_000)).rejects.toMatchObject({ code: 'LeaseLost' });
    expect(nodes.calls).toEqual([]);
  });

  test('stays when too many others went within the hour', async () => {
    const second = down({ name: 'node-2' });
    const { nodes, events, pass } = setup(down(), [second]);
    await pass(120_000);
    await pass(120_000, 'node-2');
    expect(nodes.calls).toEqual(['delete node-1']);
    expect(events).toEqual(['DeletingNode', 'NodeDeletionPaused']);
  });

  test('stays when the deletion cannot be remembered, and says so', async () => {
    const failing = async () => {
      throw new VdoError({ code: 'KubeUnreachable', message: 'down', remedy: 'Wait.' });
    };
    const { nodes, events, pass } = setup(down(), [], { store: { load: failing, save: failing } });
    await pass(600_000);
    expect([nodes.calls, events]).toEqual([[], ['KubeUnreachable']]);
  });

  test('stays when a process before this one deleted too many within the hour', async () => {
    const store: DeletionStore = {
      load: async () => ({ deletedAtMs: [Date.parse('2100-01-01')] }),
      save: async () => {},
    };
    const { nodes, events, pass } = setup(down(), [], { store });
    await pass(600_000);
    expect([nodes.calls, events]).toEqual([[], ['NodeDeletionPaused']]);
  });

  test.each([
    ['of another provider', down({ providerID: 'k3s://node-1' })],
    ['without a providerID', node({ ready: 'Unknown' })],
    ['that runs on another VM now', down({ systemUUID: '99999999-ad22-1139-6d72-59cc8f26bc90' })],
  ])('is not ours to delete if it is a node %s', async (_name, given) => {
    const { nodes, vc, pass } = setup(given);
    await pass(600_000);
    expect([nodes.calls, vc.calls]).toEqual([[], []]);
  });
});

describe('a VM that is off', () => {
  test('taints its node, and the taint goes when the node is ready', async () => {
    const { nodes, vc, pass } = setup(down({ taints: [{ key: 'mine', effect: 'NoSchedule' }] }));
    vc.put(vmFacts({ powerState: 'poweredOff' }));
    await pass(1_000);
    expect(nodes.get('node-1')?.spec.taints).toEqual([{ key: 'mine', effect: 'NoSchedule' }, shutdownTaint]);
    vc.put(vmFacts());
    await pass(1_000);
    expect(nodes.get('node-1')?.spec.taints).toHaveLength(2);
    const current = nodes.get('node-1');
    if (current) nodes.put({ ...current, status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    await pass(1_000);
    expect(nodes.get('node-1')?.spec.taints).toEqual([{ key: 'mine', effect: 'NoSchedule' }]);
  });
});

test('a thousand nodes that are not ready during an outage cost a few questions and no node', async () => {
  const many = Array.from({ length: 1000 }, (_, i) => down({ name: `node-${i}` }));
  const { nodes, vc, pass } = setup(many[0] ?? down(), many.slice(1));
  vc.failure = unreachable('vc.example.com');
  await Promise.all(many.map((_, i) => pass(300_000, `node-${i}`)));
  expect(nodes.list()).toHaveLength(1000);
  expect(vc.calls.length).toBeLessThan(40);
});
