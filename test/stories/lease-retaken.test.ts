import { namespaces } from '@vdo/kube/types/core';
import { describe, it } from 'vitest';
import { openNodeStory, openStory } from './story-world.ts';
import { outage } from './troubles.ts';

// Issue 17, 1: whoever loses its Lease and takes it again works on, with what it had begun and with what came meanwhile.
describe('a driver that lost its Leases in an outage of the API server and took them again', () => {
  it('binds the claim that the outage hit, and the next one', async () => {
    const story = await openStory();
    const replica = story.start();
    await story.claim('before');
    await story.bound('before');
    const heal = replica.onKube(outage(/^POST .*\/persistentvolumes$/));
    await story.claim('hit');
    await story.advance(60_000);
    heal();
    await story.bound('hit');
    await story.claim('after');
    await story.bound('after');
  });

  it('initialises the node that came during the outage, and the next one', async () => {
    const story = openNodeStory();
    await story.client.create(namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'vmware-system-vdo' },
    });
    await story.putSecret(story.account);
    const initialized = async (index: number) => {
      await story.join(index);
      return story.until(`node-${index} is initialized`, async () => (await story.node(index)).spec.providerID);
    };
    void story.start('replica-1');
    await initialized(1);
    const heal = story.ways('replica-1').onKube(outage());
    await story.join(2);
    await story.clock.advance(60_000);
    heal();
    await story.until('node-2 is initialized', async () => (await story.node(2)).spec.providerID);
    await initialized(3);
  });
});
