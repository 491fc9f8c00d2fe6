import { deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { namespace, openOperatorStory } from './operator-world.ts';

const key = { namespace, name: 'vsphere-csi-controller' };
const scaled = { type: 'merge', body: { spec: { replicas: 5 } } } as const;

// Issue 17, 6.
describe('a rival for a field of ours', () => {
  it('is named in Degraded and in one event, and forgotten when it stops', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    const { replicas: wanted } = (await story.kube.get(deployments, key)).spec;
    let fights = true;
    let repairs = 0;
    story.kubeSim.store.onChange(({ bucket, object, previous }) => {
      if (!bucket.endsWith('/deployments') || object.metadata.name !== key.name || !fights) return;
      const replicas = (one: typeof object | undefined) =>
        (one?.['spec'] as { replicas: number } | undefined)?.replicas;
      if (replicas(object) === 5 || replicas(previous) !== 5) return;
      repairs += 1;
      story.clock.schedule(() => void story.kube.patch(deployments, key, scaled, { fieldManager: 'rival' }), 50);
    });
    await story.kube.patch(deployments, key, scaled, { fieldManager: 'rival' });
    const shown = await story.becomes('Degraded', 'True', 'DriverManagedElsewhere');
    expect(shown.message).toContain('field manager rival');
    await story.advance(10 * 60_000);
    expect(repairs).toBeLessThanOrEqual(25);
    const reported = (await story.warnings()).filter(({ reason }) => reason === 'DriverManagedElsewhere');
    expect(reported).toHaveLength(1);
    expect(reported[0]?.message).toContain('field manager rival');
    fights = false;
    await story.until('the last repair', async () => (await story.kube.get(deployments, key)).spec.replicas === wanted);
    await story.becomes('Degraded', 'False', 'AsExpected', 12_000);
  });

  // Found by `npm run simulate -- --operator --replay 67`: each repair was followed by two passes that could do nothing.
  it('costs one pass a minute, however many pods come and go with each repair', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    const rival = () => {
      void story.kube.patch(deployments, key, scaled, { fieldManager: 'rival' }).catch(() => {});
      story.clock.schedule(rival, 500);
    };
    rival();
    await story.becomes('Degraded', 'True', 'DriverManagedElsewhere');
    await story.advance(5 * 60_000);
    story.calls.length = 0;
    await story.advance(20 * 60_000);
    const passes = story.calls.filter(({ name }) => name === 'GET /apis/vdo.vmware.com/v1beta1/vspheredrivers/cluster');
    // Checks are due besides.
    expect(passes.length).toBeLessThanOrEqual(26);
    expect(story.calls.length / 20).toBeLessThanOrEqual(60);
  });

  // Found by `npm run simulate -- --operator --replay 122`: a watch showed each repair before its reply came, which was taken for
  // news, and a second pass followed at once.
  it('costs one pass for each repair, though a watch shows the repair before its reply', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    // So seldom that each change is looked at promptly.
    const fight = async (times: number) => {
      for (let count = 0; count < times; count++) {
        await story.kube.patch(deployments, key, scaled, { fieldManager: 'rival' });
        await story.advance(125_000);
      }
    };
    await fight(4);
    story.calls.length = 0;
    await fight(3);
    const repairs = story.calls.filter(({ name }) => /^PATCH .*\/deployments\/vsphere-csi-controller/.test(name));
    expect(repairs.length).toBeGreaterThanOrEqual(3);
    const passes = story.calls
      .filter(({ name }) => name === 'GET /apis/vdo.vmware.com/v1beta1/vspheredrivers/cluster')
      .map(({ atMs }) => atMs);
    expect(passes.filter((atMs, index) => atMs - (passes[index - 1] ?? 0) < 1_000)).toEqual([]);
  });

  // Found by `npm run simulate -- --operator --replay 40`: the repair that was due never came, and a pass was due all the time.
  it('is forgotten with the object, and costs nothing any more', async () => {
    const story = await openOperatorStory();
    story.start();
    const images = { registry: 'registry.example.com' };
    await story.install({ images });
    for (let count = 0; count < 20; count++) {
      await story.kube.patch(deployments, key, scaled, { fieldManager: 'rival' });
      await story.advance(4_000);
    }
    expect(await story.condition('Degraded')).toMatchObject({ status: 'True', reason: 'DriverManagedElsewhere' });
    await story.describe({ distribution: 'Upstream', images });
    await story.until('the switch', async () => !(await story.kube.find(deployments, key)), 3_000);
    await story.becomes('Degraded', 'False', 'AsExpected', 1_200);
    await story.advance(180_000);
    const { perMinute } = await story.callsPerMinute(2);
    expect(perMinute).toBeLessThanOrEqual(70);
  });

  it('is no rival if it sets fields of its own', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    for (let count = 0; count < 20; count++) {
      const body = { spec: { template: { metadata: { annotations: { 'example.com/restartedAt': `${count}` } } } } };
      await story.kube.patch(deployments, key, { type: 'merge', body }, { fieldManager: 'kubectl-rollout' });
      await story.advance(10_000);
    }
    expect(await story.condition('Degraded')).toMatchObject({ status: 'False' });
  });
});
