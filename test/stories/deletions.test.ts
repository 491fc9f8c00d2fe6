import { describe, it } from 'vitest';
import { provisioned } from './attach-world.ts';
import { openStory, promise } from './story-world.ts';
import { nameOf, type Trouble } from './troubles.ts';

/** CNS does not find the volume when it is asked for by its id: its database lags behind, or the account may not see it. */
const hidden =
  (id: string): Trouble =>
  (request, next) => {
    if (!/^CnsQuery/.test(nameOf(request))) return next(request);
    return next({ ...request, body: String(request.body).replaceAll(id, '00000000-0000-4000-8000-000000000000') });
  };

describe('story 14: a deletion is done when vCenter has done it', () => {
  it('although CNS shows no such volume', async () => {
    const story = await openStory();
    const replica = story.start();
    await story.claim('data');
    const { volume, disk } = await provisioned(story, 'data');
    const heal = replica.onVCenter(hidden(disk));
    await story.deleteClaim('data');
    await story.advance(120_000);
    heal();
    await story.until('the volume is gone', async () => (await story.findVolume(volume)) === undefined);
    await story.advance(60_000);
    promise(!story.diskExists(disk), 'the PersistentVolume is gone and its disk stays, since CNS showed nothing');
  });
});
