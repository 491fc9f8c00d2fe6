import { sleep } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { toVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { createInformer } from '@vdo/kube/create-informer';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import type { CliContext } from '../../cli/context.ts';

export interface WatchViewOptions {
  readonly kube: KubeClient;
  /** What makes a view out of date when it changes. */
  readonly resources: readonly Resource<KubeObject>[];
  /** Between two looks: they cost somebody something. */
  readonly restMs: number;
  /** Looks again after this time even if nothing has changed. Default: never. */
  readonly everyMs?: number;
  /** Draws what is known anew, so that ages go on; also after a failure, which it is told. */
  readonly redraw?: { readonly everyMs: number; draw(problem: string | undefined): void };
}

/** Where a look asks vCenter, over a session that stays open: seldom enough that nobody there notices. */
export const vcenterPace = { restMs: 15_000, everyMs: 60_000 } as const;

/**
 * Looks once, then again after each change, until Ctrl-C. A look that fails is shown and repeated: whoever watches a cluster at
 * night wants to see it come back. The first one may fail for good.
 */
export const watchView = async (
  { clock, random, signal }: Pick<CliContext, 'clock' | 'random' | 'signal'>,
  { kube, resources, restMs, everyMs, redraw }: WatchViewOptions,
  observe: () => Promise<void>,
): Promise<void> => {
  await observe();
  let changed = false;
  const informers = resources.map((resource) =>
    createInformer({ client: kube, resource, clock, random, logger: silentLogger }),
  );
  // What the first list brings is what has just been shown.
  for (const informer of informers)
    informer.onChange(() => {
      changed ||= informer.hasSynced();
    });
  const running = Promise.all(informers.map((informer) => informer.run(signal).catch(() => undefined)));
  const pollMs = 200;
  let checkedAt = clock.monotonicMs();
  let drawnAt = checkedAt;
  let problem: string | undefined;
  while (!signal.aborted) {
    await sleep(clock, pollMs, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const nowMs = clock.monotonicMs();
    const isDue = nowMs - checkedAt >= restMs;
    const isOld = everyMs !== undefined && nowMs - checkedAt >= everyMs;
    if (isDue && (changed || isOld || problem !== undefined)) {
      changed = false;
      checkedAt = nowMs;
      try {
        await observe();
        problem = undefined;
      } catch (error) {
        if (signal.aborted) break;
        problem = toVdoError(error).message;
        redraw?.draw(problem);
      }
      drawnAt = clock.monotonicMs();
      checkedAt = drawnAt;
    } else if (redraw && nowMs - drawnAt >= redraw.everyMs) {
      redraw.draw(problem);
      drawnAt = nowMs;
    }
  }
  await running;
};
