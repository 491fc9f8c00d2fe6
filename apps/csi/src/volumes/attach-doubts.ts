import type { Clock } from '@vdo/base/clock';
import { effectOf } from '@vdo/base/vdo-error';
import type { VolumeAttachment } from '@vdo/kube/types/storage';

/** How long vCenter may take to finish an attachment that nobody waits for any more. */
const settleMs = 60_000;

/** Knows for which attachments vCenter may still be at work, so that "it is not attached" is no proof that it will not be. */
export interface AttachDoubts {
  /** Notes an attempt whose end is not known. */
  watch<T>(key: string, attempt: Promise<T>): Promise<T>;
  /** How long it takes until a disk that is found detached stays so; 0 if it does. */
  leftMs(attachment: VolumeAttachment): number;
  /** For an attachment that is gone. */
  forget(key: string): void;
}

/** Begins with the time this process leads: what its predecessor asked for right before is not known. */
export const createAttachDoubts = (clock: Clock): AttachDoubts => {
  const beganMs = clock.now();
  const lastMs = new Map<string, number>();
  return {
    watch: async (key, attempt) => {
      try {
        return await attempt;
      } catch (error) {
        if (effectOf(error) === 'unknown') lastMs.set(key, clock.now());
        throw error;
      }
    },
    leftMs: ({ metadata: { name = '', creationTimestamp }, status }) => {
      const isOlder = creationTimestamp !== undefined && Date.parse(creationTimestamp) <= beganMs;
      // What was seen attached is not being attached, unless an attempt of ours was lost before: it may come late.
      const sinceMs = lastMs.get(name) ?? (isOlder && !status?.attached ? beganMs : undefined);
      return sinceMs === undefined ? 0 : Math.max(0, sinceMs + settleMs - clock.now());
    },
    forget: (key) => void lastMs.delete(key),
  };
};
