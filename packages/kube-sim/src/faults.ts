import { type Clock, sleep } from '@vdo/base/clock';
import { HttpFailure } from '@vdo/base/http-failure';
import type { Random } from '@vdo/base/random';
import { ApiError } from './api-error.ts';

/** The properties of a request that rules match. */
export interface FaultTarget {
  readonly user: string;
  readonly verb: string;
  readonly group: string;
  /** Plural; `plural/subresource` for subresources; empty for paths outside the resource API. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

export type FaultEffect =
  /** The request takes longer. */
  | { readonly kind: 'latency'; readonly delayMs: number }
  /** The request fails with a status, before anything happened. */
  | { readonly kind: 'error'; readonly code: number; readonly reason?: string; readonly retryAfterSeconds?: number }
  /** As if no role allowed it; reviews of access say so too. */
  | { readonly kind: 'deny' }
  /** The connection breaks before the request is handled. */
  | { readonly kind: 'disconnect' }
  /** The request is carried out, but its reply is lost. */
  | { readonly kind: 'lose-reply' }
  /** A watch breaks after this time. */
  | { readonly kind: 'drop-watch'; readonly afterMs: number }
  /** Reads answer from the state this many revisions ago. */
  | { readonly kind: 'stale'; readonly revisions: number };

export interface FaultRule {
  /** Fields that must be equal; omitted fields match everything. */
  readonly match?: Partial<FaultTarget>;
  /** Number of requests that it affects; no limit by default. */
  readonly times?: number;
  /** 1 by default. */
  readonly probability?: number;
  readonly effect: FaultEffect;
}

/** Faults that a test or a demonstration enables and disables while the server runs. */
export interface Faults {
  /** Returns a function that removes the rule. */
  add(rule: FaultRule): () => void;
  clear(): void;
  /** Whether a `deny` rule matches; used for requests and for access reviews. Does not count as a use. */
  isDenied(target: FaultTarget): boolean;
  /** The effects on a request, in the order of their rules; each counts as one use of its rule. */
  take(target: FaultTarget): readonly FaultEffect[];
}

const matches = (match: Partial<FaultTarget>, target: FaultTarget): boolean =>
  Object.entries(match).every(([field, wanted]) => target[field as keyof FaultTarget] === wanted);

export const createFaults = (random: Random): Faults => {
  const rules = new Map<FaultRule, { left: number }>();
  const hits = ({ match = {} }: FaultRule, target: FaultTarget) => matches(match, target);
  return {
    add: (rule) => {
      const own = { ...rule };
      rules.set(own, { left: rule.times ?? Number.POSITIVE_INFINITY });
      return () => {
        rules.delete(own);
      };
    },
    clear: () => rules.clear(),
    isDenied: (target) => [...rules.keys()].some((rule) => rule.effect.kind === 'deny' && hits(rule, target)),
    take: (target) =>
      [...rules].flatMap(([rule, state]) => {
        const isHit = hits(rule, target) && (rule.probability === undefined || random.next() < rule.probability);
        if (!isHit) return [];
        state.left -= 1;
        if (state.left <= 0) rules.delete(rule);
        return [rule.effect];
      }),
  };
};

const reasons: Readonly<Record<number, string>> = {
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Applies the effects that occur before a request is handled: delays, errors, a broken connection. */
export const sufferBefore = async (
  effects: readonly FaultEffect[],
  options: { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<void> => {
  for (const effect of effects) {
    if (effect.kind === 'latency')
      await sleep(options.clock, effect.delayMs, options.signal ? { signal: options.signal } : {});
    if (effect.kind === 'disconnect') throw new HttpFailure('interrupted', 'the simulated connection broke');
    if (effect.kind === 'error') {
      const { code, retryAfterSeconds, reason = reasons[code] ?? 'InternalError' } = effect;
      const details = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
      throw new ApiError(code, reason, `simulated fault: ${reason}`, details);
    }
  }
};
