import type { Life } from '../life.ts';
import { observeReality } from './reality.ts';

export const callBounds = { atRest: 35, broken: 70 } as const;
/** No minute costs more, whatever happens in it; a process that starts reads what there is. */
const inAnyMinute = { calls: 700, perStart: 250 } as const;

/** What most of the calls were for. */
const mostOf = (calls: Life['story']['calls']): string => {
  const byName = new Map<string, number>();
  for (const { name } of calls) byName.set(name, (byName.get(name) ?? 0) + 1);
  const top = [...byName].sort((a, b) => b[1] - a[1]).slice(0, 8);
  return `most of them ${top.map(([name, count]) => `${name} × ${count}`).join(', ')}`;
};

const byMinute = (calls: Life['story']['calls'], fromMs: number): string => {
  const counts: number[] = [];
  for (const { atMs } of calls) {
    const minute = Math.floor((atMs - fromMs) / 60_000);
    counts[minute] = (counts[minute] ?? 0) + 1;
  }
  return `by minute ${Array.from(counts, (count = 0) => count).join(', ')}`;
};

/** Finds hot loops: told of each minute that cost too much. */
export const createCallsJudge = (life: Life): (() => readonly string[]) => {
  let from = life.story.calls.length;
  let sinceMs = life.story.clock.monotonicMs();
  let starts = life.starts;
  return () => {
    const nowMs = life.story.clock.monotonicMs();
    if (nowMs - sinceMs < 60_000) return [];
    const made = life.story.calls.slice(from);
    const perMinute = (made.length * 60_000) / (nowMs - sinceMs);
    const bound = inAnyMinute.calls + inAnyMinute.perStart * (life.starts - starts + 2);
    from = life.story.calls.length;
    sinceMs = nowMs;
    starts = life.starts;
    if (perMinute <= bound) return [];
    return [`a hot loop: ${Math.round(perMinute)} calls in a minute, ${mostOf(made)}`];
  };
};

const isPass = (name: string): boolean => name === 'GET /apis/vdo.vmware.com/v1beta1/vspheredrivers/cluster';
/** A look at rest comes after five minutes; what only a person can put right is looked at ever less often, at last each hour. */
const longestSleepMs = { ofAll: 12 * 60_000, stalled: 80 * 60_000 } as const;

/** Finds a leader that sleeps: some changes send no event, so that passes must not wait for one. */
export const createSleepJudge = (life: Life): (() => readonly string[]) => {
  let from = 0;
  let awakeMs = life.story.clock.monotonicMs();
  return () => {
    const nowMs = life.story.clock.monotonicMs();
    const { resource } = observeReality(life);
    const made = life.story.calls.slice(from);
    from += made.length;
    if (!resource || nowMs < life.hinderedUntilMs || made.some(({ name }) => isPass(name))) awakeMs = nowMs;
    const isStalled = resource?.status?.conditions?.some(({ type, status }) => type === 'Stalled' && status === 'True');
    if (nowMs - awakeMs <= longestSleepMs[isStalled ? 'stalled' : 'ofAll']) return [];
    return [`the operator sleeps: no pass for ${Math.round((nowMs - awakeMs) / 1000)} s`];
  };
};

/** A trouble that ends by itself lets begin what has waited for it, and a rollout that moves may cost more: so often it is measured again. */
const longestMoves = 2;

/** Nothing new happens for a while, whatever is broken: then calls must be few. */
export const measureCalls = async (
  life: Life,
  pass: (ms: number) => Promise<readonly string[]>,
  settleMs: number,
  moves = 0,
): Promise<{ readonly perMinute: number; readonly most: string; readonly violations: readonly string[] }> => {
  const settled = await pass(settleMs);
  if (settled.length > 0) return { perMinute: 0, most: '', violations: settled };
  const before = life.story.calls.length;
  const fromMs = life.story.clock.monotonicMs();
  const releases = () =>
    observeReality(life)
      .workloads.map(({ release }) => release)
      .join(', ');
  const ran = releases();
  const violations = await pass(10 * 60_000);
  // To another release, not to and fro.
  if (violations.length === 0 && releases() !== ran && moves < longestMoves)
    return measureCalls(life, pass, settleMs, moves + 1);
  const made = life.story.calls.slice(before);
  const most = `${byMinute(made, fromMs)}; ${mostOf(made)}`;
  return { perMinute: Math.round(made.length / 10), most, violations };
};
