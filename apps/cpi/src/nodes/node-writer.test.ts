import { type Node, nodes } from '@vdo/kube/types/core';
import { afterEach, describe, expect, test } from 'vitest';
import type { NodeUpdate } from '../decisions/node-update.ts';
import { isUninitialized } from '../decisions/taints.ts';
import { node, uninitialized, waitingNode } from '../testing/node.ts';
import { createPartsTestbed, type PartsTestbed } from '../testing/parts-testbed.ts';

let testbed: PartsTestbed;
afterEach(() => testbed.stop());

const setup = async (given: Node) => {
  testbed = createPartsTestbed();
  const { client, rival, writer, signal, during } = testbed;
  const read = await testbed.put(given);
  return {
    write: (decide: (current: Node) => NodeUpdate) => during(() => writer.write(read, decide, { signal })),
    /** Another writer comes first, once: before any patch, or before the one named. */
    meanwhile: (body: Partial<Node>, before?: string) => {
      rival.act = async () => {
        if (before !== undefined && testbed.calls.at(-1) !== before) return;
        rival.act = async () => {};
        await client.patch(nodes, { name: 'node-1' }, { type: 'merge', body });
      };
    },
  };
};
const initialize = (current: Node): NodeUpdate => ({
  initializes: true,
  node: {
    providerID: 'vsphere://x',
    labels: { a: '1' },
    taints: (current.spec.taints ?? []).filter(({ key }) => key !== uninitialized.key),
  },
  addresses: [
    { type: 'InternalIP', address: '10.0.0.1' },
    { type: 'InternalIP', address: 'fd00::1' },
  ],
});

describe('createNodeWriter', () => {
  test('writes the addresses, then the rest in one patch, so that a node without the taint is finished', async () => {
    const { write } = await setup(waitingNode({ labels: { b: '2' } }));
    await write(initialize);
    expect(testbed.calls).toEqual(['PATCH node-1/status', 'PATCH node-1']);
    const written = await testbed.node();
    expect(written).toMatchObject({
      metadata: { labels: { a: '1', b: '2' } },
      spec: { providerID: 'vsphere://x' },
      status: { addresses: [{ address: '10.0.0.1' }, { address: 'fd00::1' }], conditions: [{ type: 'Ready' }] },
    });
    expect(isUninitialized(written)).toBe(false);
  });

  test('writes nothing when nothing is to change', async () => {
    const { write } = await setup(node());
    await write(() => ({ initializes: false, node: undefined, addresses: undefined }));
    expect(testbed.calls).toEqual([]);
  });

  test('keeps a taint that another writer adds meanwhile', async () => {
    const { write, meanwhile } = await setup(waitingNode());
    const added = { key: 'disk-pressure', effect: 'NoSchedule' } as const;
    meanwhile({ spec: { taints: [uninitialized, added] } });
    await write(initialize);
    expect(testbed.calls).toEqual(['PATCH node-1/status', 'GET node-1', 'PATCH node-1/status', 'PATCH node-1']);
    expect((await testbed.node()).spec.taints).toEqual([added]);
  });

  test('keeps a taint that another writer adds between the addresses and the rest', async () => {
    const { write, meanwhile } = await setup(waitingNode());
    const added = { key: 'disk-pressure', effect: 'NoSchedule' } as const;
    meanwhile({ spec: { taints: [uninitialized, added] } }, 'PATCH node-1');
    await write(initialize);
    const { spec, status } = await testbed.node();
    expect(spec.taints).toEqual([added]);
    expect(status?.addresses).toHaveLength(2);
  });

  test('decides anew when another writer has done the work', async () => {
    const { write, meanwhile } = await setup(waitingNode());
    meanwhile({ spec: { providerID: 'vsphere://y', taints: [] } });
    const update = await write((current) =>
      isUninitialized(current) ? initialize(current) : { initializes: false, node: undefined, addresses: undefined },
    );
    expect(update.initializes).toBe(false);
    expect((await testbed.node()).spec.providerID).toBe('vsphere://y');
  });

  test('writes nothing once the Lease is lost, not even the second half', async () => {
    const { write } = await setup(waitingNode());
    testbed.rival.act = async () => testbed.loseLease();
    await expect(write(initialize)).rejects.toMatchObject({ code: 'LeaseLost' });
    expect(testbed.calls).toEqual(['PATCH node-1/status']);
    await expect(write(initialize)).rejects.toMatchObject({ code: 'LeaseLost' });
    expect(testbed.calls).toHaveLength(1);
    expect(isUninitialized(await testbed.node())).toBe(true);
  });

  test.each([
    ['everything', initialize],
    ['labels alone', () => ({ initializes: false, node: { labels: { a: '1' } }, addresses: undefined })],
  ])('does not write %s to another node of the name', async (_what, decide) => {
    const { write } = await setup(waitingNode());
    await testbed.client.delete(nodes, { name: 'node-1' });
    const { metadata } = await testbed.put(waitingNode());
    await expect(write(decide)).rejects.toMatchObject({ code: 'EvidenceMissing' });
    expect((await testbed.node()).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  test('gives up on endless conflicts and on other errors', async () => {
    const { write } = await setup(waitingNode());
    let version = 0;
    testbed.rival.act = () =>
      testbed.client.patch(
        nodes,
        { name: 'node-1' },
        { type: 'merge', body: { metadata: { labels: { version: String(version++) } } } },
      );
    await expect(write(initialize)).rejects.toMatchObject({ code: 'KubeConflict' });
    testbed.rival.act = async () => {};
    await testbed.client.delete(nodes, { name: 'node-1' });
    await expect(write(initialize)).rejects.toMatchObject({ code: 'KubeNotFound' });
  });
});
