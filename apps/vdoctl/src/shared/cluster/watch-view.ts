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
  /** Changes of these objects make the view outdated. */
  readonly resources: readonly Resource<KubeObject>[];
  /** Minimum time between two refreshes, because a refresh causes load. */
  readonly restMs: number;
  /** Refreshes after this time even without a change. Default: never. */
  readonly everyMs?: number;
  /** Draws the current data again, so that ages advance; after a failure, with its message. */
  readonly redraw?: { readonly everyMs: number; draw(problem: string | undefined): void };
}

/** For views that query vCenter over an open session: rarely enough to cause no noticeable load. */
export const vcenterPace = { restMs: 15_000, everyMs: 60_000 } as const;

/**
 * Refreshes the view after each change, until Ctrl-C. A failed refresh is shown and repeated, so that an outage can be
 * watched until it ends. Only the first refresh may end the command with its error.
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
  // The first list only repeats what was just shown.
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
