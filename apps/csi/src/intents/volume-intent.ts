import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { MoRef } from '@vdo/vsphere/wire/moref';

export interface ClaimReference {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * A volume that is about to be created. Written before vCenter is asked, and removed when the caller knows the volume, so that the driver
 * can continue without guessing after a crash at any point (design decision 7).
 */
export interface VolumeIntent {
  /** Name of the CSI request: the key. */
  readonly name: string;
  /** vCenter that was asked. */
  readonly server: string;
  /** instanceUuid of that vCenter, because another one may have its name now. Absent if an earlier release wrote the intent. */
  readonly instanceUuid?: string;
  /** Requested size. */
  readonly sizeMb: bigint;
  /** When vCenter was asked, milliseconds since the epoch. */
  readonly askedAtMs: number;
  /** Set for file shares. Absent for a disk, or if an earlier release wrote the intent. */
  readonly kind?: 'file';
  /** The volume that is copied by means of a temporary snapshot. */
  readonly copyOf?: string;
  /** The claim that the volume is for. Absent if it is not known, or if an earlier release wrote the intent. */
  readonly claim?: ClaimReference;
  /** The volume ID, after the volume was handed over. From then on its disk belongs to the caller and is not deleted because of this intent. */
  readonly handedOver?: string;
  /** Which driver wrote it; this driver by default. */
  readonly of?: 'go-driver';
  /** vCenter's task, after vCenter accepted the call. Absent: the outcome of the call is not known. */
  readonly task?: MoRef;
}

/** Remembers intents across restarts. Every write is durable when its promise resolves. */
export interface IntentStore {
  get(name: string, options: { readonly signal: AbortSignal }): Promise<VolumeIntent | undefined>;
  /** Writes or replaces. */
  put(intent: VolumeIntent, options: { readonly signal: AbortSignal }): Promise<void>;
  /** It is not an error if the intent does not exist. */
  remove(name: string, options: { readonly signal: AbortSignal }): Promise<void>;
  list(options: { readonly signal: AbortSignal }): Promise<readonly VolumeIntent[]>;
}

export interface TaskRecorder {
  /** Adds the task to the intent, unless the operation ends before that is worth a write. */
  onTask(task: MoRef): Promise<void>;
  /** Must be called when the operation has ended and before the intent is removed: nothing is written after it. */
  settle(): Promise<void>;
}

export interface TaskRecorderOptions {
  readonly intents: IntentStore;
  readonly intent: VolumeIntent;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Delay before the write; 250 ms by default. Most volumes are created sooner, which saves a write to the API server. */
  readonly afterMs?: number;
}

const retryMs = { first: 500, most: 10_000 } as const;

/**
 * Records the task of an operation that takes longer. Without the task, the volume is still found by its name after a crash, only later. To
 * lose a volume because this write failed would be worse, so a failure is only logged, and the write is retried while the operation runs.
 */
export const createTaskRecorder = (options: TaskRecorderOptions): TaskRecorder => {
  const { intents, intent, clock, logger, signal, afterMs = 250 } = options;
  let cancel: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isSettled = false;
  const write = (task: MoRef, pauseMs: number): void => {
    writing = intents.put({ ...intent, task }, { signal }).catch((error) => {
      logger.warn('cannot record the task of a volume', { name: intent.name, task, error });
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
