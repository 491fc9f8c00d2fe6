import type { HealthWord } from '@vdo/config/api/health';
import type { DriverStatus, VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import type { Attention } from './rows/attention-row.ts';
import type { DatastoreRow, EventRow, HostRow, NodeRow, PolicyRow } from './rows/place-rows.ts';
import type { MomentRow, SampleRow } from './rows/time-rows.ts';
import type { VolumeRow } from './rows/volume-row.ts';

/** Calls to the vCenters in one interval. */
export interface CallSample {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly calls: number;
  /** How many of them failed. */
  readonly errors: number;
  /** Mean; null if there was no call. */
  readonly latencyMs: number | null;
}

/** The latest calls to the vCenters, oldest first. */
export interface CallHistory {
  /** Whose calls. */
  readonly of: string;
  readonly everyMs: number;
  readonly samples: readonly CallSample[];
  /** Why the last reading failed; empty if it did not. */
  readonly problem: string;
}

/** Something that the page cannot show right now, and why. */
export interface Gap {
  readonly what: string;
  readonly why: string;
}

/** What the page shows besides its tables. It is small and sent whole. */
export interface Summary {
  readonly cluster: string;
  readonly health: HealthWord;
  readonly reason: string;
  /** Why the facts may be old; empty while the API server answers. */
  readonly stale: string;
  /** `reading`: the first lists have not arrived yet. */
  readonly setup: 'reading' | 'not-installed' | 'not-configured' | 'configured';
  readonly conditions: NonNullable<VSphereDriversStatus['conditions']>;
  readonly drivers: readonly DriverStatus[];
  readonly versions: NonNullable<VSphereDriversStatus['versions']>;
  readonly vcenters: readonly string[];
  readonly nodes: { readonly total: number; readonly initialized: number };
  readonly checks: Omit<NonNullable<VSphereDriversStatus['checks']>, 'failing'> | null;
  readonly attention: readonly Attention[];
  /** When the leader last read volumes and datastores from vCenter, in milliseconds since 1970; null if it has not. */
  readonly inventoryAtMs: number | null;
  readonly gaps: readonly Gap[];
  /** Since when this server has watched, in milliseconds since 1970: of the time before it knows no rates and no changes. */
  readonly watchedSinceMs: number;
  /** Whose counts of rates and times these are, if they are not those of this server; else empty. */
  readonly ratesOf: string;
  /** Null if nobody counts them. */
  readonly calls: CallHistory | null;
}

/** Lists of things that have an address of their own. Rows are sent again only when they change. */
export interface Tables {
  readonly nodes: readonly NodeRow[];
  readonly hosts: readonly HostRow[];
  readonly volumes: readonly VolumeRow[];
  readonly datastores: readonly DatastoreRow[];
  readonly policies: readonly PolicyRow[];
  readonly events: readonly EventRow[];
  /** Counts of the last day. */
  readonly samples: readonly SampleRow[];
  /** What happened in the last day, as far as this server saw it. */
  readonly moments: readonly MomentRow[];
}
export type TableName = keyof Tables;
export const tableNames = [
  'nodes',
  'hosts',
  'volumes',
  'datastores',
  'policies',
  'events',
  'samples',
  'moments',
] as const;

/** Everything the page shows. */
export interface DashboardModel {
  /** Milliseconds since 1970 when this was put together. */
  readonly asOfMs: number;
  readonly summary: Summary;
  readonly tables: Tables;
}

/** One message of the stream: what changed since the one before. */
export interface Update {
  readonly asOfMs: number;
  /** The page forgets what it has: this is the beginning. */
  readonly isFirst?: true;
  readonly summary?: Summary;
  readonly put?: { readonly [Name in TableName]?: Tables[Name] };
  /** Keys of rows that are gone. */
  readonly gone?: { readonly [Name in TableName]?: readonly string[] };
}

/** Where the page's facts come from. */
export interface DashboardSource {
  current(): DashboardModel;
  /** Called after each change; gives back how to stop. */
  onChange(listener: () => void): () => void;
}
