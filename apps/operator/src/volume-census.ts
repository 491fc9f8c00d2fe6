import { isDeepStrictEqual } from 'node:util';
import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { VolumeCount } from './observation.ts';

export interface VolumeCensus {
  /** The newest count, or a new one if there is none or `request` differs from last time. */
  current(options: { readonly request: string; readonly signal: AbortSignal }): Promise<VolumeCount>;
  /** Counts periodically while the operator leads. */
  run(signal: AbortSignal): Promise<void>;
}

export interface VolumeCensusOptions {
  readonly count: (call: { readonly signal: AbortSignal }) => Promise<VolumeCount>;
  /** Whether the spec contains storage. */
  readonly isNeeded: () => boolean;
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The longest time until the deletion of the last volume is noticed. */
const whileUsedMs = 60_000;
const whileUnusedMs = 5 * 60_000;
/** Extra time per page: 100,000 volumes are not read every minute. */
const perPageMs = 6_000;

/** How long a count is valid. Volumes are not watched, because there may be 100,000. */
export const countHoldsMs = ({ total, attachments, pages }: VolumeCount): number =>
  (total + attachments > 0 ? whileUsedMs : whileUnusedMs) + Math.max(0, pages - 2) * perPageMs;

/** Counts the volumes that need the driver without a pass: only a change starts one. */
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
      // A count from an earlier leadership is outdated.
      last = undefined;
      while (!signal.aborted) {
        await sleep(clock, last ? countHoldsMs(last) : whileUnusedMs, { signal }).catch(() => undefined);
        // The first count is made by a pass.
        if (last && isNeeded() && !signal.aborted) await countAgain(last, signal);
      }
    },
  };
};
