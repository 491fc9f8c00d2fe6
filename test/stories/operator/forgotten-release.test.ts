import { configMaps } from '@vdo/kube/types/core';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { both, bothUpstream, fromConfigMap } from './matrices.ts';
import { namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const spec = { images: { registry: 'registry.example.com' }, updates: fromConfigMap };

/** Both drivers run 9.0.0, which neither the matrix nor a note knows any more. */
const forgotten = async (publishes: readonly string[] = ['9.0.1', '9.0.2']): Promise<OperatorStory> => {
  const story = await openOperatorStory();
  const first = story.start();
  await story.publish(1, both('9.0.0'));
  await story.install(spec);
  first.kill();
  await story.advance(30_000);
  await story.kube.delete(configMaps, { namespace, name: 'vdo-releases' });
  await story.publish(2, [...both(...publishes), ...bothUpstream(...publishes)]);
  return story;
};

const run = (story: OperatorStory, release: string) => async () => {
  const drivers = ((await story.drivers())?.status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
  return (
    drivers.length === 2 &&
    drivers.every(
      ({ distribution, version, target }) => `${distribution} ${version}` === release && target === undefined,
    )
  );
};
const workloadsHere = async ({ kube }: OperatorStory) =>
  [...(await kube.list(deployments, { namespace })).items, ...(await kube.list(daemonSets, { namespace })).items]
    .length;

// Found by `npm run simulate -- --operator --replay 227`, and 229: each driver waited for the other, which could not follow because it waited.
describe('a release that neither the matrix nor a note knows', () => {
  it.each([
    ['Automatic', {}],
    ['Manual', { policy: 'Manual' }],
  ] as const)('is left for the other distribution under policy %s', async (_policy, updates) => {
    const story = await forgotten();
    await story.describe({ ...spec, distribution: 'Upstream', updates: { ...fromConfigMap, ...updates } });
    story.start('operator-2');
    await story.until('both drivers to be switched', run(story, 'Upstream 9.0.2'), 24_000);
    expect(await workloadsHere(story)).toBe(0);
    await story.becomes('Ready', 'True', 'AllReady', 6_000);
  });

  it('is left for a newer one, one driver after the other', async () => {
    const story = await forgotten();
    story.start('operator-2');
    const atOnce = new Set<string>();
    await story.until(
      'both drivers to be upgraded',
      async () => {
        const moving = ((await story.drivers())?.status?.drivers ?? []).filter(({ target }) => target !== undefined);
        if (moving.length > 1) atOnce.add(JSON.stringify(moving));
        return run(story, 'Native 9.0.2')();
      },
      12_000,
    );
    expect([...atOnce]).toEqual([]);
    await story.becomes('Ready', 'True', 'AllReady', 6_000);
  });

  it('keeps running while nothing may change, and the status says what it waits for', async () => {
    const story = await forgotten();
    story.network.up = false;
    story.start('operator-2');
    await story.becomes('Ready', 'False', 'VCenterUnreachable', 6_000);
    await story.advance(10 * 60_000);
    expect(await workloadsHere(story)).toBe(3);
    expect(await run(story, 'Native 9.0.0')()).toBe(true);
    story.network.up = true;
    await story.until('both drivers to be upgraded', run(story, 'Native 9.0.2'), 12_000);
  });

  it('stays with both drivers if storage cannot be switched', async () => {
    const story = await forgotten();
    const fileVolumes = { datastoreUrls: ['ds:///vmfs/volumes/vsan:1/'] };
    await story.describe({ ...spec, distribution: 'Upstream', csi: { fileVolumes } });
    story.start('operator-2');
    await story.becomes('Ready', 'False', 'ConfigInvalid', 6_000);
    await story.advance(10 * 60_000);
    expect(await workloadsHere(story)).toBe(3);
    expect(await story.condition('Available')).toMatchObject({ status: 'True' });
  });
});
