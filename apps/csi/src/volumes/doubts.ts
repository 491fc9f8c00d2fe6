import type { Clock } from '@vdo/base/clock';
import type { RecentTasks } from '@vdo/vsphere/tasks/recent-tasks';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';

export interface DoubtsDeps {
  readonly clock: Clock;
  /** A proxy may deliver a request up to this time after its connection was closed; 60 s by default. */
  readonly requestMs?: number;
  /** The work of a task that vCenter no longer lists may continue for this time; 6 min by default. */
  readonly forgottenMs?: number;
}

export interface DoubtQuestion {
  /** Identifies the request, not only its object: the next request is a new doubt. */
  readonly key: string;
  readonly tasks: RecentTasks;
  /** The kind of task that could carry it out. */
  readonly kind: RegExp;
  /** vCenter no longer has the task that it had started for it. */
  readonly forgotten: boolean;
}

/** Requests with unknown outcome. Time counts from when this process first recorded the doubt, because clocks of other machines may differ. */
export interface Doubts {
  /** Records that the outcome of a request is unknown, which this process sent at `askedMs` by the monotonic clock. */
  begin(key: string, request: { readonly askedMs: number }): void;
  /**
   * Records that another process may have sent a request before `metMs`, unless this is recorded already. `mayBeForgotten`: vCenter may have lost
   * the task of it, and no running process knows. `mayArrive`: the request may still be on its way to vCenter; true by default.
   */
  inherit(
    key: string,
    request: { readonly metMs: number; readonly mayBeForgotten: boolean; readonly mayArrive?: boolean },
  ): void;
  /** Whether the request may still take effect. The effect must be checked after this call, not before. */
  mayStillHappen(question: DoubtQuestion, options: { readonly signal: AbortSignal }): Promise<boolean>;
  settle(key: string): void;
}

interface Doubt {
  sinceMs: number;
  /** The request was sent at this time at the latest. */
  askedMs: number;
  forgottenSinceMs: number | undefined;
  /** Tasks that ran while the request may have been on its way and that have not ended since. */
  suspects: ReadonlyMap<string, MoRef>;
  /** The list of suspected tasks is complete. */
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
      // After the time in which the request can arrive, a new task belongs to another request.
      const isOpen = mayArrive || !doubt.looked;
      const begun = isOpen ? await tasks.underWay(kind, options) : [];
      // Between the request and the first check, its task may have started and may have been lost, even before the doubt was recorded.
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
