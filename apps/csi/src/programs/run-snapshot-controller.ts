import { names } from '@vdo/config/names';
import { connectKube } from '@vdo/kube/connect-kube';
import { startServing } from '@vdo/kube/serving/start-serving';
import type { SnapshotControllerFlags } from '../cli/parse-cli.ts';
import { runSnapshotControllerApp } from '../snapshot-controller-app.ts';
import { endpointsOf, type ProgramDeps } from './program-deps.ts';

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
  const serving = await startServing({
    ...endpointsOf(flags, deps),
    ...{ client: kube, metrics, clock, logger },
    // A program that waits for the Lease or for the snapshot API is healthy.
    ready: {},
  });
  const { leaderElectionNamespace: leaseNamespace, workers } = flags;
  try {
    const identity = `${hostname}_${random.uuid()}`;
    await runSnapshotControllerApp({ ...deps, kube, leaseNamespace, identity, workers }, signal);
  } finally {
    await serving.close();
    await kube.close();
  }
};
