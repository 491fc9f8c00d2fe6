import { pods } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';
import { account, namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const jumps = [
  ['an hour back', -60 * minute],
  ['an hour ahead', 60 * minute],
  ['to 1970', -56 * 365 * day],
  ['ten years ahead', 10 * 365 * day],
] as const;

const following = async (): Promise<OperatorStory> => {
  const story = await openOperatorStory();
  story.start();
  await story.publish(5, both('1.0.0'));
  await story.install({ updates: fromConfigMap });
  return story;
};
const versionOf = async (story: OperatorStory) =>
  (await story.drivers())?.status?.drivers?.find(({ kind }) => kind === 'CSI')?.version;
const says = (story: OperatorStory, type: string, status: string, steps: number) =>
  story.until(`${type}=${status}`, async () => (await story.condition(type))?.status === status, steps);
const reasons = async (story: OperatorStory) => (await story.events()).map(({ reason }) => reason);

// Issue 17, 5: a clock that is set is no progress of time.
describe.each(jumps)('an operator whose clock is set %s', (_, aheadMs) => {
  it('while an upgrade moves takes nothing back, ends it, and keeps to its calls', async () => {
    const story = await following();
    story.stubs.behave(':1.0.1', 'unready');
    await story.publish(6, both('1.0.0', '1.0.1'));
    await story.advance(2 * minute);
    story.setAhead('operator-1', aheadMs);
    await story.advance(2 * minute);
    story.setAhead('operator-1', 0);
    await story.advance(minute);
    expect(await reasons(story)).not.toContain('UpgradeFailed');
    story.stubs.behave(':1.0.1', 'ready');
    // A pod that runs stays as it is.
    for (const { metadata } of (await story.kube.list(pods, { namespace })).items)
      await story.kube.delete(pods, story.inNamespace(metadata.name ?? ''));
    await story.until('1.0.1', async () => (await versionOf(story)) === '1.0.1', 3_000);
    await story.becomes('Ready', 'True', 'AllReady', 3_000);
    expect((await story.callsPerMinute(10)).perMinute).toBeLessThanOrEqual(35);
  });

  it('takes a release back that does not become ready, within the deadline and some minutes', async () => {
    const story = await following();
    story.stubs.behave(':1.0.1', 'unready');
    await story.publish(6, both('1.0.0', '1.0.1'));
    await story.advance(2 * minute);
    story.setAhead('operator-1', aheadMs);
    await story.until('the way back', async () => (await reasons(story)).includes('UpgradeFailed'), 9_000);
    await story.until('1.0.0', async () => (await versionOf(story)) === '1.0.0', 6_000);
  });

  it('notices that vCenter goes and comes back', async () => {
    const story = await following();
    story.setAhead('operator-1', aheadMs);
    story.network.up = false;
    await says(story, 'VCenterReachable', 'False', 5_000);
    story.setAhead('operator-1', 0);
    story.network.up = true;
    await says(story, 'VCenterReachable', 'True', 5_000);
  });

  it('tries a password again that was rejected before, no later than 25 minutes after the clock is right', async () => {
    const story = await following();
    story.setAhead('operator-1', aheadMs);
    story.vsphere.control.setAccount({ username: account.username, password: 'obviously-fake-2' });
    await story.putSecret({ ...account, password: 'obviously-fake-3' });
    await says(story, 'CredentialsValid', 'False', 5_000);
    await story.advance(minute);
    story.setAhead('operator-1', 0);
    // The account gets the password that the Secret has had all the time.
    story.vsphere.control.setAccount({ username: account.username, password: 'obviously-fake-3' });
    await says(story, 'CredentialsValid', 'True', 15_000);
    expect((await story.callsPerMinute(10)).perMinute).toBeLessThanOrEqual(35);
  });
});
