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
  readonly datastore?: string;
}

export const volumesCommand: CommandSpec<VolumesFlags> = {
  path: ['volumes'],
  summary: 'Show the disk, health and attachment of each PersistentVolume, and orphaned disks.',
  details: 'Changes nothing. Exits with code 3 if a volume is not healthy or no longer exists in vCenter.',
  arguments: [
    {
      name: '[names...]',
      description: 'PersistentVolumes, claims as NAME or NAMESPACE/NAME, or volume IDs (default: all)',
      completes: 'volumes',
    },
  ],
  options: [
    watchOption,
    selectorOption('volumes of claims'),
    { flags: '--orphans', description: 'only volumes of this cluster without a PersistentVolume', default: false },
    { flags: '--datastore <name>', description: 'only volumes on this datastore, by name or URL' },
    ...namespacedListOptions('volumes of claims'),
    ...listOutputOptions,
  ],
  examples: [
    { command: 'vdoctl volumes --orphans', purpose: 'list orphaned disks' },
    { command: 'vdoctl volumes shop/data-0', purpose: 'show the volume of a claim' },
    { command: 'vdoctl volumes -n shop --watch', purpose: 'watch the volumes of a namespace' },
    { command: 'vdoctl volumes -o custom-columns=CLAIM:.claim,ID:.handle', purpose: 'print two columns, for a script' },
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
    'Combines the claim, its PersistentVolume, VolumeAttachments, events and the log lines of the storage driver into one list. The log lines are found by the trace ID, which is the UID of the claim. vCenter logs the same ID with each call that changes something. Exits with code 1 if a log cannot be read. Nothing is changed.',
  arguments: [
    {
      name: '<name>',
      description: 'claim as NAMESPACE/NAME or NAME, PersistentVolume, ID of a volume, or UID of a deleted claim',
      completes: 'volumes',
    },
  ],
  options: [
    { flags: '--since <time>', description: 'period of the logs, such as 30m', ...durationOption(86_400) },
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
  summary: 'Delete orphaned volumes and their disks, selected by ID.',
  details:
    'A volume is kept if it has a PersistentVolume, belongs to another cluster, has snapshots, is attached, or is younger than 7 days. It is also kept if one of these facts cannot be read. Each volume is checked again immediately before it is deleted. Exits with code 1 if a selected volume is kept.',
  options: [
    {
      flags: '--id <id>',
      description: 'volume ID, as shown by vdoctl volumes; repeatable',
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
      purpose: 'show what would be deleted, and why',
    },
  ],
};

export interface MoveFlags extends OutputFlags, ClusterFlags, ConfirmFlags {
  readonly to: string;
  readonly from?: string;
}

export const volumesMoveCommand: CommandSpec<MoveFlags> = {
  path: ['volumes', 'move'],
  summary: 'Move volumes to another datastore, or all volumes of this cluster away from one.',
  details:
    'vCenter copies one disk after the other (CnsRelocateVolume, vCenter 8.0 and later). Each keeps its ID, its PersistentVolume and its storage policy, so that nothing changes in the cluster. A volume stays if it is attached, has snapshots, is a file volume, belongs to another cluster, or if the datastore cannot take it. Each volume is checked again immediately before it is moved. The account needs Datastore.AllocateSpace on the datastore: spec.csi.volumeMoves. Exits with code 1 if a volume was not moved.',
  arguments: [
    {
      name: '[names...]',
      description: 'PersistentVolumes, claims as NAME or NAMESPACE/NAME, or volume IDs',
      completes: 'volumes',
    },
  ],
  options: [
    { flags: '--to <datastore>', description: 'name or URL of the datastore for the volumes', required: true },
    { flags: '--from <datastore>', description: 'move the volumes on this datastore, by name or URL' },
    yesOption,
    dryRunOption,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl volumes move shop/data-0 --to fast --dry-run', purpose: 'show whether a volume can be moved' },
    {
      command: 'vdoctl volumes move --from old --to new',
      purpose: 'empty a datastore before its maintenance',
    },
  ],
};

export interface SyncFlags extends OutputFlags, ClusterFlags {
  /** Seconds. */
  readonly timeout: number;
}

export const volumesSyncCommand: CommandSpec<SyncFlags> = {
  path: ['volumes', 'sync'],
  summary: 'Compare all volumes of the cluster with vCenter now, and show the result.',
  details:
    'The storage driver does this every 30 minutes by itself (full sync): it sends missing metadata to vCenter, registers volumes of PersistentVolumes made by hand, reports the health of volumes on their claims, and searches for orphans. This command asks for it at once and waits until it has ended. Exits with code 1 if the full sync failed.',
  options: [
    { flags: '--timeout <time>', description: 'how long to wait for the end, such as 30m', ...durationOption(600) },
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [{ command: 'vdoctl volumes sync', purpose: 'after a restore, or before a backup' }],
};
