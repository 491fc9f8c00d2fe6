import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import type { Node } from '@vdo/kube/types/core';
import { describe, expect, test } from 'vitest';
import type { NodeUpdate } from '../decisions/node-update.ts';
import { isUninitialized } from '../decisions/taints.ts';
import { createFakeNodes } from '../testing/fake-nodes.ts';
import { node, waitingNode } from '../testing/node.ts';
import { createNodeWriter } from './node-writer.ts';

const { signal } = new AbortController();
const setup = (given: Node) => {
  const nodes = createFakeNodes(given);
  const clock = createVirtualClock();
  const writer = createNodeWriter({ client: nodes.client, clock, random: createSeededRandom(1), concurrency: 4 });
  const write = async (decide: (current: Node) => NodeUpdate) => {
    const written = writer.write(nodes.get('node-1') ?? given, decide, { signal });
    written.catch(() => {});
    await clock.advance(10_000);
    return written;
  };
  return { nodes, write };
};
const initialize = (current: Node): NodeUpdate => ({
  initializes: true,
  node: { providerID: 'vsphere://x', labels: { a: '1' }, taints: (current.spec.taints ?? []).slice(1) },
  addresses: [
    { type: 'InternalIP', address: '10.0.0.1' },
    { type: 'InternalIP', address: 'fd00::1' },
  ],
});

describe('createNodeWriter', () => {
  test('writes the addresses, then the rest in one patch, so that a node without the taint is finished', async () => {
    const { nodes, write } = setup(waitingNode({ labels: { b: '2' } }));
    await write(initialize);
    expect(nodes.calls).toEqual(['patch node-1/status', 'patch node-1']);
    expect(nodes.get('node-1')).toMatchObject({
      metadata: { labels: { a: '1', b: '2' } },
      spec: { providerID: 'vsphere://x', taints: [] },
      status: { addresses: [{ address: '10.0.0.1' }, { address: 'fd00::1' }], conditions: [{ type: 'Ready' }] },
    });
  });

  test('writes nothing when nothing is to change', async () => {
    const { nodes, write } = setup(node());
    await write(() => ({ initializes: false, node: undefined, addresses: undefined }));
    expect(nodes.calls).toEqual([]);
  });

  test('keeps a taint that another writer adds meanwhile', async () => {
    const { nodes, write } = setup(waitingNode());
    const added = { key: 'disk-pressure', effect: 'NoSchedule' } as const;
    nodes.beforePatch = () => {
      nodes.beforePatch = undefined;
      const current = nodes.get('node-1') ?? node();
      nodes.put({ ...current, spec: { taints: [...(current.spec.taints ?? []), added] } });
    };
    await write(initialize);
    expect(nodes.calls).toEqual(['patch node-1/status', 'get node-1', 'patch node-1/status', 'patch node-1']);
    expect(nodes.get('node-1')?.spec.taints).toEqual([added]);
  });

  test('keeps a taint that another writer adds between the addresses and the rest', async () => {
    const { nodes, write } = setup(waitingNode());
    const added = { key: 'disk-pressure', effect: 'NoSchedule' } as const;
    nodes.beforePatch = () => {
      if (nodes.calls.length < 2) return;
      nodes.beforePatch = undefined;
      const current = nodes.get('node-1') ?? node();
      nodes.put({ ...current, spec: { taints: [...(current.spec.taints ?? []), added] } });
    };
    await write(initialize);
    expect(nodes.get('node-1')?.spec.taints).toEqual([added]);
    expect(nodes.get('node-1')?.status?.addresses).toHaveLength(2);
  });

  test('decides anew when another writer has done the work', async () => {
    const { nodes, write } = setup(waitingNode());
    nodes.beforePatch = () => {
      nodes.beforePatch = undefined;
      nodes.put(node({ providerID: 'vsphere://y' }));
    };
    const update = await write((current) =>
      isUninitialized(current) ? initialize(current) : { initializes: false, node: undefined, addresses: undefined },
    );
    expect(update.initializes).toBe(false);
    expect(nodes.get('node-1')?.spec.providerID).toBe('vsphere://y');
  });

  test('gives up on endless conflicts and on other errors', async () => {
    const { nodes, write } = setup(waitingNode());
    nodes.beforePatch = () => void nodes.put(nodes.get('node-1') ?? node());
    await expect(write(initialize)).rejects.toMatchObject({ code: 'KubeConflict' });
    nodes.beforePatch = undefined;
    await nodes.client.delete(
      { group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false },
      { name: 'node-1' },
    );
    await expect(write(initialize)).rejects.toMatchObject({ code: 'KubeNotFound' });
  });
});
