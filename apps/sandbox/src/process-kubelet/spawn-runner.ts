import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
import type { Pod } from '@vdo/kube/types/core';
import type { ContainerCommand } from './container-command.ts';
import type { ContainerRunner } from './container-runner.ts';

export interface SpawnRunnerOptions {
  /** The bundle of an app. */
  readonly bundle: (app: string) => string;
  /** What an image runs if the container does not say: the command and its arguments. */
  readonly images?: Readonly<Record<string, readonly string[]>>;
  /** Arguments that the machine adds, such as `--kubeconfig` in place of the in-cluster token. */
  readonly extraArgs: (app: string, serviceAccount: string) => Promise<readonly string[]>;
  readonly env: Readonly<Record<string, string>>;
  /** Where a container's output goes: one file a pod and app. */
  readonly logFolder: string;
  /** Default 10 s between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
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
  const commandLine = async (
    { app, nodeFlags, args }: ContainerCommand,
    image: string,
    pod: Pod,
  ): Promise<readonly string[]> => {
    if (app === '') return args.length > 0 ? args : (options.images?.[image] ?? []);
    const extra = await options.extraArgs(app, pod.spec.serviceAccountName ?? 'default');
    return [process.execPath, ...nodeFlags, options.bundle(app), ...args, ...extra];
  };
  return async ({ pod, container, command }, { signal }) => {
    const { image } = container;
    const [program, ...args] = await commandLine(command, image, pod);
    if (program === undefined) throw noCommand(image);
    signal.throwIfAborted();
    const child = spawn(program, args, {
      env: { ...options.env, ...command.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(
      join(options.logFolder, `${pod.metadata.name ?? 'pod'}-${command.app || container.name}.log`),
      {
        flags: 'a',
      },
    );
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    let killing: NodeJS.Timeout | undefined;
    const terminate = () => {
      child.kill('SIGTERM');
      killing = setTimeout(() => child.kill('SIGKILL'), options.graceMs ?? 10_000);
    };
    // However this process ends, its pods end with it.
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    signal.addEventListener('abort', terminate, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code, killed) => {
          if (signal.aborted || code === 0) resolve();
          else reject(new Error(`${command.app || container.name} ended with ${killed ?? `exit code ${code}`}`));
        });
      });
    } finally {
      process.removeListener('exit', kill);
      clearTimeout(killing);
      signal.removeEventListener('abort', terminate);
      log.end();
    }
  };
};
