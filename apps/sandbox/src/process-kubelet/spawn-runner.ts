import { onAbort } from '@vdo/base/async/on-abort';
import { VdoError } from '@vdo/base/vdo-error';
import type { Pod } from '@vdo/kube/types/core';
import { beginLog, logFileOf } from '../logs/pod-logs.ts';
import { type AtExit, createExitStack } from '../processes/exit-stack.ts';
import { spawnBound } from '../processes/spawn-bound.ts';
import type { ContainerCommand } from './container-command.ts';
import type { ContainerRunner } from './container-runner.ts';

export interface SpawnRunnerOptions {
  /** The bundle of an app, as the image has it. */
  readonly bundle: (app: string, image: string) => string;
  /** What an image runs if the container does not say: the command and its arguments. */
  readonly images?: Readonly<Record<string, readonly string[]>>;
  /** Arguments that the machine adds, such as `--kubeconfig` in place of the in-cluster token. */
  readonly extraArgs: (app: string, serviceAccount: string) => Promise<readonly string[]>;
  readonly env: Readonly<Record<string, string>>;
  /** Where a container's output goes: one file a container. */
  readonly logFolder: string;
  /** Default 10 s between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  /** However this process ends, its pods end with it. Default: a stack of its own. */
  readonly atExit?: AtExit;
}

const noCommand = (image: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `no command is known for the image ${image}`,
    remedy: 'Give the container a command; images are names only, nothing is pulled.',
    retry: 'backoff',
  });

/** Runs a container as a process of this machine: its bundle under this Node, ended with SIGTERM and then SIGKILL. */
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
