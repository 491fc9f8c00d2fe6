import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import type { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from './client.ts';
import { createInformer, type InformerOptions, type ObservableInformer } from './create-informer.ts';
import type { KubeObject } from './types/object.ts';
import { apiVersionOf, type Resource } from './types/resource.ts';

/** What of a resource is followed. */
export type Selection<T extends KubeObject> = Pick<
  InformerOptions<T>,
  'namespace' | 'labelSelector' | 'fieldSelector' | 'transform' | 'indexers'
>;

/** The informers of a program: one per resource and selection, however many parts of the program ask for it. */
export interface InformerSet {
  /**
   * The informer of a resource, made at the first call. `transform` and `indexers` of that first call count; a later one
   * that gives its own is refused. Ask for all before `run`.
   */
  of<T extends KubeObject>(resource: Resource<T>, selection?: Selection<T>): ObservableInformer<T>;
  hasSynced(): boolean;
  waitForSync(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** The failures that are being waited out, by resource. */
  errors(): ReadonlyMap<string, VdoError>;
  run(signal: AbortSignal): Promise<void>;
}

export interface InformerSetOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

export const createInformerSet = (options: InformerSetOptions): InformerSet => {
  const informers = new Map<string, { readonly informer: ObservableInformer<never>; readonly resource: Resource }>();
  const all = () => [...informers.values()].map(({ informer }) => informer);
  return {
    of: <T extends KubeObject>(resource: Resource<T>, selection: Selection<T> = {}) => {
      const { namespace, labelSelector, fieldSelector, transform, indexers } = selection;
      const id = JSON.stringify([apiVersionOf(resource), resource.plural, namespace, labelSelector, fieldSelector]);
      const existing = informers.get(id);
      if (existing && (transform || indexers))
        throw new TypeError(`the informer of ${resource.plural} is there already and keeps its transform and indexers`);
      if (existing) return existing.informer as unknown as ObservableInformer<T>;
      const informer = createInformer({ ...options, ...selection, resource });
      informers.set(id, { informer: informer as unknown as ObservableInformer<never>, resource });
      return informer;
    },
    hasSynced: () => all().every((informer) => informer.hasSynced()),
    waitForSync: async (waiting) => {
      await Promise.all(all().map((informer) => informer.waitForSync(waiting)));
    },
    errors: () =>
      new Map(
        [...informers.values()].flatMap(({ informer, resource }): [string, VdoError][] => {
          const error = informer.lastError();
          return error ? [[resource.plural, error]] : [];
        }),
      ),
    run: async (signal) => {
      await Promise.all(all().map((informer) => informer.run(signal)));
    },
  };
};
