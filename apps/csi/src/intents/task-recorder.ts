import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { IntentStore, VolumeIntent } from './volume-intent.ts';

export interface TaskRecorder {
  /** Adds the task to the intent, unless the work ends before that would pay. */
  onTask(task: MoRef): Promise<void>;
  /** To be called when the work has ended, and before the intent is removed: no write comes after it. */
  settle(): Promise<void>;
}

export interface TaskRecorderOptions {
  readonly intents: IntentStore;
  readonly intent: VolumeIntent;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Most volumes are made sooner, and spare the API server a write. Default 250 ms. */
  readonly afterMs?: number;
}

const retryMs = { first: 500, most: 10_000 } as const;

/**
 * Notes the task of an operation that takes longer. Without the task a crash still finds the volume by its name, only later; losing a
 * volume over this write would be worse, so that a failed one is told, and repeated while the operation runs.
 */
export const createTaskRecorder = (options: TaskRecorderOptions): TaskRecorder => {
  const { intents, intent, clock, logger, signal, afterMs = 250 } = options;
  let cancel: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isSettled = false;
  const write = (task: MoRef, pauseMs: number): void => {
    writing = intents.put({ ...intent, task }, { signal }).catch((error) => {
      logger.warn('task of a volume not recorded', { name: intent.name, task, error });
      if (isSettled || signal.aborted) return;
      cancel = clock.schedule(() => write(task, Math.min(pauseMs * 2, retryMs.most)), pauseMs);
    });
  };
  return {
    onTask: async (task) => {
      cancel = clock.schedule(() => write(task, retryMs.first), afterMs);
    },
    settle: () => {
      isSettled = true;
      cancel?.();
      return writing;
    },
  };
};
