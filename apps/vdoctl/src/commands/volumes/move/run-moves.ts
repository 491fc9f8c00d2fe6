import type { Attempt } from '@vdo/acts/attempt';
import { moveDisk } from '@vdo/acts/disks/move-disk';
import { type Clock, sleep } from '@vdo/base/clock';
import { effectOf } from '@vdo/base/vdo-error';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { cnsTaskKinds } from '@vdo/vsphere/tasks/cns-task-kinds';
import type { Progress } from '../../../output/progress.ts';
import type { SeenMove } from './observe-move.ts';
import type { MoveRow } from './plan-moves.ts';
import { whyStay } from './why-stay.ts';

export type MoveOutcome =
  | { readonly kind: 'moved'; readonly row: MoveRow }
  | { readonly kind: 'stayed'; readonly row: MoveRow; readonly why: string };

export interface RunMovesInput {
  readonly clusterId: string;
  readonly observe: (id: string) => Promise<{ readonly attempt: Attempt; readonly seen: SeenMove }>;
  readonly progress: Progress;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How often vCenter is asked whether a move still runs. */
const lookMs = 5_000;

const label = ({ persistentVolume, handle }: MoveRow): string => persistentVolume ?? handle;

const isThere = async (vcenter: FullVCenter, id: string, url: string, signal: AbortSignal): Promise<boolean> =>
  (await vcenter.cns.queryVolumes({ volumeIds: [id] }, { signal })).some(
    (volume) => volume.id === id && volume.datastoreUrl === url,
  );

/**
 * Moves one volume after the other: vCenter moves one per call. Each is checked again before. A move whose reply was lost is not
 * repeated: vCenter is asked where the volume is, once no move runs any more.
 */
export const runMoves = async (rows: readonly MoveRow[], input: RunMovesInput): Promise<readonly MoveOutcome[]> => {
  const { observe, progress, clock, signal, clusterId } = input;

  /** A move that an earlier run of this command, or somebody else, began. */
  const waitForMoves = async (vcenter: FullVCenter, what: string): Promise<void> => {
    while ((await vcenter.tasks.underWay(cnsTaskKinds.relocateVolume, { signal })).length > 0) {
      progress.update(`${what}: waiting for a move that vCenter ${vcenter.server} is carrying out`);
      await sleep(clock, lookMs, { signal });
    }
  };

  const move = async (row: MoveRow, what: string): Promise<MoveOutcome> => {
    const before = await observe(row.handle);
    if (before.seen.found) await waitForMoves(before.seen.found.vcenter, what);
    const { attempt, seen } = await observe(row.handle);
    const why = whyStay(seen.facts);
    if (why?.rule === 'already-there') return { kind: 'moved', row };
    if (why || !seen.found) return { kind: 'stayed', row, why: why?.reason ?? 'it was not found' };
    const { vcenter, target, evidence } = seen.found;
    progress.update(`${what}: vCenter ${vcenter.server} copies it to ${target.name}`);
    try {
      await moveDisk(attempt, { vcenter, volumeId: row.handle, clusterId, datastore: target.ref, evidence });
      return { kind: 'moved', row };
    } catch (error) {
      if (signal.aborted || effectOf(error) !== 'unknown') throw error;
      progress.update(`${what}: the reply was lost; asking vCenter ${vcenter.server} where the volume is`);
      await waitForMoves(vcenter, what);
      if (await isThere(vcenter, row.handle, target.url, signal)) return { kind: 'moved', row };
      return { kind: 'stayed', row, why: 'vCenter did not move it: the reply to the call was lost' };
    }
  };

  const outcomes: MoveOutcome[] = [];
  for (const [index, row] of rows.entries()) {
    const what = `${index + 1} of ${rows.length}: ${label(row)}`;
    const beganMs = clock.monotonicMs();
    try {
      const outcome = await move(row, what);
      outcomes.push(outcome);
      const seconds = Math.round((clock.monotonicMs() - beganMs) / 1000);
      if (outcome.kind === 'moved') progress.done(`${what} moved to ${row.to} in ${seconds} s`);
      else {
        progress.end();
        progress.done(`${what} not moved: ${outcome.why}`);
      }
    } catch (error) {
      progress.end();
      if (signal.aborted) {
        const left = rows.length - index - 1;
        progress.done(`${what}: stopped. vCenter may go on moving this volume; ${left} more were not begun`);
        progress.done('run the same command again: it waits for the running move and goes on with the others');
        throw error;
      }
      outcomes.push({ kind: 'stayed', row, why: error instanceof Error ? error.message : String(error) });
      progress.done(`${what} not moved: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return outcomes;
};
