import { createSystemClock } from '@vdo/base/clock';
import { createSeededRandom } from '@vdo/base/random';
import type { CliContext, Environment } from '../cli/context.ts';
import { runCli } from '../cli/run-cli.ts';
import { allCommands, commandGroups } from '../commands/all-commands.ts';

export interface VdoctlRun {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

export interface VdoctlOptions {
  readonly env?: Environment;
  readonly input?: string;
  readonly clock?: CliContext['clock'];
  readonly signal?: AbortSignal;
  /** Seed for random values. Default 1. */
  readonly seed?: number;
  /** Receives the output while the command runs. */
  readonly onOut?: (text: string) => void;
}

/** Runs vdoctl in this process, without a terminal. It uses a sandbox only if the environment names one. */
export const runVdoctl = async (argv: readonly string[], options: VdoctlOptions = {}): Promise<VdoctlRun> => {
  let out = '';
  let err = '';
  const exitCode = await runCli({ commands: allCommands, groups: commandGroups }, argv, {
    terminal: {
      out: (text) => {
        out += text;
        options.onOut?.(text);
      },
      err: (text) => {
        err += text;
      },
      interactive: false,
      outIsTerminal: false,
      columns: undefined,
      rows: undefined,
      readInput: async () => options.input ?? '',
    },
    env: { VDO_SANDBOX_RECORD: '/nonexistent', ...options.env },
    clock: options.clock ?? createSystemClock(),
    random: createSeededRandom(options.seed ?? 1),
    signal: options.signal ?? new AbortController().signal,
    version: '0.0.0-test',
  });
  return { exitCode, out, err };
};
