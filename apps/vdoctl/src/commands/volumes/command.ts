import type { CommandSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  type ConfirmFlags,
  clusterOptions,
  dryRunOption,
  durationOption,
  listOutputOptions,
  type NamespacedListFlags,
  namespacedListOptions,
  type OutputFlags,
  outputOptions,
  type SelectorFlags,
  selectorOption,
  type WatchFlags,
  watchOption,
  yesOption,
} from '../../cli/options.ts';

export interface VolumesFlags extends OutputFlags, NamespacedListFlags, WatchFlags, SelectorFlags {
  readonly orphans: boolean;
}

export const volumesCommand: CommandSpec<VolumesFlags> = {
  path: ['volumes'],
  summary: 'Show which disk each PersistentVolume is, where it is attached, how it is, and disks nobody owns.',
  details: 'Ends with 3 if a volume is lost or not healthy. Nothing is changed.',
  arguments: [
    {
      name: '[names...]',
      description: 'only these: PersistentVolumes, claims as NAMESPACE/NAME or NAME, or ids of volumes',
      completes: 'volumes',
    },
  ],
  options: [
    watchOption,
    selectorOption('volumes of claims'),
    { flags: '--orphans', description: 'only volumes of this cluster that are no PersistentVolume', default: false },
    ...namespacedListOptions('volumes of claims'),
    ...listOutputOptions,
  ],
  examples: [
    { command: 'vdoctl volumes --orphans', purpose: 'disks that nobody owns any more' },
    { command: 'vdoctl volumes shop/data-0', purpose: 'the volume of one claim' },
    { command: 'vdoctl volumes -n shop --watch', purpose: 'those of a namespace, kept up to date' },
    { command: 'vdoctl volumes -o custom-columns=CLAIM:.claim,ID:.handle', purpose: 'two columns, for a script' },
  ],
};

export interface TraceFlags extends OutputFlags, NamespacedListFlags {
  /** Seconds. */
  readonly since: number;
}

export const volumesTraceCommand: CommandSpec<TraceFlags> = {
  path: ['volumes', 'trace'],
  summary: 'Show what happened to one volume, step by step, with times.',
  details:
    'Joins the claim, its PersistentVolume, VolumeAttachments, events, and the log lines of the storage driver that carry the trace ID, which is the UID of the claim. vCenter logs the same ID with each call that changes something. Ends with 1 if a log cannot be read. Nothing is changed.',
  arguments: [
    {
      name: '<name>',
      description: 'claim as NAMESPACE/NAME or NAME, PersistentVolume, ID of a volume, or UID of a claim that is gone',
      completes: 'volumes',
    },
  ],
  options: [
    { flags: '--since <time>', description: 'how far to read the logs back, such as 30m', ...durationOption(86_400) },
    ...namespacedListOptions('claims'),
    ...outputOptions,
  ],
  examples: [
    { command: 'vdoctl volumes trace shop/data-0', purpose: 'why this claim took so long' },
    { command: 'vdoctl volumes trace shop/data-0 -o json', purpose: 'the same for a script' },
  ],
};

export interface CleanupFlags extends OutputFlags, ClusterFlags, ConfirmFlags {
  readonly id: readonly string[];
}

const collect = (text: string, previous: unknown): readonly string[] => [
  ...(Array.isArray(previous) ? (previous as readonly string[]) : []),
  text,
];

export const volumesCleanupCommand: CommandSpec<CleanupFlags> = {
  path: ['volumes', 'cleanup'],
  summary: 'Delete orphaned volumes and their disks, only those named by id.',
  details:
    'A volume stays if a PersistentVolume has it, if it does not belong to this cluster alone, if it has snapshots, is attached, is younger than 7 days, or if any of that is not known. Each is looked at again right before it is deleted. Ends with 1 if a named one stays.',
  options: [
    {
      flags: '--id <id>',
      description: 'id of a volume, as vdoctl volumes shows it; once per volume',
      required: true,
      parse: collect,
    },
    yesOption,
    dryRunOption,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    {
      command: 'vdoctl volumes cleanup --id 5f3c9a1e-0000-4000-8000-000000000001 --dry-run',
      purpose: 'what would happen, and why',
    },
  ],
};
