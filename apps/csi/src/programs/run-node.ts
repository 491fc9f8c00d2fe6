import { startHealthServer } from '@vdo/kube/serving/health-server';
import type { NodeFlags } from '../cli/parse-cli.ts';
import { createCsiNode } from '../node/app.ts';
import type { ProgramDeps } from './program-deps.ts';

/** The node role as a program. */
export const runNode = async (flags: NodeFlags, deps: ProgramDeps, signal: AbortSignal): Promise<void> => {
  const node = createCsiNode({ ...deps, ...flags });
  const health = await startHealthServer({
    host: flags.bindAddress,
    port: flags.healthPort,
    metrics: deps.metrics,
    ready: { node: node.notReady },
  });
  deps.logger.info('serving health and metrics', { url: health.url });
  try {
    await node.run(signal);
  } finally {
    await health.close();
  }
};
