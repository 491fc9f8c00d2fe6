import { labelKeys } from '@vdo/config/names';
import { configMaps, pods } from '@vdo/kube/types/core';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';
import { namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const reasons = async (story: OperatorStory) => (await story.events()).map(({ reason }) => reason);
const workloads = async ({ kube }: OperatorStory) => [
  ...(await kube.list(deployments, { namespace, labelSelector: labelKeys.driver })).items,
  ...(await kube.list(daemonSets, { namespace, labelSelector: labelKeys.driver })).items,
];
const versions = async (story: OperatorStory) =>
  (await workloads(story)).map(({ metadata }) => metadata.labels?.[labelKeys.version]);
/** `kubectl delete deployments,daemonsets --all`, or all of one driver. */
const deleteAll = async ({ kube }: OperatorStory, driver?: 'cpi' | 'csi') => {
  const labelSelector = driver ? `${labelKeys.driver}=${driver}` : labelKeys.driver;
  for (const resource of [deployments, daemonSets])
    for (const { metadata } of (await kube.list(resource, { namespace, labelSelector })).items)
      await kube.delete(resource, { namespace, name: metadata.name ?? '' });
};
const installed = async (updates: object = {}) => {
  const story = await openOperatorStory();
  story.start();
  await story.publish(1, both('1.0.0'));
  await story.install({ updates: { ...fromConfigMap, ...updates } });
  return story;
};
const isBack = async (story: OperatorStory) => {
  await story.until('all workloads to be back', async () => (await workloads(story)).length === 3);
  await story.advance(60_000);
  return versions(story);
};
const old = ['1.0.0', '1.0.0', '1.0.0'];

// Found by `npm run simulate -- --operator --replay 93`: a driver without workloads counted as one that is installed for the first time.
describe('a driver of which somebody has deleted every workload comes back as the release that it was', () => {
  it.each([['cpi'], ['csi'], [undefined]] as const)('although a newer one waits for its window: %s', async (driver) => {
    const story = await installed({ window: { days: ['Sat'], start: '02:00', duration: '1h' } });
    await story.publish(2, both('1.0.0', '1.0.1'));
    await story.until('that to be told', async () =>
      (await story.drivers())?.status?.drivers?.some(({ available }) => available === '1.0.1'),
    );
    await deleteAll(story, driver);
    expect(await isBack(story)).toEqual(old);
    expect(await reasons(story)).not.toContain('UpgradeStarted');
  });

  it('under policy Manual, whatever is newer', async () => {
    const story = await installed({ policy: 'Manual' });
    await story.publish(2, both('1.0.0', '1.0.1'));
    await story.advance(6 * 60_000);
    await deleteAll(story);
    expect(await isBack(story)).toEqual(old);
  });

  it('while vCenter is away, and a matrix that has forgotten it is published', async () => {
    const story = await installed();
    story.network.up = false;
    await story.becomes('VCenterReachable', 'False', 'VCenterUnreachable', 6_000);
    await story.publish(2, both('1.0.1'));
    await deleteAll(story);
    expect(await isBack(story)).toEqual(old);
    expect(await story.condition('Available')).toMatchObject({ status: 'True' });
  });

  it('while the spec cannot be served by a check that would keep a first installation back', async () => {
    const story = await installed();
    story.stubs.behave('vdo', 'unready');
    await deleteAll(story);
    await story.until('all workloads to be back', async () => (await workloads(story)).length === 3);
  });

  it('and goes on to the next one when its gate opens', async () => {
    const story = await installed();
    story.network.up = false;
    await story.becomes('VCenterReachable', 'False', 'VCenterUnreachable', 6_000);
    await story.publish(2, both('1.0.0', '1.0.1'));
    await story.advance(60_000);
    await deleteAll(story, 'csi');
    expect(await isBack(story)).toEqual(old);
    story.network.up = true;
    await story.until('the upgrade', async () => (await versions(story)).every((version) => version === '1.0.1'));
    expect(await reasons(story)).toContain('UpgradeStarted');
  });

  it('although the note of releases is lost with them', async () => {
    const story = await installed();
    story.network.up = false;
    await story.becomes('VCenterReachable', 'False', 'VCenterUnreachable', 6_000);
    await story.publish(2, both('1.0.0', '1.0.1'));
    await story.advance(60_000);
    await story.kube.delete(configMaps, { namespace, name: 'vdo-releases' });
    await deleteAll(story, 'cpi');
    expect(await isBack(story)).toEqual(old);
  });
});

// Found by `npm run simulate -- --operator --replay 212`.
describe('a driver whose release nobody knows any more', () => {
  const halfWay = async () => {
    const story = await installed();
    story.stubs.behave(':1.0.1', 'unready');
    await story.publish(2, both('1.0.0', '1.0.1'));
    await story.until('the change to have begun', async () => (await versions(story)).includes('1.0.1'));
    return story;
  };
  const forget = async (story: OperatorStory, notes: readonly string[]) => {
    await story.operators[0]?.kill();
    for (const name of notes) await story.kube.delete(configMaps, { namespace, name });
    // Every source fails: what is left is the matrix in the image, which is of long ago.
    await story.publish(3, [], { text: 'nonsense' });
    story.start('operator-2');
    await story.advance(10 * 60_000);
  };

  it.each([
    ['half-way, while vCenter answers', true],
    ['half-way, while vCenter is away', false],
  ])('does not go down to the one in the image: %s', async (_what, isUp) => {
    const story = await halfWay();
    story.network.up = isUp;
    await forget(story, ['vdo-releases', 'vdo-matrix']);
    expect(new Set(await versions(story))).toEqual(new Set(['1.0.0', '1.0.1']));
    const { status, reason } = (await story.condition('Ready')) ?? {};
    expect([status, reason]).toEqual(['False', isUp ? 'NoCompatibleRelease' : 'VCenterUnreachable']);
    // Whoever publishes a matrix again mends it.
    story.network.up = true;
    story.stubs.behave(':1.0.1', 'ready');
    for (const { metadata } of (await story.kube.list(pods, { namespace })).items)
      await story.kube.delete(pods, { namespace, name: metadata.name ?? '' });
    await story.publish(4, both('1.0.0', '1.0.1'));
    await story.until('the change to be over', async () =>
      (await versions(story)).every((version) => version === '1.0.1'),
    );
    await story.becomes('Ready', 'True', 'AllReady');
  });

  it('goes back to what was good if that is noted, and no further', async () => {
    const story = await halfWay();
    await forget(story, ['vdo-matrix']);
    expect(await versions(story)).toEqual(old);
  });

  it('is not given up for the one in the image when it runs everywhere', async () => {
    const story = await installed();
    await forget(story, ['vdo-releases', 'vdo-matrix']);
    expect(await versions(story)).toEqual(old);
  });

  it('lets nobody who only loses the note of the matrix forget it', async () => {
    const story = await halfWay();
    await story.kube.delete(configMaps, { namespace, name: 'vdo-matrix' });
    await story.publish(3, [], { text: 'nonsense' });
    story.stubs.behave(':1.0.1', 'ready');
    await story.until('the change to be over', async () =>
      (await versions(story)).every((version) => version === '1.0.1'),
    );
  });
});
