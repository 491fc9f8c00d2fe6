import { persistentVolumeClaims } from '@vdo/kube/types/core';
import { describe, it } from 'vitest';
import { provisioned } from './attach-world.ts';
import { openStory, promise, type Story } from './story-world.ts';
import { nameOf } from './troubles.ts';

const key = { namespace: 'default', name: 'data' };
const ask = ({ client }: Story, storage: string) =>
  client.patch(persistentVolumeClaims, key, {
    type: 'merge',
    body: { spec: { resources: { requests: { storage } } } },
  });

/** Waits for the controller's part, then does the kubelet's. */
const grown = async ({ client, until, getClaim }: Story, storage: string): Promise<void> => {
  await until(`the node has to grow the file system to ${storage}`, async () => {
    const { conditions, allocatedResources } = (await getClaim('data'))?.status ?? {};
    const pending = conditions?.some(({ type }) => type === 'FileSystemResizePending');
    return (pending && allocatedResources?.storage === storage) || undefined;
  });
  const status = { capacity: { storage }, conditions: [], allocatedResourceStatuses: null };
  await client.patch(persistentVolumeClaims, key, { type: 'merge', body: { status } }, { subresource: 'status' });
};

describe('story 15: a PersistentVolume says how large its disk is', () => {
  it('although a request of a dead controller comes late', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    await story.claim('data');
    const { volume, disk } = await provisioned(story, 'data');
    await story.advance(10_000);
    let deliver = () => {};
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve;
    });
    first.onKube(async (request, next) => {
      if (!/^PATCH .*\/persistentvolumes\//.test(nameOf(request))) return next(request);
      await delivered;
      // What is on its way is not called back by the death of its sender.
      const { signal: _, ...sent } = request;
      return next(sent);
    });
    await ask(story, '2Gi');
    await story.until('the disk is grown', () => story.sim.volumes.get(disk)?.capacityMb === 2048n || undefined);
    await story.advance(1_000);
    first.kill();
    story.start('replica-2');
    await grown(story, '2Gi');
    await ask(story, '3Gi');
    await grown(story, '3Gi');
    deliver();
    await story.advance(2 * 60_000);
    const { storage } = (await story.findVolume(volume))?.spec.capacity ?? {};
    promise(storage === '3Gi', `a late PATCH has lowered the capacity to ${storage} for good; the disk has 3Gi`);
  });
});

it('a disk grows although its PersistentVolume was not known yet when its claim asked for more', async () => {
  const story = await openStory();
  const replica = story.start();
  await story.advance(10_000);
  const repair = replica.hangWatches(/persistentvolumes$/);
  await story.claim('data');
  const { disk } = await provisioned(story, 'data');
  await ask(story, '2Gi');
  await story.advance(60_000);
  repair();
  await story.advance(10 * 60_000);
  promise(
    story.sim.volumes.get(disk)?.capacityMb === 2048n,
    'the disk was never grown: its volume came after the wish',
  );
});
