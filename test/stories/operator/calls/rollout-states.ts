import { sleep } from '@vdo/base/clock';
import { nodes } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { both, fromConfigMap } from '../matrices.ts';
import { account, namespace, type OperatorStory, openOperatorStory } from '../operator-world.ts';
import { broken, eachSecond, followingMatrix, type State } from './measure.ts';

const csiController = { namespace, name: 'vsphere-csi-controller' };

/** Pods that come up, serve for a while and crash. */
const crashingAfter = async (ms: number) => {
  const opened: { story?: OperatorStory } = {};
  const story = await openOperatorStory({
    whileReady: async (_pod, signal) => {
      if (!opened.story) return;
      await sleep(opened.story.clock, ms, { signal });
      throw new Error('the stub crashes as told');
    },
  });
  story.start();
  await story.publish(1, both('1.0.0'));
  await story.install({ updates: fromConfigMap });
  opened.story = story;
  await story.publish(2, both('1.0.0', '1.0.1'));
  return story;
};

const upgradingTo = async (behaviour: 'crash' | 'unready' | 'no-image') => {
  const story = await followingMatrix();
  story.stubs.behave(':1.0.1', behaviour);
  await story.publish(2, both('1.0.0', '1.0.1'));
  return story;
};

/** Rollouts that are under way and get nowhere. The first ones are measured while they wait for their deadline. */
export const rolloutStates: readonly State[] = [
  ['a release crashes and waits for its deadline', broken, () => upgradingTo('crash'), 0],
  ['a release does not become ready and waits for its deadline', broken, () => upgradingTo('unready'), 0],
  ['a release without an image waits for its deadline', broken, () => upgradingTo('no-image'), 0],
  ['pods crash twenty seconds after they became ready', broken, () => crashingAfter(20_000)],
  ['pods crash two minutes after they became ready', broken, () => crashingAfter(120_000)],
  [
    'a release crashes, a rival fights, the Secret and a node change each second',
    broken,
    async () => {
      const story = await followingMatrix();
      const key = csiController;
      let count = 0;
      eachSecond(story, async () => {
        count += 1;
        const body = { status: { conditions: [{ type: 'Ready', status: count % 2 === 0 ? 'Unknown' : 'True' }] } };
        await story.kube.patch(nodes, { name: 'node-1' }, { type: 'merge', body }, { subresource: 'status' });
        await story.putSecret({ ...account, n: `${count}` } as typeof account);
        const rival = { type: 'merge', body: { spec: { replicas: 5 } } } as const;
        await story.kube.patch(deployments, key, rival, { fieldManager: 'rival' });
      });
      story.stubs.behave(':1.0.1', 'crash');
      await story.publish(2, both('1.0.0', '1.0.1'));
      await story.describe({ updates: fromConfigMap });
      return story;
    },
    26,
  ],
];
