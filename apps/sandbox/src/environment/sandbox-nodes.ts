import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@vdo/base/clock';
import { createLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { names } from '@vdo/config/names';
import type { NodeDisks, NodeMachine } from '../disks/node-disks.ts';
import type { ContainerRunner } from '../process-kubelet/container-runner.ts';
import { createProcessKubelet } from '../process-kubelet/process-kubelet.ts';
import { createSpawnRunner } from '../process-kubelet/spawn-runner.ts';
import type { AtExit } from '../processes/exit-stack.ts';
import { demo } from './demo-objects.ts';
import { createDiary } from './diary.ts';
import { sandboxMark } from './join-nodes.ts';
import { keepNodesAlive } from './node-heartbeat.ts';
import { createOwnPods } from './own-pods.ts';
import type { SandboxCluster } from './sandbox-cluster.ts';

export interface SandboxNodesOptions {
  readonly cluster: SandboxCluster;
  /** Absent: node pods of the storage driver use the disks of this machine. */
  readonly disks?: NodeDisks;
  /** Namespace of the drivers; the accounts of their pods are there. */
  readonly namespace: string;
  /** Folder for the files of pods. Must be short: it contains sockets. */
  readonly folder: string;
  readonly logFolder: string;
  readonly isHollow?: (nodeName: string) => boolean;
  /** Nodes to keep alive in an external cluster. */
  readonly nodeNames: readonly string[];
  /** UIDs of the objects that this sandbox has applied: in an external cluster, only these become processes. */
  readonly made: ReadonlySet<string>;
  readonly bundle: (app: string) => string;
  readonly env: Readonly<Record<string, string>>;
  readonly atExit: AtExit;
  readonly clock: Clock;
  readonly random: Random;
}

/** Tells the node role of the storage driver where the folder of its machine is. */
const machineArgs = ({ sysfsRoot, devRoot, mountTable }: NodeMachine): readonly string[] => [
  ...['--sysfs-root', sysfsRoot, '--dev-root', devRoot],
  ...(mountTable === undefined ? [] : ['--simulate-mounts', mountTable]),
];

/** Runs the pods of all nodes on this machine; returns the function that stops them. */
export const startSandboxNodes = async (options: SandboxNodesOptions): Promise<{ stop(): Promise<void> }> => {
  const { cluster, disks, namespace, logFolder, clock, random } = options;
  await mkdir(logFolder, { recursive: true });
  const log = createWriteStream(join(logFolder, 'kubelet.log'), { flags: 'a' });
  const logger = createLogger({ name: 'process-kubelet', level: 'debug', write: (line) => void log.write(line) });
  const kubeconfig = (account: string) => cluster.accountConfig(namespace, account);
  const spawn = createSpawnRunner({
    bundle: options.bundle,
    logFolder,
    env: options.env,
    atExit: options.atExit,
    extraArgs: async (_, account) => ['--kubeconfig', await kubeconfig(account)],
  });
  const diary = createDiary(clock, logFolder);
  const run: ContainerRunner = async (what, context) => {
    const { pod, container, command } = what;
    if (container.image === demo.image) return diary(what, context);
    const isNodeRole = command.app === 'csi' && command.args[0] === 'node';
    if (!isNodeRole || !disks) return spawn(what, context);
    const args = [...command.args, ...machineArgs(await disks.machine(pod.spec.nodeName ?? ''))];
    return spawn({ ...what, command: { ...command, args } }, context);
  };
  const kubelet = createProcessKubelet({
    kube: cluster.kube,
    folder: join(options.folder, 'pods'),
    run,
    ...(options.isHollow ? { isHollow: options.isHollow } : {}),
    ...(cluster.shownAddress ? { shownAddress: cluster.shownAddress } : {}),
    ...(cluster.outside
      ? {
          own: createOwnPods({ kube: cluster.kube, namespace, made: options.made, inventory: names.inventory }),
          ownTaint: sandboxMark,
        }
      : {}),
    clock,
    random,
    logger,
    metrics: createMetrics(),
  });
  const pods = new AbortController();
  const running = kubelet.run(pods.signal);
  const beating = cluster.outside
    ? keepNodesAlive({ kube: cluster.kube, clock, nodeNames: options.nodeNames }, pods.signal)
    : undefined;
  const following = new AbortController();
  const followed = disks?.run(following.signal);
  return {
    stop: async () => {
      pods.abort(new Error('the sandbox is stopping'));
      await Promise.all([running, beating]);
      following.abort(new Error('the sandbox is stopping'));
      await followed;
      log.end();
    },
  };
};
