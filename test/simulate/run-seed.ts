import { createSeededRandom } from '@vdo/base/random';
import { volumeIntentResource } from '@vdo/config/api/volume-intent';
import { names } from '@vdo/config/names';
import { leases } from '@vdo/kube/types/cluster';
import { configMaps, events, persistentVolumeClaims } from '@vdo/kube/types/core';
import { volumeSnapshotContents, volumeSnapshots } from '@vdo/kube/types/snapshots';
import { volumeAttachments } from '@vdo/kube/types/storage';
import type { StoreSnapshot } from '@vdo/kube-sim/store/store';
import { createAlways } from './invariants/always.ts';
import { restProblems } from './invariants/at-rest.ts';
import { restoreCluster } from './restored-cluster.ts';
import { allSteps } from './steps/all-steps.ts';
import { detachNow } from './steps/attachments.ts';
import { deleteClaimNow } from './steps/claims.ts';
import type { Step } from './steps/step.ts';
import { createTruth, type Truth } from './truth.ts';
import { openWorld, slotNames, type World } from './world.ts';

export interface SeedResult {
  readonly seed: number;
  /** Empty if all is well. The first is what the seed failed for. */
  readonly violations: readonly string[];
  /** What happened, in order. */
  readonly story: readonly string[];
  /** The last events of what the violations name. */
  readonly clues: readonly string[];
  /** The steps that happened: with them the life can be lived again, whole or in part. */
  readonly steps: readonly Step[];
  /** Of every request and its time. */
  readonly trace: string;
  readonly coverage: Readonly<Record<string, number>>;
  readonly virtualSeconds: number;
  readonly requests: number;
}

/** Every tenth life ends with a cluster that is restored from a backup; after how many steps that was made. */
const backedUpAt = (seed: number): number | undefined => (seed % 10 === 5 ? 20 + (seed % 60) : undefined);

const pollMs = 15_000;
/** When the administrator looks at the events. */
const adviceMs = 300_000;

/** Draws steps for ever, each kind as often as it weighs. */
const drawn = function* (seed: number): Generator<Step> {
  const kinds = Object.entries(allSteps).flatMap(([kind, { weight }]) => Array.from({ length: weight }, () => kind));
  const random = createSeededRandom(seed);
  for (;;) {
    const kind = kinds[Math.floor(random.next() * kinds.length)] ?? '';
    const dice = [random.next(), random.next(), random.next()] as const;
    // Most follow at once; some come when everything is quiet.
    yield { kind, dice, gapMs: Math.floor(random.next() ** 3 * 15_000) };
  }
};

/** Does the kubelets' part, and notes which snapshots are ready. */
const observe = async (world: World, truth: Truth): Promise<void> => {
  for (const { metadata, status } of world.list(persistentVolumeClaims)) {
    if (status?.allocatedResourceStatuses?.storage !== 'NodeResizePending') continue;
    const body = { status: { capacity: status.allocatedResources, allocatedResourceStatuses: null, conditions: [] } };
    const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
    await world.client.patch(persistentVolumeClaims, key, { type: 'merge', body }, { subresource: 'status' });
  }
  const contents = new Map(world.list(volumeSnapshotContents).map((one) => [one.metadata.name, one]));
  for (const { metadata, status } of world.list(volumeSnapshots)) {
    const wish = truth.snapshots().find(({ name, handle }) => name === metadata.name && handle === undefined);
    const handle = contents.get(status?.boundVolumeSnapshotContentName)?.status?.snapshotHandle;
    if (wish && status?.readyToUse && handle !== undefined) wish.handle = handle;
  }
};

const syncReport = { namespace: names.namespace, name: names.csiSyncReport };

/**
 * Deletions that no controller lived to see look like a cluster restored from an old backup, and full sync stops. An administrator who
 * knows better does what the event tells him.
 */
const heedAdvice = async (world: World): Promise<string | undefined> => {
  const isStopped = world.list(events).some(({ reason }) => reason === 'FullSyncStopped');
  const report = world.list(configMaps).find(({ metadata }) => metadata.name === syncReport.name);
  if (!isStopped || report?.data?.['counted'] === undefined) return undefined;
  await world.client.patch(configMaps, syncReport, { type: 'merge', body: { data: { counted: null } } });
  return 'an administrator has the volumes counted anew';
};

