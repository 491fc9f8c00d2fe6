import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { describe, expect, it } from 'vitest';
import { type OperatorStory, openOperatorStory } from './operator-world.ts';

const passOf = 'GET /apis/vdo.vmware.com/v1beta1/vspheredrivers/cluster';

// Found by `npm run simulate -- --operator --replay 189`: at rest the next look comes after five minutes, and until then the status
// said whatever somebody had written.
describe('a status that somebody else writes', () => {
  const atRest = async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    await story.advance(60_000);
    return story;
  };
  const overwrite = (story: OperatorStory, status: object) =>
    story.kube.patch(
      vsphereDrivers,
      { name: 'cluster' },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    );
  const conditionsAs = async (story: OperatorStory, status: string) =>
    ((await story.drivers())?.status?.conditions ?? []).map((one) => ({ ...one, status }));

  it.each([
    ['the opposite', async (story: OperatorStory) => ({ conditions: await conditionsAs(story, 'False') })],
    ['nothing', async () => ({ conditions: [], drivers: [] })],
  ])('is right again within seconds: %s', async (_, lie) => {
    const story = await atRest();
    await overwrite(story, await lie(story));
    await story.becomes('Available', 'True', 'DriversRunning', 50);
    await story.becomes('Ready', 'True', 'AllReady', 50);
    expect((await story.drivers())?.status?.drivers).toHaveLength(3);
  });

  it('is told from what the operator writes itself, which begins no pass', async () => {
    const story = await atRest();
    story.calls.length = 0;
    await overwrite(story, { conditions: [] });
    await story.advance(30_000);
    expect(story.calls.filter(({ name }) => /^PATCH .*\/cluster\/status/.test(name))).toHaveLength(1);
    expect(story.calls.filter(({ name }) => name === passOf)).toHaveLength(1);
  });

  it('costs little, though it is written each second', async () => {
    const story = await atRest();
    for (let second = 0; second < 600; second++) {
      await overwrite(story, { conditions: await conditionsAs(story, second % 2 ? 'True' : 'False') });
      await story.advance(1_000);
    }
    story.calls.length = 0;
    for (let second = 0; second < 600; second++) {
      await overwrite(story, { conditions: await conditionsAs(story, second % 2 ? 'True' : 'False') });
      await story.advance(1_000);
    }
    expect(story.calls.length / 10).toBeLessThanOrEqual(70);
  });
});
