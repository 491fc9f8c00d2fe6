import { pods } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';
import { namespace, openOperatorStory } from './operator-world.ts';

const minute = 60_000;

/** An upgrade that crashes is under way when the one who began it dies; the other one's clock is another. */
const takenOver = async (aheadMs: number) => {
  const story = await openOperatorStory();
  const first = story.start();
  await story.publish(101, both('1.0.0'));
  await story.install({ updates: fromConfigMap });
  story.setAhead('operator-2', aheadMs);
  story.start('operator-2');
  // It has been there for a while before it leads.
  await story.advance(5 * minute);
  story.stubs.behave(':1.0.1', 'crash');
  await story.publish(102, both('1.0.0', '1.0.1'));
  await story.advance(90_000);
  first.kill();
  await story.advance(75_000);
  const failed = async () => (await story.events()).some(({ reason }) => reason === 'UpgradeFailed');
  return { story, failed };
};

// Issue 17, 5: what another process wrote is of its clock.
describe('an upgrade that an operator with another clock takes over', () => {
  it('is not taken back because that clock is ahead', async () => {
    const { story, failed } = await takenOver(20 * minute);
    // Longer than a new leader looks before it judges.
    await story.advance(4 * minute);
    expect(await failed()).toBe(false);
    story.stubs.behave(':1.0.1', 'ready');
    // What has crashed often is started again only minutes later.
    for (const { metadata } of (await story.kube.list(pods, { namespace })).items)
      await story.kube.delete(pods, story.inNamespace(metadata.name ?? ''));
    await story.becomes('Ready', 'True', 'AllReady', 6_000);
    expect(await failed()).toBe(false);
    const { drivers = [] } = (await story.drivers())?.status ?? {};
    expect(drivers.filter(({ kind }) => kind !== 'CNI').map(({ version }) => version)).toEqual(['1.0.1', '1.0.1']);
  });

  it('is taken back in time although that clock is behind', async () => {
    const { story, failed } = await takenOver(-60 * minute);
    expect(await failed()).toBe(false);
    await story.advance(11 * minute);
    expect(await failed()).toBe(true);
  });
});
