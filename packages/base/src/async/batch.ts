import type { Clock } from '../clock.ts';

export interface BatchOptions<Item, Result> {
  /** Results in the order of the items. A rejection fails the whole batch. */
  readonly send: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly clock: Clock;
  /** How long the first item waits for others. */
  readonly windowMs: number;
  /** A full batch is sent at once. */
  readonly maxItems: number;
}

/** Collects items that come at about the same time into one call. */
export const createBatch = <Item, Result>(options: BatchOptions<Item, Result>): ((item: Item) => Promise<Result>) => {
  const { send, clock, windowMs, maxItems } = options;
  interface Waiting {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let cancel: (() => void) | undefined;

  const flush = async (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    const batch = waiting;
    waiting = [];
    try {
      const results = await send(batch.map(({ item }) => item));
      if (results.length !== batch.length)
        throw new RangeError(`${results.length} results for ${batch.length} items of a batch`);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length >= maxItems) void flush();
      else cancel ??= clock.schedule(() => void flush(), windowMs);
    });
};
