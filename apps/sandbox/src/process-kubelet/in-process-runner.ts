import { createWriteStream } from 'node:fs';
import type { Clock } from '@vdo/base/clock';
import { createLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import { parseCli } from '@vdo/csi/cli/parse-cli';
import { runNode } from '@vdo/csi/programs/run-node';
import type { NodeDisks } from '../disks/node-disks.ts';
import { beginLog, logFileOf } from '../logs/pod-logs.ts';
import type { ContainerRunner } from './container-runner.ts';

export interface NodeRoleRunnerOptions {
  readonly disks: Pick<NodeDisks, 'machine'>;
  readonly kubeconfig: (serviceAccount: string) => Promise<string>;
  readonly logFolder: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Runs the node role of the storage driver inside this process, on the machine that stands for the pod's node. */
export const createNodeRoleRunner =
  (options: NodeRoleRunnerOptions): ContainerRunner =>
  async ({ pod, container, command }, { signal }) => {
    const nodeName = pod.spec.nodeName ?? '';
    const kubeconfig = await options.kubeconfig(pod.spec.serviceAccountName ?? 'default');
    const cli = parseCli([...command.args, '--kubeconfig', kubeconfig]);
    if (cli.kind !== 'node')
      throw new VdoError({
        code: 'InvalidArgument',
        message: `pod ${pod.metadata.name} does not run the node role: ${command.args.join(' ')}`,
        remedy: 'This is a defect of the sandbox: report it.',
      });
    const { sysfsRoot, devRoot, run, mounter } = await options.disks.machine(nodeName);
    const logFile = logFileOf(options.logFolder, pod.metadata.name ?? '', container.name);
    beginLog(logFile);
    const log = createWriteStream(logFile, { flags: 'a' });
    const deps = {
      version: 'sandbox',
      env: command.env,
      hostname: nodeName,
      clock: options.clock,
      random: options.random,
      logger: createLogger({
        name: 'vsphere-csi-node',
        level: cli.flags.logLevel,
        write: (line) => void log.write(line),
      }),
      metrics: createMetrics(),
      run,
      mounter,
    };
    try {
      await runNode({ ...cli.flags, sysfsRoot, devRoot }, deps, signal);
    } finally {
      log.end();
    }
  };
