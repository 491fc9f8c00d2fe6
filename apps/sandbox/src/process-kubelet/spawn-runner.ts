import { onAbort } from '@vdo/base/async/on-abort';
import { VdoError } from '@vdo/base/vdo-error';
import type { Pod } from '@vdo/kube/types/core';
import { beginLog, logFileOf } from '../logs/pod-logs.ts';
import { type AtExit, createExitStack } from '../processes/exit-stack.ts';
import { spawnBound } from '../processes/spawn-bound.ts';
import type { ContainerCommand } from './container-command.ts';
import type { ContainerRunner } from './container-runner.ts';

export interface SpawnRunnerOptions {
  /** The bundle of an app, as in the image. */
  readonly bundle: (app: string, image: string) => string;
  /** The command and arguments of an image, if the container has none. */
  readonly images?: Readonly<Record<string, readonly string[]>>;
  /** Arguments that this machine adds, such as `--kubeconfig` instead of the in-cluster token. */
  readonly extraArgs: (app: string, serviceAccount: string) => Promise<readonly string[]>;
  readonly env: Readonly<Record<string, string>>;
  /** The log file of a container. */
  readonly logFolder: string;
  /** Default 10 s between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  /** Kills the pods however this process ends. Default: a stack of its own. */
  readonly atExit?: AtExit;
}

const noCommand = (image: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `no command is known for the image ${image}`,
    remedy: 'Set the command of the container. The sandbox does not pull images; it only knows their names.',
    retry: 'backoff',
  });

/** Runs a container as a process of this machine: its bundle with this Node.js, stopped with SIGTERM and then SIGKILL. */
export const createSpawnRunner = (options: SpawnRunnerOptions): ContainerRunner => {
  const atExit = options.atExit ?? createExitStack(process);
  const commandLine = async (
    { app, nodeFlags, args }: ContainerCommand,
    image: string,
    pod: Pod,
  ): Promise<readonly string[]> => {
    if (app === '') return args.length > 0 ? args : (options.images?.[image] ?? []);
    const extra = await options.extraArgs(app, pod.spec.serviceAccountName ?? 'default');
    return [process.execPath, ...nodeFlags, options.bundle(app, image), ...args, ...extra];
  };
  return async ({ pod, container, command }, { signal }) => {
    const { image } = container;
    const [program, ...args] = await commandLine(command, image, pod);
    if (program === undefined) throw noCommand(image);
    signal.throwIfAborted();
    const { graceMs } = options;
    const logFile = logFileOf(options.logFolder, pod.metadata.name ?? 'pod', container.name);
    beginLog(logFile);
    const child = spawnBound(program, args, {
      env: { ...options.env, ...command.env },
      logFile,
      atExit,
      ...(graceMs === undefined ? {} : { graceMs }),
    });
    const stopListening = onAbort(signal, () => void child.stop());
    try {
      const { code, signal: killed } = await child.ended;
      if (!signal.aborted && code !== 0)
        throw new Error(`${command.app || container.name} ended with ${killed ?? `exit code ${code}`}`);
    } finally {
      stopListening();
    }
  };
};
