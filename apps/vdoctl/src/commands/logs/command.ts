import type { CommandSpec } from '../../cli/command.ts';
import { type ClusterFlags, clusterOptions, noColorOption, parseDuration, wholeNumber } from '../../cli/options.ts';

export const logSources = ['operator', 'cpi', 'csi-controller', 'csi-node'] as const;
export type LogSource = (typeof logSources)[number];

export interface LogsFlags extends ClusterFlags {
  readonly node?: string;
  readonly since?: number;
  readonly tail: number;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly json: boolean;
}

export const logsCommand: CommandSpec<LogsFlags> = {
  path: ['logs'],
  summary: 'Print the logs of the operator and the drivers, each line with its pod name.',
  arguments: [{ name: '[source]', description: 'program (default: all)', choices: logSources }],
  options: [
    { flags: '-f, --follow', description: 'follow the logs until Ctrl-C', default: false },
    {
      flags: '--tail <lines>',
      description: 'number of lines from the end of each log',
      parse: wholeNumber(0, 1_000_000),
      default: 100,
    },
    { flags: '--since <time>', description: 'only lines newer than this, such as 10m', parse: parseDuration },
    { flags: '--node <name>', description: 'only pods on this node', completes: 'nodes' },
    { flags: '--json', description: 'print the original JSON lines', default: false },
    { flags: '--previous', description: 'print the logs of the containers before their last restart', default: false },
    noColorOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl logs operator --since 10m', purpose: 'show the last ten minutes of the operator' },
    { command: 'vdoctl logs csi-node --node worker-1 --follow', purpose: 'follow the node pod of the storage driver' },
  ],
};
