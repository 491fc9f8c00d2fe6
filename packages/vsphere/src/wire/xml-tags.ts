/** A start tag that is repeated in documents, with its meaning for the user of the scanner. */
export interface KnownTag<T> {
  /** With its angle brackets. */
  readonly codes: Uint16Array;
  readonly name: string;
  /** `</name>`. */
  readonly ending: Uint16Array;
  readonly empty: boolean;
  readonly value: T;
}

/** The cached start tags. Their number is limited: a new one may replace another. */
export interface TagCache<T> {
  /** The tag from `from` to `to` of the codes, if it is cached. */
  find(codes: Uint16Array, from: number, to: number, hash: number): KnownTag<T> | undefined;
  put(hash: number, tag: KnownTag<T>): void;
}

const slots = 1024;
/** The number of adjacent cache slots in which a tag can be stored. */
const probes = 4;

export const codesOf = (text: string): Uint16Array => {
  const codes = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(i);
  return codes;
};

/** True if the codes at `from` are those of `wanted`. */
export const isAt = (codes: Uint16Array, from: number, wanted: Uint16Array): boolean => {
  for (let i = 0; i < wanted.length; i++) if (codes[from + i] !== wanted[i]) return false;
  return true;
};

export const createTagCache = <T>(): TagCache<T> => {
  const tags: (KnownTag<T> | undefined)[] = new Array(slots).fill(undefined);
  return {
    find: (codes, from, to, hash) => {
      for (let probe = 0; probe < probes; probe++) {
        const tag = tags[(hash + probe) & (slots - 1)];
        if (tag === undefined) return undefined;
        if (tag.codes.length === to - from && isAt(codes, from, tag.codes)) return tag;
      }
      return undefined;
    },
    put: (hash, tag) => {
      let probe = 0;
      while (probe < probes && tags[(hash + probe) & (slots - 1)] !== undefined) probe++;
      tags[(hash + (probe % probes)) & (slots - 1)] = tag;
    },
  };
};
