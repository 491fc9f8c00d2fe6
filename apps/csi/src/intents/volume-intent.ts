import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { MoRef } from '@vdo/vsphere/wire/moref';

export interface ClaimReference {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * A volume that is about to be created. Written before vCenter is asked and removed when the volume is known to whoever wanted it,
 * so that a crash at any point can be picked up without guessing (design decision 7).
 */
export interface VolumeIntent {
  /** Name of the CSI request: the key. */
  readonly name: string;
  /** vCenter that was asked. */
  readonly server: string;
  /** Which vCenter that was, whatever has its name now. Absent: an earlier release noted it. */
  readonly instanceUuid?: string;
  /** Size that was asked for. */
  readonly sizeMb: bigint;
  /** When vCenter was asked, milliseconds since the epoch. */
  readonly askedAtMs: number;
  /** Noted of shares. Absent: a disk, or an earlier release noted it. */
  readonly kind?: 'file';
  /** Volume of which a temporary snapshot was taken to copy it. */
  readonly copyOf?: string;
  /** Claim that it is for. Absent: not known here, or an earlier release noted it. */
  readonly claim?: ClaimReference;
  /** The volume, once it was handed over. From then on its disk belongs to whoever has it, and is not deleted because of this note. */
  readonly handedOver?: string;
  /** Whose note it is. Default: ours. */
  readonly of?: 'go-driver';
  /** vCenter's task, once it accepted. Absent: the outcome of the call is not known. */
  readonly task?: MoRef;
}

/** Remembers intents across restarts. Every write is durable when its promise resolves. */
export interface IntentStore {
  get(name: string, options: { readonly signal: AbortSignal }): Promise<VolumeIntent | undefined>;
  /** Writes or replaces. */
  put(intent: VolumeIntent, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Removing what is not there is no error. */
  remove(name: string, options: { readonly signal: AbortSignal }): Promise<void>;
  list(options: { readonly signal: AbortSignal }): Promise<readonly VolumeIntent[]>;
}

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
