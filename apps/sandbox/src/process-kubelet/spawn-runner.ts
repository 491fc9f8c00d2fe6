import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { ContainerRunner } from './container-runner.ts';

export interface SpawnRunnerOptions {
  /** The bundle of an app. */
  readonly bundle: (app: string) => string;
  /** Arguments that the machine adds, such as `--kubeconfig` in place of the in-cluster token. */
  readonly extraArgs: (app: string, serviceAccount: string) => Promise<readonly string[]>;
  readonly env: Readonly<Record<string, string>>;
  /** Where a container's output goes: one file a pod and app. */
  readonly logFolder: string;
  /** Default 10 s between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
}

/** Runs a container as a process of this machine: its bundle under this Node, ended with SIGTERM and then SIGKILL. */
export const createSpawnRunner =
  (options: SpawnRunnerOptions): ContainerRunner =>
  async ({ pod, command }, { signal }) => {
    const extra = await options.extraArgs(command.app, pod.spec.serviceAccountName ?? 'default');
    signal.throwIfAborted();
    const child = spawn(process.execPath, [options.bundle(command.app), ...command.args, ...extra], {
      env: { ...options.env, ...command.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(join(options.logFolder, `${pod.metadata.name ?? 'pod'}-${command.app}.log`), {
      flags: 'a',
    });
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
          if (signal.aborted) resolve();
          else reject(new Error(`${command.app} ended with ${killed ?? `exit code ${code}`}`));
        });
      });
    } finally {
      process.removeListener('exit', kill);
      clearTimeout(killing);
      signal.removeEventListener('abort', terminate);
      log.end();
    }
  };
