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
  summary: 'Show the logs of the operator and the drivers, each line with the pod it is from.',
  arguments: [{ name: '[source]', description: 'which program; default: all', choices: logSources }],
  options: [
    { flags: '-f, --follow', description: 'go on with what is written from now on, until Ctrl-C', default: false },
    {
      flags: '--tail <lines>',
      description: 'lines from the end of each log',
      parse: wholeNumber(0, 1_000_000),
      default: 100,
    },
    { flags: '--since <time>', description: 'only what is newer, such as 10m', parse: parseDuration },
    { flags: '--node <name>', description: 'only pods on this node', completes: 'nodes' },
    { flags: '--json', description: 'lines as the programs write them, in JSON', default: false },
    { flags: '--previous', description: 'of the containers before their last restart', default: false },
    noColorOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl logs operator --since 10m', purpose: 'what the operator did in the last ten minutes' },
    { command: 'vdoctl logs csi-node --node worker-1 --follow', purpose: 'follow the node part of the storage driver' },
  ],
};
