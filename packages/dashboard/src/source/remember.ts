/** A function that returns its last result again while its arguments are the same objects. */
export const remember = <A extends readonly unknown[], T>(make: (...args: A) => T): ((...args: A) => T) => {
  let last: { readonly args: A; readonly value: T } | undefined;
  return (...args) => {
    if (!last || !isSame(last.args, args)) last = { args, value: make(...args) };
    return last.value;
  };
};

export const isSame = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((one, index) => one === right[index]);

/**
 * Rows of the build before, by key: while everything that a row is built from is the same object, the same row is returned. Most of the
 * cost of thousands of rows is then spent once, here and where rows are written as JSON.
 */
export const createRowMemory = <T>() => {
  type Kept = { readonly from: readonly unknown[]; readonly row: T };
  let before: ReadonlyMap<string, Kept> = new Map();
  let now = new Map<string, Kept>();
  return {
    /** `keeps` is false of a row that changes by time alone. */
    row: (key: string, from: readonly unknown[], make: () => T, keeps: (row: T) => boolean = () => true): T => {
      const known = before.get(key);
      const kept = known && isSame(known.from, from) ? known : { from, row: make() };
      if (keeps(kept.row)) now.set(key, kept);
      return kept.row;
    },
    /** Forgets the rows that were not used since the last turn. */
    turn: (): void => {
      before = now;
      now = new Map();
    },
  };
};
