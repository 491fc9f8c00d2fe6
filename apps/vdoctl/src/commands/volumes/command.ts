import type { CommandSpec } from '../../cli/command.ts';
import { type ClusterFlags, clusterOptions, type OutputFlags, outputOptions } from '../../cli/options.ts';

export interface VolumesFlags extends OutputFlags, ClusterFlags {
  readonly orphans: boolean;
}

export const volumesCommand: CommandSpec<VolumesFlags> = {
  path: ['volumes'],
  summary: 'Show which disk each PersistentVolume is, where it is attached, how it is, and disks nobody owns.',
  details: 'Ends with 3 if a volume is lost or not healthy. Nothing is changed.',
  options: [
    { flags: '--orphans', description: 'only volumes of this cluster that are no PersistentVolume', default: false },
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [{ command: 'vdoctl volumes --orphans', purpose: 'disks that nobody owns any more' }],
};
