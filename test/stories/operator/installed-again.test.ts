import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { pods } from '@vdo/kube/types/core';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const controllers = 'vsphere-csi-controller';

// Found by the seeds 38, 92, 135, 141, 148 and 170 of the operators: checks of workloads do not run before there are any, and what they had
// said of the former ones kept the next ones from coming, for good.
describe('what was wrong with drivers that are gone', () => {
  const broken = async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    story.stubs.behave('vdo', 'unready');
    for (const { metadata } of (await story.kube.list(pods, { namespace })).items)
      if (metadata.name?.startsWith(controllers)) await story.kube.delete(pods, { namespace, name: metadata.name });
    // A rollout that is given up is no rollout any more: its pods are judged.
    await story.advance(20 * 60_000);
    await story.until('the check to fail', async () =>
      (await story.drivers())?.status?.checks?.failing?.some(({ id }) => id === 'csi/workloads-ready'),
    );
    return story;
  };
  const comesBack = async (story: OperatorStory) => {
    story.stubs.behave('vdo', 'ready');
    await story.until('the controller', () => story.kube.find(deployments, { namespace, name: controllers }));
    await story.becomes('Ready', 'True', 'AllReady');
    const failing = (await story.drivers())?.status?.checks?.failing ?? [];
    expect(failing.map(({ id }) => id)).not.toContain('csi/workloads-ready');
  };

  it('does not keep them from being installed again', async () => {
    const story = await broken();
    await story.kube.delete(vsphereDrivers, { name: 'cluster' });
    await story.until('the drivers to go', async () => (await story.drivers()) === undefined);
    await story.describe();
    await comesBack(story);
  });

  it('does not keep them from repair when somebody has deleted all of them', async () => {
    const story = await broken();
    for (const resource of [deployments, daemonSets])
      for (const { metadata } of (await story.kube.list(resource, { namespace })).items)
        await story.kube.delete(resource, { namespace, name: metadata.name ?? '' });
    await comesBack(story);
  });
});
