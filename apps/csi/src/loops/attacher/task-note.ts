import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Logger } from '@vdo/base/logger';
import type { MoRef } from '@vdo/vsphere/wire/moref';

export interface TaskNoteOptions {
  readonly write: (value: string) => Promise<unknown>;
  /** Of the VolumeAttachment, for the log. */
  readonly name: string;
  readonly clock: Clock;
  readonly fence: Fence;
  readonly logger: Logger;
  /** Most disks are attached sooner, and spare the API server a write. Default one second. */
  readonly afterMs?: number;
}

/**
 * Tells people which task of vCenter they are waiting for. Nothing is decided by it: a write that fails is not repeated, and none comes
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
      logger.debug('task of an attachment not noted', { name, error });
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
