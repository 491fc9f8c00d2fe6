import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { configMaps, type Node, nodes } from '@vdo/kube/types/core';
import { namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const heapMb = (): number => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed / 1e6;
};
const isPass = (name: string) => name === 'GET /apis/vdo.vmware.com/v1beta1/vspheredrivers/cluster';

/** One pass because the wish has changed, and ten events of things that the operator watches. */
const onePass = async (story: OperatorStory, turn: number): Promise<void> => {
  await story.describe({ deletionPolicy: turn % 2 === 0 ? 'Orphan' : 'Protect' });
  for (let index = 0; index < 8; index++) {
    const metadata = { namespace, name: `noise-${index}`, labels: { 'app.kubernetes.io/managed-by': 'vdo' } };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { turn: `${turn}` } };
    await story.kube.apply(configMaps, object, { fieldManager: 'noise', force: true });
  }
  for (const name of ['node-1', 'node-2']) {
    const status: Node['status'] = { conditions: [{ type: 'Ready', status: turn % 2 === 0 ? 'Unknown' : 'True' }] };
    await story.kube.patch(nodes, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
  }
  await story.advance(1_000);
};

/** Lets an operator make passes, ten events each, and measures the heap after so many of them, with both simulators in it. */
export const heapOfPasses = async ({ turns, every }: { readonly turns: number; readonly every: number }) => {
  // What the simulated server remembers is full long before the first measurement.
  const story = await openOperatorStory({ historyLimit: 2 * every });
  story.start();
  await story.install();
  let passes = 0;
  const heap = new Map<number, number>();
  for (let turn = 1; turn <= turns; turn++) {
    await onePass(story, turn);
    passes += story.calls.filter(({ name }) => isPass(name)).length;
    // The list of calls belongs to the test.
    story.calls.length = 0;
    if (turn % every === 0) heap.set(turn, heapMb());
  }
  return { passes, events: 10 * turns, heap, grownMb: (heap.get(turns) ?? 0) - (heap.get(every) ?? 0) };
};
