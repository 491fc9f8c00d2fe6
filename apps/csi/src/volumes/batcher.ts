import type { Clock } from '@vdo/base/clock';

export interface BatcherOptions<Item, Result> {
  /** Results in the order of the items. A rejection fails the whole batch. */
  readonly send: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly clock: Clock;
  /** How long the first item waits for company. Default 5 ms. */
  readonly windowMs?: number;
  /** Default 32. */
  readonly maxItems?: number;
}

/** Collects what comes at about the same time into one call. */
export const createBatcher = <Item, Result>(
  options: BatcherOptions<Item, Result>,
): ((item: Item) => Promise<Result>) => {
  const { send, clock, windowMs = 5, maxItems = 32 } = options;
  interface Waiting {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let cancel: (() => void) | undefined;

  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    const batch = waiting;
    waiting = [];
    const failAll = (error: unknown) => {
      for (const { reject } of batch) reject(error);
    };
    send(batch.map(({ item }) => item)).then((results) => {
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined) reject(new RangeError(`${results.length} results for ${batch.length} items`));
        else resolve(result);
      }
    }, failAll);
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length >= maxItems) flush();
      else cancel ??= clock.schedule(flush, windowMs);
    });
};
