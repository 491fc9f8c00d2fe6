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

// Found by `npm run simulate -- --operator --replay 182`: a rejected account is not tried again for a quarter of an hour, so nothing
// asked vCenter any more, and its remembered version was taken for an answer.
describe('a vCenter that goes away while its account is known to be rejected is said to be away by the next look', () => {
  it.each([
    ['while the drivers run', true],
    ['before anything is installed', false],
  ])('%s', async (_, isInstalled) => {
    const story = await openOperatorStory();
    story.start();
    if (isInstalled) await story.install();
    await story.putSecret({ ...account, password: 'never-accepted' });
    if (!isInstalled) await story.describe();
    await story.becomes('CredentialsValid', 'False', 'VCenterLoginRejected');
    story.network.up = false;
    await story.becomes('VCenterReachable', 'False', 'VCenterUnreachable', 3_300);
    story.network.up = true;
    await story.becomes('VCenterReachable', 'True', 'Reachable', 1_200);
    expect(await story.condition('CredentialsValid')).toMatchObject({ status: 'False' });
  });
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

/** The next round of checks, and a pass. */
const nextRoundSteps = 4_800;

// Found by `npm run simulate -- --operator --replay 160`: the version of vCenter is remembered for an hour, and what the checks found before
// an installation, or could not look at, did not end that.
describe('a vCenter that goes away', () => {
  it('is said to be away while another check keeps the drivers from being installed', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.putSecret({ username: 'cpi@vsphere.local', password: 'obviously-fake-cpi' });
    await story.describe();
    await story.becomes('Ready', 'False', 'InstallBlocked');
    expect(await story.condition('VCenterReachable')).toMatchObject({ status: 'True' });
    story.network.up = false;
    await story.becomes('VCenterReachable', 'False', 'VCenterUnreachable', nextRoundSteps);
    story.network.up = true;
    await story.becomes('VCenterReachable', 'True', 'Reachable', 1_200);
  });

  it.each([
    ['while the drivers run', true],
    ['before anything is installed', false],
  ])('is said to be away although the API server refuses what the checks need: %s', async (_, isInstalled) => {
    const story = await openOperatorStory();
    story.start();
    if (isInstalled) await story.install();
    const match = { resource: 'deployments', verb: 'list' } as const;
    story.kubeSim.faults.add({ match, effect: { kind: 'deny' } });
    if (!isInstalled) {
      await story.putSecret(account);
      await story.describe();
    }
    await story.until(
      'the refusal',
      async () => (await story.warnings()).some((one) => one.reason === 'KubeForbidden'),
      9_000,
    );
    story.network.up = false;
    await story.becomes('VCenterReachable', 'False', 'VCenterUnreachable', nextRoundSteps);
  });
});
