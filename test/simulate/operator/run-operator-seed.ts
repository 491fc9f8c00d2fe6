import { createSeededRandom } from '@vdo/base/random';
import { isVdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { SeedOptions, SeedResult } from '../run-seed.ts';
import type { Step } from '../steps/step.ts';
import { callBounds, createCallsJudge, createSleepJudge, measureCalls } from './invariants/calls.ts';
import { observeReality } from './invariants/reality.ts';
import { leftovers, restProblems } from './invariants/rest.ts';
import { createStatusJudge } from './invariants/status.ts';
import { watchWrites } from './invariants/written.ts';
import { beginLife, describeSpec, hinder, type Life, publishNext, putAccount, takeOverMs } from './life.ts';
import { operatorSteps } from './steps/all-steps.ts';

/** What else a life of operators tells. */
export interface OperatorSeedResult extends SeedResult {
  /** Calls per minute of both operators, at rest in the end. */
  readonly perMinute: number;
  /** How long it took to come to rest after the faults had ended, in seconds. */
  readonly restSeconds: number;
}

/** A rollout has ten minutes, a look at rest five, checks a quarter of an hour; and a rejected login is not repeated for one. */
const longestRestMs = 45 * 60_000;
const pollMs = 15_000;
/** Longer than a leader may go without a renewal of its Lease. */
const outageAtRestMs = 30_000;
/**
 * Until what moved by itself has come to its end. A release that does not become healthy may still wait for the second of its drivers to
 * be given up then, which has to be as cheap as all else that lasts.
 */
const settleMs = { broken: 20 * 60_000, atRest: 10 * 60_000 } as const;

const kinds = Object.entries(operatorSteps).flatMap(([kind, { weight }]) => Array.from({ length: weight }, () => kind));

const drawn = function* (seed: number): Generator<Step> {
  const random = createSeededRandom(seed * 6007 + 29);
  for (;;) {
    const kind = kinds[Math.floor(random.next() * kinds.length)] ?? '';
    const dice = [random.next(), random.next(), random.next()] as const;
    // Most follow soon; some come when everything is quiet.
    const gapMs = Math.floor(random.next() ** 3 * 180_000) + (operatorSteps[kind]?.quietMs ?? 0);
    yield { kind, dice, gapMs };
  }
};

const liveOn = async (life: Life, seed: number, { count = 25, restMs = longestRestMs, steps: given }: SeedOptions) => {
  const { story } = life;
  const writes = watchWrites(life);
  const judges = [
    createStatusJudge(life),
    createCallsJudge(life),
    createSleepJudge(life),
    () => writes.violations,
    () => life.acting.violations,
  ];
  const repairs: (() => unknown)[] = [];
  const reported: string[] = [];
  const steps: Step[] = [];
  let [perMinute, restSeconds] = [0, 0];
  const tell = (what: string) => {
    reported.push(`${(story.clock.monotonicMs() / 1000).toFixed(0)} s: ${what}`);
    life.trace.update(what);
  };
  /** Lets time pass and looks all the while. */
  const pass = async (ms: number): Promise<readonly string[]> => {
    for (let left = ms; left > 0; left -= pollMs) {
      await story.advance(Math.min(left, pollMs));
      const violations = judges.flatMap((judge) => judge());
      if (violations.length > 0) return violations;
    }
    return judges.flatMap((judge) => judge());
  };
  const linger = async (state: keyof typeof callBounds): Promise<readonly string[]> => {
    const bound = callBounds[state];
    const measured = await measureCalls(life, pass, settleMs[state]);
    if (measured.violations.length > 0) return measured.violations;
    perMinute = measured.perMinute;
    tell(`${perMinute} calls a minute`);
    return perMinute > bound ? [`${perMinute} calls a minute, bound ${bound}: ${measured.most}`] : [];
  };
  const take = async (step: Step): Promise<readonly string[]> => {
    const context = { life, dice: step.dice, heal: (repair: () => unknown) => void repairs.push(repair) };
    // People find the API server away, too.
    const happened = await Promise.resolve(operatorSteps[step.kind]?.happen(context)).catch((error) => {
      if (isVdoError(error, 'KubeUnreachable')) return undefined;
      throw error;
    });
    if (happened === undefined) return [];
    steps.push(step);
    tell(happened);
    if (step.kind === 'restore') writes.open();
    return step.kind === 'linger' ? linger('broken') : pass(step.gapMs);
  };
  const live = async (): Promise<readonly string[]> => {
    for (const step of given ?? drawn(seed)) {
      const violations = await take(step);
      if (violations.length > 0) return violations;
      if (!given && steps.length >= count) break;
    }
    return [];
  };
  /** Until nothing is wrong any more. */
  const until = async (what: string, wrong: () => readonly string[], withinMs: number): Promise<readonly string[]> => {
    const sinceMs = story.clock.monotonicMs();
    for (let problems = wrong(); problems.length > 0; problems = wrong()) {
      if (story.clock.monotonicMs() - sinceMs >= withinMs) return problems.map((one) => `${what}: ${one}`);
      const violations = await pass(pollMs);
      if (violations.length > 0) return violations;
    }
    restSeconds = Math.round((story.clock.monotonicMs() - sinceMs) / 1000);
    return [];
  };
  const isLeaving = () =>
    observeReality(life).resource?.metadata.deletionTimestamp ? ['the resource is still there'] : [];
  const whole = async (): Promise<readonly string[]> => {
    const lived = await live();
    if (lived.length > 0) return lived;
    story.kubeSimNow().faults.clear();
    for (const repair of repairs) await repair();
    await putAccount(life);
    tell('the faults end');
    const left = await until('no end of an uninstallation', isLeaving, restMs);
    if (left.length > 0) return left;
    const version = await publishNext(life);
    await describeSpec(life);
    tell(`${version} is published`);
    const rested = await until('no rest', () => restProblems(life, version), restMs);
    if (rested.length > 0) return rested;
    // At rest no event wakes who leads next: a term must begin with a pass by itself.
    story.kubeSimNow().interrupt(outageAtRestMs);
    hinder(life, outageAtRestMs + takeOverMs);
    tell('the API server is away until the Lease is lost');
    const quiet = await linger('atRest');
    if (quiet.length > 0) return quiet;
    const rest = restSeconds;
    tell('everything is to go');
    await story.kube.delete(vsphereDrivers, { name: 'cluster' });
    const gone = () => (observeReality(life).resource ? ['the resource is still there'] : []);
    const ended = await until('no end of the uninstallation', gone, 20 * 60_000);
    restSeconds = rest;
    return ended.length > 0 ? ended : leftovers(life);
  };
  const violations = await whole().catch((error) => [`broke: ${error instanceof Error ? error.stack : String(error)}`]);
  return { violations, story: reported, steps, perMinute, restSeconds };
};

/** The last events, and what the status says. */
const cluesOf = async ({ story }: Life): Promise<readonly string[]> => {
  const status = (await story.drivers())?.status;
  return [
    ...(await story.events()).slice(-12).map(({ type, reason, message }) => `${type} ${reason}: ${message}`),
    ...(status?.conditions ?? []).map((one) => `${one.type}=${one.status}/${one.reason}: ${one.message}`),
    `drivers: ${JSON.stringify(status?.drivers)}`,
  ];
};

/** Two operators, users, rivals and faults as the seed draws them; then all must come to rest, cost little, and leave nothing. */
export const runOperatorSeed = async (seed: number, options: SeedOptions = {}): Promise<OperatorSeedResult> => {
  const life = await beginLife(seed);
  const lived = await liveOn(life, seed, options);
  const clues = lived.violations.length > 0 ? await cluesOf(life).catch(() => []) : [];
  const virtualSeconds = Math.round(life.story.clock.monotonicMs() / 1000);
  const { requests, coverage } = life;
  const trace = life.trace.digest();
  await life.story.stop();
  return { seed, ...lived, clues, trace, coverage: coverage.counts(), virtualSeconds, requests };
};
