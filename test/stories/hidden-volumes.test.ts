import { it } from 'vitest';
import { openStory, promise, redFor } from './story-world.ts';

it.fails(
  'a disk that CNS hides when its claim goes is deleted once it is shown again',
  redFor(/a disk without an owner was left/, async () => {
    const story = await openStory();
    story.start();
    await story.advance(5_000);
    const show = story.sim.control.hideVolumes();
    await story.claim('data');
    await story.until('the disk is made', () => story.disks().length > 0);
    await story.deleteClaim('data');
    await story.advance(60_000);
    show();
    await story.advance(30 * 60_000);
    const owned = (await story.persistentVolumes()).length + (await story.intents()).length;
    promise(story.disks().length === 0 || owned > 0, 'a disk without an owner was left');
  }),
);
