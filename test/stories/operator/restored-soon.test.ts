import { deployments } from '@vdo/kube/types/workloads';
import { versionLabel } from '@vdo/releases/render/shared/labels';
import { describe, expect, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';
import { namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const version = async ({ kube }: OperatorStory) =>
  (await kube.get(deployments, { namespace, name: 'vsphere-csi-controller' })).metadata.labels?.[versionLabel];

// Found by `npm run simulate -- --operator --replay 4`: most watches waited for their turn while the restored server passed the version
// that they knew, and then followed a history of which they had missed the beginning.
describe('etcd, restored from a backup of some minutes ago', () => {
  it('is known by every watch within seconds, so that a new matrix is followed', async () => {
    const story = await openOperatorStory();
    story.start('operator-1');
    story.start('operator-2');
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    await story.advance(60_000);
    const backup = story.backUp();
    await story.advance(98_000);
    await story.publish(2, both('1.0.0', '1.0.1'));
    await story.advance(149_000);
    expect(await version(story)).toBe('1.0.1');
    story.restore(backup);
    const before = story.calls.length;
    await story.advance(30_000);
    const listed = story.calls.slice(before).filter(({ name }) => name === 'GET /api/v1/nodes');
    expect(new Set(listed.map(({ identity }) => identity))).toEqual(new Set(['operator-1', 'operator-2']));
    await story.advance(65_000);
    await story.publish(3, both('1.0.0', '1.0.1', '1.0.2'));
    await story.until('1.0.2 to run', async () => (await version(story)) === '1.0.2');
  });
});
