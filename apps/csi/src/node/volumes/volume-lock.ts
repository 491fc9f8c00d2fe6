import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';

/** Allows one operation at a time per volume. A concurrent call waits briefly, and then fails so that the caller retries. */
export interface VolumeLock {
  run<T>(volumeId: string, operation: () => Promise<T>): Promise<T>;
}

const busy = (volumeId: string): VdoError =>
  new VdoError({
    code: 'VolumeBusy',
    message: `an earlier operation on volume ${volumeId} has not ended on this node`,
    remedy:
      'The kubelet retries. If this persists, the disk or the file server may not be responding: see dmesg on the node.',
  });

export const createVolumeLock = ({
  clock,
  patienceMs = 3_000,
  maxWaiting = 8,
}: {
  readonly clock: Clock;
  readonly patienceMs?: number;
  readonly maxWaiting?: number;
}): VolumeLock => {
  /** The end of the running operation, and the number of calls that wait for it. */
  const held = new Map<string, { readonly waiting: (() => void)[] }>();

  const acquire = (volumeId: string): Promise<void> => {
    const holder = held.get(volumeId);
    if (!holder) {
      held.set(volumeId, { waiting: [] });
      return Promise.resolve();
    }
    if (holder.waiting.length >= maxWaiting) return Promise.reject(busy(volumeId));
    return new Promise((resolve, reject) => {
      const take = () => {
        cancel();
        resolve();
      };
      const cancel = clock.schedule(() => {
        holder.waiting.splice(holder.waiting.indexOf(take), 1);
        reject(busy(volumeId));
      }, patienceMs);
      holder.waiting.push(take);
    });
  };
  const release = (volumeId: string): void => {
    const next = held.get(volumeId)?.waiting.shift();
    if (next) next();
    else held.delete(volumeId);
  };

  return {
    run: async (volumeId, operation) => {
      await acquire(volumeId);
      try {
        return await operation();
      } finally {
        release(volumeId);
      }
    },
  };
};
