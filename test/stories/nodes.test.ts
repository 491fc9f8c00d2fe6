import { createSeededRandom } from '@vdo/base/random';
import { namespaces, nodes } from '@vdo/kube/types/core';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { describe, it } from 'vitest';
import { openNodeStory, promise } from './story-world.ts';

/** A program that leads, and five nodes that it has initialized. */
const openWithNodes = async () => {
  const story = openNodeStory();
  const metadata = { name: 'vmware-system-vdo' };
  await story.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
  await story.putSecret(story.account);
  for (const index of [1, 2, 3, 4, 5]) await story.join(index);
  void story.start('replica-1');
  for (const index of [1, 2, 3, 4, 5])
    await story.until(`node-${index} is initialized`, async () => {
      const { spec, status } = await story.node(index);
      return (spec.providerID && status?.addresses) || undefined;
    });
  return story;
};

type NodeStory = Awaited<ReturnType<typeof openWithNodes>>;

/** What the kubelet, or in its silence Kubernetes, writes. */
const setReady = ({ client }: NodeStory, status: 'True' | 'Unknown') =>
  client.patch(
    nodes,
    { name: 'node-1' },
    { type: 'merge', body: { status: { conditions: [{ type: 'Ready', status }] } } },
    { subresource: 'status' },
  );
const isThere = async (story: NodeStory): Promise<boolean> => (await story.nodeNames()).includes('node-1');

/** Set up as the one before was, with the same folders, and without a VM. */
const rebuiltVCenter = ({ clock }: NodeStory) => {
  const rebuilt = createVSphereSim({ model: demoModel(), clock, random: createSeededRandom(8) });
  for (const index of [1, 2, 3, 4, 5]) rebuilt.control.deleteVm(`node-${index}`);
  return rebuilt;
};

describe('story 13: a Node goes only when it is not ready and its VM is gone', () => {
  it('although the watch that tells of its readiness hangs', async () => {
    const story = await openWithNodes();
    await setReady(story, 'Unknown');
    await story.clock.advance(1_000);
    story.ways('replica-1').hangWatches(/\/nodes$/);
    // The VM has moved to another vCenter, and its Node is ready there.
    story.vc().control.deleteVm('node-1');
    await setReady(story, 'True');
    await story.clock.advance(150_000);
    promise(await isThere(story), 'a Ready Node was deleted, as it was not ready when the watch hung');
  });

  it('although a new, empty vCenter answers under the name of the old one', async () => {
    const story = await openWithNodes();
    const rebuilt = rebuiltVCenter(story);
    story.ways('replica-1').onVCenter((request) => rebuilt.handler(request));
    await setReady(story, 'Unknown');
    await story.clock.advance(5 * 60_000);
    promise(await isThere(story), 'a Node was deleted since another vCenter does not know its VM');
  });
});

describe('a Node is bound to the VM that its kubelet runs on, and to no other', () => {
  it('although that one went before it was looked for, and another has its host name', async () => {
    const story = await openWithNodes();
    // VM node-1 still runs; its Node was deleted, and a VM that is gone by now had joined under the name.
    await story.client.delete(nodes, { name: 'node-1' });
    await story.join(1, { systemUUID: '42120000-0000-4000-8000-00000000dead' });
    await story.clock.advance(60_000);
    const { providerID } = (await story.node(1)).spec;
    promise(providerID === undefined, `the Node of another VM has ${providerID} now, which cannot be changed`);
    const reported = (await story.eventsOf('node-1')).some(({ reason }) => reason === 'NodeVmNotFound');
    promise(reported, 'nobody was told that the VM of the Node is not found');
  });
});
