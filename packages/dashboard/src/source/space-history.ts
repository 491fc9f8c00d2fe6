import type { Inventory } from '../inventory.ts';
import { datastoreKey } from './disk-index.ts';

/** How much more of a datastore is used than some hours before; below zero: less. */
export interface Growth {
  readonly bytes: number;
  readonly sinceMs: number;
  readonly untilMs: number;
}

interface Reading {
  readonly atMs: number;
  readonly free: number;
}

const keptMs = 24 * 3_600_000;
/** The checks read about every hour, and at once when asked: of readings that are close together the first is enough. */
const apartMs = 600_000;

const added = (before: readonly Reading[], next: Reading): readonly Reading[] => {
  const kept = before.filter(({ atMs }) => atMs >= next.atMs - keptMs && atMs < next.atMs);
  const last = kept.at(-1);
  const isClose = kept.length > 1 && last !== undefined && next.atMs - (kept.at(-2)?.atMs ?? 0) < apartMs;
  return [...(isClose ? kept.slice(0, -1) : kept), next];
};

/** Remembers the free space that the inventory reported in the last day. */
export const createSpaceHistory = () => {
  let readings: ReadonlyMap<string, readonly Reading[]> = new Map();
  let growth: ReadonlyMap<string, Growth> = new Map();
  return {
    note: ({ vcenters }: Inventory): void => {
      readings = new Map(
        vcenters.flatMap(({ vcenter, volumesAtMs, datastores }) =>
          datastores.map((datastore) => {
            const key = datastoreKey(vcenter, datastore);
            const before = readings.get(key) ?? [];
            return [
              key,
              volumesAtMs === undefined ? before : added(before, { atMs: volumesAtMs, free: datastore.free }),
            ] as const;
          }),
        ),
      );
      growth = new Map(
        [...readings].flatMap(([key, list]) => {
          const [first, last] = [list[0], list.at(-1)];
          if (!first || !last || first === last) return [];
          return [[key, { bytes: first.free - last.free, sinceMs: first.atMs, untilMs: last.atMs }] as const];
        }),
      );
    },
    /** By the key of the datastore. */
    growth: (): ReadonlyMap<string, Growth> => growth,
  };
};
