import type { Clock } from '@vdo/base/clock';
import { sleep } from '@vdo/base/clock';
import { HttpFailure } from '@vdo/base/http-failure';
import type { Random } from '@vdo/base/random';
import { type FaultValue, SimFault } from './sim-fault.ts';

/** The effect of a fault rule. */
export type FaultEffect =
  /** The reply comes late. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** The call is answered with this fault; nothing happens. */
  | { readonly kind: 'fault'; readonly fault: FaultValue; readonly message?: string }
  /** The connection breaks: before the call is carried out, or after it (the client cannot know). */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** The caller's session ends before the call. */
  | { readonly kind: 'expire-session' }
  /** The call is accepted, its task fails. */
  | { readonly kind: 'task-failure'; readonly fault: FaultValue; readonly message?: string }
  /** The task takes this much longer. */
  | { readonly kind: 'task-latency'; readonly ms: number }
  /** A plain HTTP answer, as from a proxy or a vCenter that is starting. */
  | { readonly kind: 'http'; readonly status: number; readonly body?: string };

export interface FaultRule {
  /** The SOAP method or `GET /rest/…`; `*` at either end matches anything. */
  readonly method: string;
  /** Only calls on this object (`vm-42`) or by this user; all by default. */
  readonly target?: string;
  readonly user?: string;
  /** Number of matching calls that pass first; 0 by default. */
  readonly skip?: number;
  /** Number of calls that it affects; no limit by default. */
  readonly times?: number;
  /** 1 by default. */
  readonly probability?: number;
  readonly effect: FaultEffect;
}

export interface Call {
  readonly method: string;
  readonly target: string | undefined;
  readonly user: string | undefined;
}

export interface FaultRules {
  /** Returns a function that removes the rule. */
  add(rule: FaultRule): () => void;
  clear(): void;
  /** The effects on this call. Each query counts as a use, so it must be called once per call. */
  strike(call: Call): readonly FaultEffect[];
}

const matches = (pattern: string, text: string): boolean => {
  const core = pattern.replace(/^\*/, '').replace(/\*$/, '');
  if (pattern.startsWith('*') && pattern.endsWith('*')) return text.includes(core);
  if (pattern.startsWith('*')) return text.endsWith(core);
  return pattern.endsWith('*') ? text.startsWith(core) : text === core;
};

const applies = (rule: FaultRule, call: Call): boolean =>
  matches(rule.method, call.method) &&
  (rule.target === undefined || rule.target === call.target) &&
  (rule.user === undefined || rule.user.toLowerCase() === call.user);

export const createFaultRules = (random: Random): FaultRules => {
  const rules = new Map<FaultRule, { skip: number; left: number }>();
  return {
    add: (rule) => {
      rules.set(rule, { skip: rule.skip ?? 0, left: rule.times ?? Number.POSITIVE_INFINITY });
      return () => {
        rules.delete(rule);
      };
    },
    clear: () => rules.clear(),
    strike: (call) =>
      [...rules].flatMap(([rule, count]) => {
        if (!applies(rule, call)) return [];
        if (count.skip > 0) {
          count.skip -= 1;
          return [];
        }
        if (random.next() >= (rule.probability ?? 1)) return [];
        count.left -= 1;
        if (count.left <= 0) rules.delete(rule);
        return [rule.effect];
      }),
  };
};

/** Applies the effects that occur before a call: waits, breaks the connection, or throws. */
export const applyBefore = async (
  effects: readonly FaultEffect[],
  context: { readonly clock: Clock; readonly expireSession: () => void; readonly signal?: AbortSignal },
): Promise<void> => {
  for (const effect of effects) {
    if (effect.kind === 'latency')
      await sleep(context.clock, effect.ms, context.signal ? { signal: context.signal } : {});
    if (effect.kind === 'expire-session') context.expireSession();
    if (effect.kind === 'drop' && effect.when === 'before')
      throw new HttpFailure('interrupted', 'the connection was dropped');
    if (effect.kind === 'fault') throw new SimFault(effect.fault, effect.message ?? `${effect.fault.$type} (injected)`);
  }
};
