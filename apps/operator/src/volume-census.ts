import { isDeepStrictEqual } from 'node:util';
import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { VolumeCount } from './observation.ts';

export interface VolumeCensus {
  /** The newest count, or one made now if there is none or `request` is another than last time. */
  current(options: { readonly request: string; readonly signal: AbortSignal }): Promise<VolumeCount>;
  /** Counts again and again while the operator leads. */
  run(signal: AbortSignal): Promise<void>;
}

export interface VolumeCensusOptions {
  readonly count: (call: { readonly signal: AbortSignal }) => Promise<VolumeCount>;
  /** Whether somebody asks for storage. */
  readonly isNeeded: () => boolean;
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Who has just deleted the last volume waits no longer than that to be let go. */
const whileUsedMs = 60_000;
const whileUnusedMs = 5 * 60_000;
/** For each page: a hundred thousand volumes are not read each minute. */
const perPageMs = 6_000;

/** How long a count holds. Volumes are not watched, because there may be a hundred thousand. */
export const countHoldsMs = ({ total, attachments, pages }: VolumeCount): number =>
  (total + attachments > 0 ? whileUsedMs : whileUnusedMs) + Math.max(0, pages - 2) * perPageMs;

/** Knows how many volumes need the driver, without a pass for it: only a change is worth one. */
export const createVolumeCensus = (options: VolumeCensusOptions): VolumeCensus => {
  const { count, isNeeded, onChange, clock, logger } = options;
  let last: VolumeCount | undefined;
  let asked: string | undefined;

  const countNow = async (signal: AbortSignal): Promise<VolumeCount> => {
    last = await count({ signal });
    return last;
  };

  const countAgain = async (before: VolumeCount, signal: AbortSignal): Promise<void> => {
    try {
      if (!isDeepStrictEqual(await countNow(signal), before)) onChange();
    } catch (error) {
      if (!signal.aborted) logger.warn('the volumes cannot be counted', { error });
    }
  };

  return {
    current: async ({ request, signal }) => {
      if (last && request === asked) return last;
      const counted = await countNow(signal);
      asked = request;
      return counted;
    },
    run: async (signal) => {
      // What another leader has counted is old.
      last = undefined;
      while (!signal.aborted) {
        await sleep(clock, last ? countHoldsMs(last) : whileUnusedMs, { signal }).catch(() => undefined);
        // The first count is that of a pass.
        if (last && isNeeded() && !signal.aborted) await countAgain(last, signal);
      }
    },
  };
};
