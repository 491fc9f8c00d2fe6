import { startHealthServer } from '@vdo/kube/serving/health-server';
import { nodes } from '@vdo/kube/types/core';
import type { Mounter } from '@vdo/linux-disks/mounter';
import { createCommandRunner, type RunCommand } from '@vdo/linux-disks/run-command';
import type { NodeFlags } from '../cli/parse-cli.ts';
import { createCsiNode } from '../node/app.ts';
import { decideNodeTopology } from '../node/node-topology.ts';
import type { ProgramDeps } from './program-deps.ts';

/** Reads the Node's labels when the kubelet asks: once per registration. */
const topologyReader = async (flags: NodeFlags, deps: ProgramDeps) => {
  const { kubeconfig, nodeName, topologyLabels } = flags;
  if (topologyLabels.length === 0) return undefined;
  const { version, env, clock, metrics } = deps;
  // Without topology the node role needs no Kubernetes client at all.
  const { connectKube } = await import('@vdo/kube/connect-kube');
  const kubeconfigPath = kubeconfig ? { kubeconfigPath: kubeconfig } : {};
  const kube = await connectKube({ ...kubeconfigPath, env, clock, metrics, userAgent: `vsphere-csi/${version}` });
  return async () => decideNodeTopology(await kube.get(nodes, { name: nodeName }), topologyLabels);
};

/** The real commands and mounts of this machine, or simulated ones, for which the sandbox needs no privileges. */
const machineTools = async (
  { simulateMounts, sysfsRoot }: NodeFlags,
  { env, logger }: ProgramDeps,
): Promise<{ readonly run: RunCommand; readonly mounter?: Mounter }> => {
  if (simulateMounts === undefined) return { run: createCommandRunner(env) };
  logger.warn('mounts are simulated: no data is stored on the disks of volumes', { table: simulateMounts });
  const [{ runSimulatedCommand }, { createSimulatedMounter }] = await Promise.all([
    import('@vdo/linux-disks/simulated/simulated-commands'),
    import('@vdo/linux-disks/simulated/simulated-mounter'),
  ]);
  return { run: runSimulatedCommand, mounter: createSimulatedMounter({ tableFile: simulateMounts, sysfsRoot }) };
};

/** The node role as a program. */
export const runNode = async (flags: NodeFlags, deps: ProgramDeps, signal: AbortSignal): Promise<void> => {
  const topology = await topologyReader(flags, deps);
  const tools = await machineTools(flags, deps);
  const node = createCsiNode({ ...deps, ...flags, ...tools, ...(topology ? { topology } : {}) });
  const health = await startHealthServer({
    host: flags.bindAddress,
    port: flags.healthPort,
    metrics: deps.metrics,
    ready: { node: node.notReady },
  });
  deps.logger.info('serving health', { url: health.url });
  try {
    await node.run(signal);
  } finally {
    await health.close();
  }
};