const cluesOf = (world: World, violations: readonly string[]): readonly string[] => {
  const text = violations.join(' ');
  const isNamed = (name = '') => name !== '' && text.includes(name);
  const reported = world
    .list(events)
    .filter(({ involvedObject }) => isNamed(involvedObject.name))
    .map(({ involvedObject, reason, message, count }) => `${involvedObject.name}: ${count} × ${reason}: ${message}`);
  const attachments = world
    .list(volumeAttachments)
    .filter(({ metadata }) => isNamed(metadata.name))
    .map((one) => `${one.metadata.name}: ${JSON.stringify({ ...one.status, ...one.metadata.annotations })}`);
  const held = world
    .list(leases)
    .map(({ metadata, spec }) => `Lease ${metadata.name}: ${spec?.holderIdentity}, renewed ${spec?.renewTime}`);
  const intents = world
    .list(volumeIntentResource)
    .filter(({ metadata }) => isNamed(metadata.name))
    .map((one) => `intent ${one.metadata.name}: ${JSON.stringify({ ...one, apiVersion: undefined, kind: undefined })}`);
  return [...reported.slice(-10), ...attachments, ...intents, ...held];
};

const endAll = async (world: World, truth: Truth): Promise<void> => {
  for (const one of truth.attachments()) await detachNow({ world }, one);
  for (const claim of truth.claims()) await deleteClaimNow({ world, truth }, claim);
  for (const one of truth.snapshots()) {
    one.deleted = true;
    await world.client.delete(volumeSnapshots, { namespace: 'default', name: one.name });
  }
};

export interface SeedOptions {
  /** How many steps are drawn. Default 100. */
  readonly count?: number;
  /** Within what time everything comes to rest. Default half an hour: pauses between tries are up to five minutes, and several may follow each other. */
  readonly restMs?: number;
  /** Lives these instead of those that the seed draws. */
  readonly steps?: readonly Step[];
}

/**
 * Lives a life of users, faults and processes that die; then the faults end, and everything must come to rest as it was wished, and leave
 * nothing when all of it is deleted.
 */
export const runSeed = async (
  seed: number,
  { count = 100, restMs = 1_800_000, steps: given }: SeedOptions = {},
): Promise<SeedResult> => {
  const world = await openWorld(seed);
  const truth = createTruth(world);
  const always = createAlways(world, truth);
  const story: string[] = [];
  const steps: Step[] = [];
  const repairs: (() => void)[] = [];
  const tell = (what: string) => {
    story.push(`${(world.nowMs() / 1000).toFixed(1)} s: ${what}`);
    world.trace.update(what);
  };
  let backup: { readonly snapshot: StoreSnapshot; readonly atMs: number } | undefined;
  for (const slot of slotNames) world.start(slot);
  await world.clock.advance(3_000);

  const take = async (step: Step): Promise<readonly string[]> => {
    const kind = allSteps[step.kind];
    const reported = await kind?.happen({ world, truth, dice: step.dice, heal: (repair) => void repairs.push(repair) });
    if (reported === undefined) return [];
    steps.push(step);
    tell(reported);
    if (steps.length === backedUpAt(seed)) backup = { snapshot: world.backUp(), atMs: world.nowMs() };
    await world.clock.advance(step.gapMs);
    await observe(world, truth);
    return always();
  };
  const live = async (): Promise<readonly string[]> => {
    for (const step of given ?? drawn(seed)) {
      const violations = await take(step);
      if (violations.length > 0) return violations;
      if (!given && steps.length >= count) break;
    }
    return [];
  };
  const rest = async (): Promise<readonly string[]> => {
    let problems: readonly string[] = [];
    for (let passedMs = 0; passedMs < restMs; passedMs += pollMs) {
      await world.clock.advance(pollMs);
      await observe(world, truth);
      // Once: what is counted anew must do from then on.
      const advice = passedMs === adviceMs ? await heedAdvice(world) : undefined;
      if (advice !== undefined) tell(advice);
      const violations = always();
      if (violations.length > 0) return violations;
      problems = restProblems(world, truth);
      if (problems.length === 0) return [];
    }
    return problems.map((problem) => `no rest within ${restMs / 60_000} min: ${problem}`);
  };
  const whole = async (): Promise<readonly string[]> => {
    const lived = await live();
    if (lived.length > 0) return lived;
    for (const repair of repairs) repair();
    world.sim.control.clearFaults();
    tell('the faults end');
    const rested = await rest();
    if (rested.length > 0) return rested;
    if (backup) {
      tell(`the cluster is restored from a backup of ${backup.atMs / 1000} s`);
      return restoreCluster(world, truth, backup);
    }
    tell('everything is deleted');
    await endAll(world, truth);
    return rest();
  };

  const violations = await whole().catch((error) => [`broke: ${error instanceof Error ? error.stack : String(error)}`]);
  const { requests, coverage, trace } = world;
  const virtualSeconds = Math.round(world.nowMs() / 1000);
  const clues = cluesOf(world, violations);
  world.end();
  return {
    seed,
    violations,
    clues,
    story,
    steps,
    trace: trace.digest(),
    coverage: coverage.counts(),
    virtualSeconds,
    requests: requests(),
  };
};
