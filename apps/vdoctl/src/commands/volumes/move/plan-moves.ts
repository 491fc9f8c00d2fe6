import type { VolumeRow } from '../rows.ts';
import type { SeenMove } from './observe-move.ts';
import { type StayReason, whyStay } from './why-stay.ts';

export interface MoveRow {
  readonly persistentVolume: string | null;
  readonly claim: string | null;
  readonly handle: string;
  readonly capacityGb: number | null;
  readonly from: string | null;
  readonly to: string;
  readonly action: 'move' | 'stay';
  readonly rule: StayReason['rule'] | null;
  readonly reason: string | null;
}

const mib = 1024n ** 2n;

/** What would become of each volume. The space that earlier ones take is not there for later ones. */
export const planMoves = (
  volumes: readonly { readonly row: VolumeRow; readonly seen: SeenMove }[],
  to: string,
): readonly MoveRow[] => {
  let reservedBytes = 0n;
  return volumes.map(({ row, seen }): MoveRow => {
    const { volume } = seen.facts;
    const why = whyStay({ ...seen.facts, reservedBytes });
    if (!why && volume) reservedBytes += volume.capacityMb * mib;
    return {
      persistentVolume: row.persistentVolume,
      claim: row.claim,
      handle: row.handle,
      capacityGb: volume ? Number(volume.capacityMb) / 1024 : row.capacityGb,
      from: seen.found?.source?.name ?? row.datastore,
      to: seen.found?.target.name ?? to,
      action: why ? 'stay' : 'move',
      rule: why?.rule ?? null,
      reason: why?.reason ?? null,
    };
  });
};

/** Commands that move the volumes back, one for each datastore from which they came. */
export const wayBack = (moved: readonly MoveRow[]): readonly string[] => {
  const bySource = new Map<string, string[]>();
  for (const { from, handle, persistentVolume } of moved)
    if (from !== null) bySource.set(from, [...(bySource.get(from) ?? []), persistentVolume ?? handle]);
  return [...bySource].map(([from, names]) => `vdoctl volumes move ${names.join(' ')} --to '${from}'`);
};
