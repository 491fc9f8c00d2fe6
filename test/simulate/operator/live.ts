import { createSeededRandom } from '@vdo/base/random';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps } from '@vdo/kube/types/core';
import { account, openOperatorStory } from '../../stories/operator/operator-world.ts';
import { foreign, leftovers, restProblems, watchInvariants } from './invariants.ts';
import { describeSpec, type Life, publishNext, putAccount, startOperator, steps } from './steps.ts';

export interface OperatorLife {
  /** Empty if all is well. */
  readonly violations: readonly string[];
  readonly story: readonly string[];
  /** Calls per minute of both operators, at rest in the end. */
  readonly perMinute: number;
  /** How long it took to come to rest after the faults had ended, in seconds. */
  readonly restSeconds: number;
}

const kinds = Object.keys(steps);
const atRest = 35;
/** A rollout has ten minutes, a look at rest five, checks a quarter of an hour; and a rejected login is not repeated for one. */
const longestRestMs = 45 * 60_000;
const lookMs = 15_000;

const begin = async (): Promise<Life> => {
  const story = await openOperatorStory();
  const truth = { accepted: new Set([account.password]), server: 'vc.example.com' };
  const labels = { 'app.kubernetes.io/managed-by': 'vdo' };
  await story.kube.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...foreign, labels } });
  const life: Life = {
    story,
    truth,
    serial: 0,
    versions: [],
    distribution: 'Native',
    replicas: 1,
    password: account.password,
    starts: 0,
    operators: [],
    heals: [],
  };
  await publishNext(life);
  await putAccount(life);
  await describeSpec(life);
  startOperator(life, 0);
  startOperator(life, 1);
  await story.advance(60_000);
  return life;
};

/** Two operators, users, rivals and faults as the seed draws them; then all must come to rest, cost little, and leave nothing. */
export const liveOperatorSeed = async (seed: number, count: number): Promise<OperatorLife> => {
  const random = createSeededRandom(seed * 6007 + 29);
  const life = await begin();
  const { story } = life;
  const violations = watchInvariants(story, life.truth);
  const told: string[] = [];
  const tell = (what: string) => void told.push(`${(story.clock.monotonicMs() / 1000).toFixed(0)} s: ${what}`);
  const end = (problems: readonly string[], perMinute = 0, restSeconds = 0): OperatorLife => ({
    violations: [...violations, ...problems],
    story: told,
    perMinute,
    restSeconds,
  });
  for (let index = 0; index < count && violations.length === 0; index++) {
    const kind = kinds[Math.floor(random.next() * kinds.length)] ?? '';
    const happened = await steps[kind]?.(life, [random.next(), random.next(), random.next()]);
    if (happened === undefined) continue;
    tell(happened);
    await story.advance(Math.floor(random.next() ** 2 * 120_000));
  }
  if (violations.length > 0) return end([]);

  for (const heal of life.heals) await heal();
  for (const { identity } of life.operators) story.setAhead(identity, 0);
  await putAccount(life);
  await story.until(
    'an uninstallation that is under way',
    async () => !(await story.drivers())?.metadata.deletionTimestamp,
    30_000,
  );
  const version = await publishNext(life);
  await describeSpec(life);
  tell(`the faults end, and ${version} is published`);
  const sinceMs = story.clock.monotonicMs();
  let problems: readonly string[] = ['not looked at'];
  while (problems.length > 0 && story.clock.monotonicMs() - sinceMs < longestRestMs) {
    await story.advance(lookMs);
    problems = await restProblems(story, { distribution: life.distribution, version });
  }
  const restSeconds = Math.round((story.clock.monotonicMs() - sinceMs) / 1000);
  if (problems.length > 0)
    return end(
      problems.map((problem) => `no rest: ${problem}`),
      0,
      restSeconds,
    );
  await story.advance(15 * 60_000);
  const { perMinute, top } = await story.callsPerMinute(10);
  const flood = perMinute > atRest ? [`${perMinute} calls per minute at rest: ${JSON.stringify(top)}`] : [];
  tell('everything is to go');
  await story.kube.delete(vsphereDrivers, { name: 'cluster' });
  await story.until('the uninstallation', async () => (await story.drivers()) === undefined, 12_000);
  const left = (await leftovers(story)).map((one) => `left: ${one}`);
  return end([...flood, ...left], perMinute, restSeconds);
};
