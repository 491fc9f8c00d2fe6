// Follows all nodes; tells when they are synced, the memory it takes, and when so many updates have come.
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createSystemRandom } from '@vdo/base/random';
import { connectKube } from '@vdo/kube/connect-kube';
import { createInformer } from '@vdo/kube/create-informer';
import { type Node, nodes } from '@vdo/kube/types/core';

const [kubeconfigPath = '', expected = '0'] = process.argv.slice(2);
const clock = createSystemClock();
const client = await connectKube({ kubeconfigPath, env: {}, clock });

/** Keeps what a cloud controller reads of a node. */
const withoutBallast = (node: Node): Node => {
  const { images: _, ...status } = { images: undefined, ...node.status };
  return { ...node, status };
};

const informer = createInformer({
  client,
  resource: nodes,
  clock,
  random: createSystemRandom(),
  logger: silentLogger,
  transform: withoutBallast,
});
let updates = 0;
let firstMs = 0;
informer.onChange(({ type }) => {
  if (type !== 'updated') return;
  if (updates === 0) firstMs = performance.now();
  updates += 1;
  if (updates === Number(expected)) console.log(`updates ${updates} ${Math.round(performance.now() - firstMs)}`);
});
void informer.run(new AbortController().signal);
await informer.waitForSync();
console.log(`synced ${informer.list().length} ${Math.round(performance.now())}`);
setTimeout(() => console.log(`rss ${Math.round(process.memoryUsage.rss() / 1024)}`), 2_000);
