import { configMaps } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { nameOf, outage } from '../troubles.ts';
import { both, fromConfigMap } from './matrices.ts';
import { namespace, openOperatorStory } from './operator-world.ts';

const controller = { namespace, name: 'vsphere-csi-controller' };

// Issue 17, 9.
describe('a note that nobody can read', () => {
  it.each([
    ['vdo-releases', 'nonsense'],
    ['vdo-releases', '{"csi":{"bad":"everything"}}'],
    ['vdo-matrix', '{"lastGood":{"matrix":[]}}'],
    ['vdo-spec', '{"spec":'],
    ['vdo-spec', '{"spec":{"distribution":"Mine"}}'],
    ['vdo-node-places', '[1]'],
  ])('does not keep the drivers from being repaired: %s = %s', async (name, state) => {
    const story = await openOperatorStory();
    const first = story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    first.kill();
    await story.advance(30_000);
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { state } };
    await story.kube.apply(configMaps, object, { fieldManager: 'somebody', force: true });
    await story.kube.delete(deployments, controller);
    story.start('operator-2');
    await story.until('the controller to be back', () => story.kube.find(deployments, controller));
    await story.becomes('Ready', 'True', 'AllReady');
  });
});

// Issue 17, 10.
describe('a leader that was stopped', () => {
  it('does not write its old notes over those of the next one', async () => {
    const story = await openOperatorStory();
    const first = story.start('operator-1');
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const late: number[] = [];
    first.onKube(async (request, next) => {
      if (!/^PATCH .*\/configmaps\/vdo-releases$/.test(nameOf(request))) return next(request);
      await released;
      // What is on its way is not called back by whoever sent it.
      const { signal: _, ...sent } = request;
      const reply = await next(sent);
      late.push(reply.status);
      return reply;
    });
    await story.publish(2, both('1.0.0', '1.0.1'));
    await story.advance(5_000);
    // It loses its Lease while the write is on its way.
    first.onKube(outage(/leases/));
    await story.advance(30_000);
    story.start('operator-2');
    const completed = async () => (await story.events()).filter(({ reason }) => reason === 'UpgradeCompleted').length;
    await story.until('both upgrades to end', async () => (await completed()) === 2);
    await story.advance(30_000);
    const before = await story.kube.get(configMaps, { namespace, name: 'vdo-releases' });
    release();
    await story.advance(60_000);
    expect(late).toEqual([409]);
    expect((await story.kube.get(configMaps, { namespace, name: 'vdo-releases' })).data).toEqual(before.data);
  });
});
