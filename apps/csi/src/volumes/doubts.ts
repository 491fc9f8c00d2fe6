import type { Clock } from '@vdo/base/clock';
import type { RecentTasks } from '@vdo/vsphere/tasks/recent-tasks';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';

export interface DoubtsDeps {
  readonly clock: Clock;
  /** A request may be on its way this long after its connection was closed, held by a proxy. Default 60 s. */
  readonly requestMs?: number;
  /** Work of a task that vCenter forgot may go on this long. Default 6 min. */
  readonly forgottenMs?: number;
}

export interface DoubtQuestion {
  /** Names the request, not only what was asked for: the next request is a new doubt. */
  readonly key: string;
  readonly tasks: RecentTasks;
  /** Tasks of this kind could do it. */
  readonly kind: RegExp;
  /** vCenter does not know the task any more that it had begun for it. */
  readonly forgotten: boolean;
}

/** Requests of which nobody knows what became. Time counts from when this process first met the doubt: clocks of others may differ. */
export interface Doubts {
  /** Notes that a request is in doubt from now on, which this process sent at `askedMs` by the monotonic clock. */
  begin(key: string, request: { readonly askedMs: number }): void;
  /**
   * Notes that another may have sent a request before `metMs`, unless it is noted already. `mayBeForgotten`: so may vCenter have its task,
   * of which nobody who was there is left to tell. `mayArrive`: the request itself may still be on its way; default true.
   */
  inherit(
    key: string,
    request: { readonly metMs: number; readonly mayBeForgotten: boolean; readonly mayArrive?: boolean },
  ): void;
  /** Whether what was asked for may still come about. Its effect is to be looked for after this, not before. */
  mayStillHappen(question: DoubtQuestion, options: { readonly signal: AbortSignal }): Promise<boolean>;
  settle(key: string): void;
}

interface Doubt {
  sinceMs: number;
  /** Not later than this it was asked for. */
  askedMs: number;
  forgottenSinceMs: number | undefined;
  /** Tasks that ran while the request may have been on its way, and have not ended since. */
  suspects: ReadonlyMap<string, MoRef>;
  /** The suspects are complete. */
  looked: boolean;
}

export const createDoubts = ({ clock, requestMs = 60_000, forgottenMs = 360_000 }: DoubtsDeps): Doubts => {
  const doubts = new Map<string, Doubt>();
  const doubtOf = (key: string, sinceMs = clock.monotonicMs(), askedMs = Number.NEGATIVE_INFINITY): Doubt => {
    const doubt = doubts.get(key) ?? {
      sinceMs,
      askedMs,
      forgottenSinceMs: undefined,
      suspects: new Map<string, MoRef>(),
      looked: false,
    };
    doubts.set(key, doubt);
    return doubt;
  };
  const isWithin = (ms: number, sinceMs: number | undefined): boolean =>
    sinceMs !== undefined && clock.monotonicMs() - sinceMs < ms;

  return {
    begin: (key, { askedMs }) => {
      const nowMs = clock.monotonicMs();
      const doubt = doubtOf(key, nowMs, askedMs);
      doubt.askedMs = Math.min(doubt.askedMs, askedMs);
      doubt.sinceMs = nowMs;
      doubt.looked = false;
    },
    inherit: (key, { metMs, mayBeForgotten, mayArrive = true }) => {
      const doubt = doubtOf(key, mayArrive ? metMs : Number.NEGATIVE_INFINITY);
      doubt.askedMs = Number.NEGATIVE_INFINITY;
      if (mayBeForgotten) doubt.forgottenSinceMs ??= metMs;
    },
    mayStillHappen: async ({ key, tasks, kind, forgotten }, options) => {
      const doubt = doubtOf(key);
      if (forgotten) doubt.forgottenSinceMs ??= clock.monotonicMs();
      const mayArrive = isWithin(requestMs, doubt.sinceMs);
      const suspects = [...doubt.suspects.values()];
      const fates = suspects.length > 0 ? await tasks.fatesOf(suspects, options) : [];
      if (fates.includes('forgotten')) doubt.forgottenSinceMs = clock.monotonicMs();
      const left = suspects.filter((_task, index) => fates[index] === 'under way');
      // Once the request cannot arrive any more, a task that begins is another's.
      const isOpen = mayArrive || !doubt.looked;
      const begun = isOpen ? await tasks.underWay(kind, options) : [];
      // Between the request and the first look its task may have begun and been forgotten, also before it was known to be in doubt.
      const unseenMs = isOpen ? await tasks.forgottenUntilMs(options) : undefined;
      if (unseenMs !== undefined && unseenMs >= doubt.askedMs)
        doubt.forgottenSinceMs = Math.max(doubt.forgottenSinceMs ?? 0, unseenMs);
      if (!mayArrive) doubt.looked = true;
      doubt.suspects = new Map([...left, ...begun].map((task) => [morefKey(task), task]));
      return mayArrive || doubt.suspects.size > 0 || isWithin(forgottenMs, doubt.forgottenSinceMs);
    },
    settle: (key) => {
      doubts.delete(key);
    },
  };
};
