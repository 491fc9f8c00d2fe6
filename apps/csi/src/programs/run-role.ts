import { hostname } from 'node:os';
import { createSystemClock } from '@vdo/base/clock';
import { createLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { names } from '@vdo/config/names';
import type { CliExit, ProgramContext } from '@vdo/program/run-program';
import type { CliResult } from '../cli/parse-cli.ts';
import type { ProgramDeps } from './program-deps.ts';

/** Runs the role of the command line, with the real clock and machine. */
export const runRole = async (
  cli: Exclude<CliResult, CliExit>,
  { version, env, write, signal }: ProgramContext & { readonly version: string },
): Promise<void> => {
  const name = cli.kind === names.snapshotController ? cli.kind : `vsphere-csi-${cli.kind}`;
  const deps: ProgramDeps = {
    version,
    env,
    hostname: hostname(),
    clock: createSystemClock(),
    random: createSystemRandom(),
    logger: createLogger({ name, level: cli.flags.logLevel, write }),
    metrics: createMetrics(),
  };
  // Each role loads only the modules that it needs, because the node role runs on every node.
  if (cli.kind === 'controller') {
    const { runController } = await import('./run-controller.ts');
    await runController(cli.flags, deps, signal);
  } else if (cli.kind === 'node') {
    const { runNode } = await import('./run-node.ts');
    await runNode(cli.flags, deps, signal);
  } else {
    const { runSnapshotController } = await import('./run-snapshot-controller.ts');
    await runSnapshotController(cli.flags, deps, signal);
  }
};
