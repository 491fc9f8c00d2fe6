/** An object that has a page, or at least a name. */
export interface ObjectRef {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** What helps, as a sentence and as commands that run as they are. */
export interface Remedy {
  readonly text: string;
  readonly commands: readonly string[];
  /** Path below docs/, with its anchor. */
  readonly docs?: string;
}

/** One cause and everything that follows from it. */
export interface Attention {
  readonly key: string;
  readonly severity: 'fail' | 'warn' | 'unknown';
  readonly title: string;
  readonly message: string;
  /** One word for programs and for `vdoctl explain`; empty if there is none. */
  readonly reason: string;
  /** What it is about, at most 50. */
  readonly objects: readonly ObjectRef[];
  /** Ids of the checks that found it. */
  readonly checks: readonly string[];
  /** Checks that could not be judged because of it. */
  readonly hidden: number;
  /** Since when, in milliseconds since 1970; absent if nobody noted it. */
  readonly sinceMs?: number;
  /** When this was last observed, in milliseconds since 1970; absent: it is observed all the time. */
  readonly seenMs?: number;
  readonly remedy: Remedy;
}
