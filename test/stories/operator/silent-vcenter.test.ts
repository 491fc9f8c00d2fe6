import { sleep } from '@vdo/base/clock';
import { deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import type { Trouble } from '../troubles.ts';
import { namespace, openOperatorStory } from './operator-world.ts';

const controller = { namespace, name: 'vsphere-csi-controller' };

// A firewall that drops packets, a vCenter that hangs: connections are taken, and nobody says anything.
describe('while vCenter takes connections and says nothing', () => {
  const silent = async () => {
    const story = await openOperatorStory();
    const operator = story.start();
    await story.install();
    const silence: Trouble = async (request, next) => {
      await sleep(story.clock, 3_600_000, request.signal ? { signal: request.signal } : {});
      return next(request);
    };
    operator.onVCenter(silence);
    await story.becomes('VCenterReachable', 'False', 'DeadlineExceeded', 6_000);
    return story;
  };
  const edit = async (story: Awaited<ReturnType<typeof silent>>, replicas: number) => {
    const { metadata } = await story.describe({ csi: { replicas } });
    return metadata.generation ?? 0;
  };

  it('a changed spec is carried out and reported within a minute, whenever it comes', async () => {
    const story = await silent();
    for (const [index, waitMs] of [0, 7_000, 23_000, 41_000, 59_000, 83_000].entries()) {
      await story.advance(waitMs);
      const replicas = 2 - (index % 2);
      const generation = await edit(story, replicas);
      await story.until(
        `the change after ${waitMs / 1000} s`,
        async () => (await story.kube.get(deployments, controller)).spec.replicas === replicas,
        600,
      );
      await story.until(
        `its report after ${waitMs / 1000} s`,
        async () => (await story.drivers())?.status?.observedGeneration === generation,
        600,
      );
    }
  });

  it('what somebody deletes is repaired within a minute', async () => {
    const story = await silent();
    await story.kube.delete(deployments, controller);
    await story.until('the controller to be repaired', () => story.kube.find(deployments, controller), 600);
    expect((await story.condition('VCenterReachable'))?.status).toBe('False');
  });
});
