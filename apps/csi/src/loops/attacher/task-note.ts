import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Logger } from '@vdo/base/logger';
import type { MoRef } from '@vdo/vsphere/wire/moref';

export interface TaskNoteOptions {
  readonly write: (value: string) => Promise<unknown>;
  /** Name of the VolumeAttachment, for the log. */
  readonly name: string;
  readonly clock: Clock;
  readonly fence: Fence;
  readonly logger: Logger;
  /** Delay before the write; one second by default. Most disks are attached sooner, which saves a write to the API server. */
  readonly afterMs?: number;
}

/**
 * Shows people which vCenter task an attachment waits for. No decision depends on it: a failed write is not retried, and nothing is written
 * after the note is settled.
 */
export const createTaskNote = (options: TaskNoteOptions) => {
  const { write, name, clock, fence, logger, afterMs = 1_000 } = options;
  let cancel: (() => void) | undefined;
  let writing: Promise<unknown> = Promise.resolve();
  const send = async (value: string): Promise<void> => {
    try {
      fence.assertHeld();
      await write(value);
    } catch (error) {
      logger.debug('cannot record the task of an attachment', { name, error });
    }
  };
  return {
    onTask: ({ value }: MoRef): void => {
      cancel?.();
      const acceptedAt = new Date(clock.now()).toISOString();
      cancel = clock.schedule(() => {
        writing = send(`${value} ${acceptedAt}`);
      }, afterMs);
    },
    settle: async (): Promise<void> => {
      cancel?.();
      await writing;
    },
  };
};
