import { aborted } from '@vdo/base/async/aborted';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Store, StoreEvent } from '../store/store.ts';

/** A loop behind the API server: changes become keys, a key is brought to its desired state. */
export interface SimController {
  readonly name: string;
  /** The keys that a change concerns; any text that `reconcile` understands. */
  keysOf(event: StoreEvent): readonly string[];
  /** Looks at the whole state of a key and acts. May ask for another look after some milliseconds. */
  reconcile(key: string): number | undefined;
  /** Called when the server stops. */
  stop?(): Promise<void>;
}

export interface RunOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long after a change controllers act. Default 5 ms. */
  readonly reactionMs?: number;
}

const firstRetryMs = 50;
const longestRetryMs = 10_000;

const startController = (controller: SimController, { store, clock, logger, reactionMs = 5 }: RunOptions) => {
  const timers = new Map<string, { readonly atMs: number; cancel(): void }>();
  const failures = new Map<string, number>();
  const schedule = (key: string, delayMs: number) => {
    const atMs = clock.monotonicMs() + delayMs;
    const planned = timers.get(key);
    if (planned && planned.atMs <= atMs) return;
    planned?.cancel();
    timers.set(key, { atMs, cancel: clock.schedule(() => work(key), delayMs) });
  };
  const work = (key: string) => {
    timers.delete(key);
    try {
      const again = controller.reconcile(key);
      failures.delete(key);
      if (again !== undefined) schedule(key, again);
    } catch (error) {
      const count = failures.get(key) ?? 0;
      failures.set(key, count + 1);
      logger.warn('controller failed', { controller: controller.name, key, error });
      schedule(key, Math.min(longestRetryMs, firstRetryMs * 2 ** count));
    }
  };
  const observe = (event: StoreEvent) => {
    for (const key of controller.keysOf(event)) schedule(key, reactionMs);
  };
  const unsubscribe = store.onChange(observe);
  for (const [bucket, objects] of Object.entries(store.snapshot().buckets))
    for (const object of objects) observe({ type: 'ADDED', revision: store.revision(), bucket, object });
  return async () => {
    unsubscribe();
    for (const { cancel } of timers.values()) cancel();
    await controller.stop?.();
  };
};

/** Runs controllers until aborted. */
export const runControllers = async (
  controllers: readonly SimController[],
  options: RunOptions,
  signal: AbortSignal,
): Promise<void> => {
  const stops = controllers.map((controller) => startController(controller, options));
  await aborted(signal);
  await Promise.all(stops.map((stop) => stop()));
};

/** Keys `namespace/name` of the objects of one bucket. */
export const ownKeys =
  (bucket: string) =>
  (event: StoreEvent): readonly string[] =>
    event.bucket === bucket ? [`${event.object.metadata.namespace ?? ''}/${event.object.metadata.name ?? ''}`] : [];

/** Keys of the objects of a kind that control the changed object. */
export const controllerKeys =
  (bucket: string, ownerKind: string) =>
  (event: StoreEvent): readonly string[] => {
    const { namespace = '', ownerReferences = [] } = event.object.metadata;
    if (event.bucket !== bucket) return [];
    return ownerReferences
      .filter(({ kind, controller }) => controller && kind === ownerKind)
      .map(({ name }) => `${namespace}/${name}`);
  };
