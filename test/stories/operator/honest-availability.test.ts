import { nodes, pods } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';
import { namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const killPods = async ({ kube }: OperatorStory, part: string) => {
  for (const { metadata } of (await kube.list(pods, { namespace })).items)
    if (metadata.name?.includes(part)) await kube.delete(pods, { namespace, name: metadata.name });
};
const reasons = async (story: OperatorStory) => (await story.events()).map(({ reason }) => reason);

// Issue 17, 4.
describe('Available', () => {
  it('is False while no controller runs and nothing is being changed', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    story.stubs.behave('vdo', 'unready');
    await killPods(story, 'csi-controller');
    await story.becomes('Available', 'False', 'WorkloadsNotReady', 300);
    story.stubs.behave('vdo', 'ready');
    await killPods(story, 'csi-controller');
    await story.becomes('Available', 'True', 'DriversRunning', 300);
  });

  it('is False two minutes after a change of the template if no controller came of it', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    story.stubs.behave('vdo', 'unready');
    await story.describe({ advanced: { csiController: { annotations: { note: 'x' } } } });
    await story.advance(5_000);
    await killPods(story, 'csi-controller');
    await story.advance(3 * 60_000);
    const { status } = await story.kube.get(deployments, { namespace, name: 'vsphere-csi-controller' });
    expect(status?.readyReplicas ?? 0).toBe(0);
    expect(await story.condition('Available')).toMatchObject({ status: 'False' });
  });
});

describe('a driver that waits half-way to another release', () => {
  it('is told to be on its way as long as it waits', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    story.stubs.behave(':1.0.1', 'unready');
    await story.publish(2, both('1.0.0', '1.0.1'));
    const cpi = async () => (await story.drivers())?.status?.drivers?.find(({ kind }) => kind === 'CPI');
    await story.until('its pods to be replaced', async () => (await cpi())?.controllers?.ready === 1);
    for (let minute = 0; minute < 5; minute++) {
      await story.advance(60_000);
      expect(await cpi()).toMatchObject({ version: '1.0.1', target: '1.0.1' });
      expect(await story.condition('Progressing')).toMatchObject({ status: 'True', reason: 'Upgrading' });
    }
  });
});

// Issue 17, 5.
describe('a good release', () => {
  it('is not taken back because a clock was set', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    story.stubs.behave(':1.0.1', 'unready');
    await story.publish(2, both('1.0.0', '1.0.1'));
    await story.until('the upgrade to begin', async () => (await reasons(story)).includes('UpgradeStarted'));
    await story.advance(20_000);
    story.setAhead('operator-1', 20 * 60_000);
    await story.advance(60_000);
    expect(await reasons(story)).not.toContain('UpgradeFailed');
    story.stubs.behave(':1.0.1', 'ready');
    await killPods(story, 'vsphere-c');
    await story.until('the upgrade to end', async () => (await reasons(story)).includes('UpgradeCompleted'));
  });
});

// Issue 17, 12.
describe('a silent node', () => {
  it('does not excuse the broken pod of another one', async () => {
    const story = await openOperatorStory({ nodes: 3 });
    story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: { ...fromConfigMap, progressDeadline: '2m' } });
    // The agent of the last node that has its turn does not become ready. Of the node agent alone: a controller that runs there would
    // fail the upgrade for a reason of its own.
    const started = new Set<string>();
    story.stubs.behaveBy(({ metadata, spec: { nodeName = '' } }, image) => {
      if (!image.includes(':1.0.1') || !metadata.name?.startsWith('vsphere-csi-node')) return undefined;
      started.add(nodeName);
      return [...started][2] === nodeName ? 'unready' : undefined;
    });
    await story.publish(2, both('1.0.0', '1.0.1'));
    await story.until('the last node to have its turn', async () => started.size === 3);
    // The first one, whose agent is well, falls silent without need.
    const [name = ''] = started;
    const status = { conditions: [{ type: 'Ready', status: 'Unknown' }] };
    await story.kube.patch(nodes, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
    await story.until(
      'the upgrade of storage to fail',
      async () => (await reasons(story)).includes('UpgradeFailed'),
      6_000,
    );
  });
});
