import { describe, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';
import { openOperatorStory } from './operator-world.ts';

// Issue 17, 13.
describe('a new leader', () => {
  it('begins a minor upgrade within the minute, not after the next round of checks', async () => {
    const story = await openOperatorStory();
    const first = story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    first.kill();
    await story.advance(30_000);
    await story.publish(2, both('1.0.0', '1.1.0'));
    story.start('operator-2');
    const begun = async () => (await story.events()).some(({ reason }) => reason === 'UpgradeStarted');
    await story.until('the upgrade to begin', begun, 600);
  });
});
