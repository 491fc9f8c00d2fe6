// A controller with nothing to do: what every program of this project costs before its own work.
import { createSystemClock } from '@vdo/base/clock';
import { createLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { connectKube } from '@vdo/kube/connect-kube';
import { createController } from '@vdo/kube/create-controller';
import { createInformer } from '@vdo/kube/create-informer';
import { createLeaderElector } from '@vdo/kube/create-leader-elector';
import { enqueueOn } from '@vdo/kube/enqueue-on';
import { startHealthServer } from '@vdo/kube/serving/health-server';
import { configMaps } from '@vdo/kube/types/core';

const [kubeconfigPath = ''] = process.argv.slice(2);
const common = {
  clock: createSystemClock(),
  random: createSystemRandom(),
  logger: createLogger({ name: 'empty', write: () => {} }),
  metrics: createMetrics(),
};
const client = await connectKube({ kubeconfigPath, env: {}, ...common });
const informer = createInformer({ ...common, client, resource: configMaps, namespace: 'default' });
const controller = createController({ ...common, name: 'empty', reconcile: async () => ({}) });
const lease = { namespace: 'default', name: `empty-${common.random.uuid()}` };
const elector = createLeaderElector({ ...common, client, lease, identity: 'empty' });
enqueueOn(informer, controller);
await startHealthServer({ host: '127.0.0.1', port: 0, metrics: common.metrics });
await elector.run(new AbortController().signal, async (signal) => {
  void informer.run(signal);
  await informer.waitForSync();
  console.log(`ready ${Math.round(performance.now())} ${Math.round(process.memoryUsage.rss() / 1024)}`);
  await controller.run(signal);
});
