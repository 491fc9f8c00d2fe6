import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { configMaps, persistentVolumes } from '@vdo/kube/types/core';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { volume } from './calls/volume.ts';
import { namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const definition = { name: 'vspheredrivers.vdo.vmware.com' };

const workloads = async ({ kube }: OperatorStory): Promise<number> =>
  (await kube.list(deployments, { namespace })).items.length +
  (await kube.list(daemonSets, { namespace })).items.length;
const isGone = async ({ kube }: OperatorStory) =>
  (await kube.find(customResourceDefinitions, definition)) === undefined;

// Issue 17, 14. What docs/explanation/lifecycle.md says of `kubectl delete crd`.
describe('the definition of the resource, deleted', () => {
  it('takes the drivers along where there are no volumes, and leaves nothing', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    await story.kube.delete(customResourceDefinitions, definition);
    await story.until('the definition to go', () => isGone(story));
    expect(await workloads(story)).toBe(0);
    const labelSelector = 'app.kubernetes.io/managed-by=vdo';
    expect((await story.kube.list(configMaps, { namespace, labelSelector })).items).toEqual([]);
  });

  it('waits for volumes, and the drivers serve them on', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    const before = await workloads(story);
    await story.kube.create(persistentVolumes, volume(1));
    await story.kube.delete(customResourceDefinitions, definition);
    await story.becomes('Ready', 'False', 'VolumesInUse');
    // What keeps them working goes on, too.
    await story.kube.delete(deployments, { namespace, name: 'vsphere-csi-controller' });
    await story.advance(120_000);
    expect(await isGone(story)).toBe(false);
    expect(await workloads(story)).toBe(before);
    await story.kube.delete(persistentVolumes, { name: 'pv-1' });
    await story.until('the definition to go', () => isGone(story));
    expect(await workloads(story)).toBe(0);
  });
});
