import type { Clock } from '@vdo/base/clock';

export interface BatcherOptions<Item, Result> {
  readonly clock: Clock;
  /** How long the first item waits for others. */
  readonly windowMs: number;
  /** A full batch starts at once. */
  readonly maxItems: number;
  /** Gives one result for each item, in their order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
}

/** Joins calls that come close together into one: many nodes cost one question to a vCenter. */
export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>;
}

interface Entry<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export const createBatcher = <Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> => {
  let pending: Entry<Item, Result>[] = [];
  let cancel: (() => void) | undefined;

  const flush = async () => {
    cancel?.();
    cancel = undefined;
    const batch = pending;
    pending = [];
    try {
      const results = await options.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        pending.push({ item, resolve, reject });
        if (pending.length >= options.maxItems) void flush();
        else cancel ??= options.clock.schedule(() => void flush(), options.windowMs);
      }),
  };
};
