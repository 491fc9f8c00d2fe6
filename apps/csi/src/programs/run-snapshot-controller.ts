import { names } from '@vdo/config/names';
import { connectKube } from '@vdo/kube/connect-kube';
import { startHealthServer } from '@vdo/kube/serving/health-server';
import type { SnapshotControllerFlags } from '../cli/parse-cli.ts';
import { runSnapshotControllerApp } from '../snapshot-controller-app.ts';
import type { ProgramDeps } from './program-deps.ts';

/** The snapshot-controller role as a program. */
export const runSnapshotController = async (
  flags: SnapshotControllerFlags,
  deps: ProgramDeps,
  signal: AbortSignal,
): Promise<void> => {
  const { version, env, clock, random, metrics, logger, hostname } = deps;
  const kube = await connectKube({
    ...(flags.kubeconfig ? { kubeconfigPath: flags.kubeconfig } : {}),
    env,
    clock,
    metrics,
    userAgent: `snapshot-controller/${version}`,
    fieldManager: names.snapshotController,
  });
  const health = await startHealthServer({
    host: flags.bindAddress,
    port: flags.healthPort,
    metrics,
    // Waiting for the Lease or for the snapshot API is no defect.
    ready: {},
  });
  logger.info('serving health and metrics', { url: health.url });
  const { leaderElectionNamespace: leaseNamespace, workers } = flags;
  try {
    const identity = `${hostname}_${random.uuid()}`;
    await runSnapshotControllerApp({ ...deps, kube, leaseNamespace, identity, workers }, signal);
  } finally {
    await health.close();
    await kube.close();
  }
};
