import { describe, expect, it } from 'vitest';
import { account, openOperatorStory } from './operator-world.ts';

// Found by `npm run simulate -- --operator --replay 33`: the version of vCenter is remembered, and a login that reached nobody was
// taken for bad credentials of a vCenter that answers.
it('a vCenter that goes away after it has rejected a login is said to be away', async () => {
  const story = await openOperatorStory();
  story.start();
  await story.install();
  await story.putSecret({ ...account, password: 'never-accepted' });
  await story.becomes('CredentialsValid', 'False', 'VCenterLoginRejected');
  story.network.up = false;
  await story.advance(16 * 60_000);
  await story.becomes('VCenterReachable', 'False', 'VCenterUnreachable', 6_000);
  await story.becomes('CredentialsValid', 'Unknown', 'VCenterUnreachable');
});

describe('a vCenter that stays away', () => {
  it('is not looked at more often for each attempt to watch it again', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    story.network.up = false;
    // The long poll that is open breaks only when it ends.
    await story.advance(10 * 60_000);
    const before = story.calls.length;
    await story.advance(10 * 60_000);
    const passes = story.calls
      .slice(before)
      .filter(({ name }) => name === 'GET /apis/vdo.vmware.com/v1beta1/vspheredrivers/cluster');
    expect(passes.length).toBeLessThanOrEqual(14);
  });
});
