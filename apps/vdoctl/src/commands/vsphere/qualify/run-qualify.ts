import { type Clock, deadline, sleep } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import { offersFeature } from '@vdo/config/vcenter-features';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { cnsTaskKinds } from '@vdo/vsphere/tasks/cns-task-kinds';
import type { AboutInfo } from '@vdo/vsphere/vcenter';
import type { Observer } from './exchange.ts';
import { findSite, type Site, type SiteNames } from './site.ts';
import { observe } from './steps/observe.ts';
import { createSteps, type StepResult } from './steps/step.ts';
import { tryDisks } from './steps/try-disks.ts';
import { tryShares } from './steps/try-shares.ts';
import { tryTags } from './steps/try-tags.ts';
import { createUndoing, findTrials, removeTrials, type Trials } from './trial.ts';

export interface QualifyDeps {
  readonly vcenter: FullVCenter;
  readonly observer: Observer;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly onStep: (step: string) => void;
  /** Called before anything is changed, to ask the user. */
  readonly confirm: (about: { readonly product: AboutInfo; readonly left: Trials }) => Promise<boolean>;
}

export interface Qualification {
  readonly product: AboutInfo;
  readonly steps: readonly StepResult[];
  /** `declined`: the user said no, and nothing was changed. */
  readonly writing: 'read-only' | 'declined' | 'done' | 'interrupted';
  /** Number of objects of earlier runs that were deleted. */
  readonly removedBefore: number;
  /** Number of objects that could not be deleted. Undefined if unknown. */
  readonly left: number | undefined;
}

const cleanUpMs = 5 * 60_000;
const settleMs = 60_000;

/** Waits for disks that are being created: a disk of an aborted request may appear late. Tasks of others may take longer. */
const settle = async ({ vcenter, clock }: QualifyDeps, signal: AbortSignal): Promise<void> => {
  const startMs = clock.monotonicMs();
  while ((await vcenter.tasks.underWay(cnsTaskKinds.copyVolume, { signal })).length > 0) {
    if (clock.monotonicMs() - startMs > settleMs) return;
    await sleep(clock, 500, { signal });
  }
};

/** Deletes all objects of this run and earlier ones, with its own time limit: Ctrl-C must not leave anything behind. */
const cleanUp = async (deps: QualifyDeps, version: string): Promise<{ removed: number; left: number }> => {
  const limit = deadline(deps.clock, cleanUpMs, {
    reason: () =>
      new VdoError({
        code: 'DeadlineExceeded',
        message: 'the cleanup took longer than five minutes',
        remedy: 'Run vdoctl vsphere qualify --write again: it deletes leftovers first.',
      }),
  });
  try {
    const { signal } = limit;
    await settle(deps, signal);
    const removed = await removeTrials(deps, { signal, hasSnapshots: offersFeature(version, 'snapshots') });
    const { volumes, categories } = await findTrials(deps, signal);
    return { removed, left: volumes.length + categories.length };
  } finally {
    limit.dispose();
  }
};

const write = async (
  deps: QualifyDeps,
  { site, product, steps }: { site: Site; product: AboutInfo; steps: ReturnType<typeof createSteps> },
): Promise<Pick<Qualification, 'writing' | 'removedBefore' | 'left'>> => {
  const { vcenter, signal } = deps;
  const left = await findTrials(deps, signal);
  if (!(await deps.confirm({ product, left }))) return { writing: 'declined', removedBefore: 0, left: undefined };
  const { removed: removedBefore } = await cleanUp(deps, product.version);
  const run = deps.random.uuid().replaceAll('-', '').slice(0, 8);
  const userName = await vcenter.userName({ signal });
  const trying = { vcenter, steps, site, run, undo: createUndoing(deps, signal), userName, signal };
  let failure: unknown;
  try {
    await tryDisks(trying);
    await tryShares(trying);
    await tryTags(trying);
  } catch (error) {
    // Ctrl-C does not count as a failure. In every case, clean up.
    if (!signal.aborted) failure = error;
  }
  deps.observer.begin('clean up');
  deps.onStep('clean up');
  const after = await cleanUp(deps, product.version);
  if (failure !== undefined) throw failure;
  return { writing: signal.aborted ? 'interrupted' : 'done', removedBefore, left: after.left };
};

/** Runs the operations of the drivers on a vCenter, and reports what works. */
export const runQualify = async (deps: QualifyDeps, siteNames: SiteNames | undefined): Promise<Qualification> => {
  const { vcenter, observer, clock, signal } = deps;
  const onStep = (step: string): void => {
    observer.begin(step);
    deps.onStep(step);
  };
  const product = await vcenter.product({ signal });
  const steps = createSteps({ clock, signal, onStep, version: () => product.version });
  let site: Site | undefined;
  await observe({ ...deps, steps }, (inventory) => {
    site = siteNames ? findSite(inventory, siteNames) : undefined;
    return site;
  });
  const nothing = { writing: 'read-only', removedBefore: 0, left: undefined } as const;
  const written = site ? await write(deps, { site, product, steps }) : nothing;
  return { product, steps: steps.results, ...written };
};
