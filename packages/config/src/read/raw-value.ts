/** A configuration file as a neutral tree with line numbers: both formats are read into it. */
export type RawValue =
  | { readonly kind: 'scalar'; readonly text: string; readonly line: number }
  | { readonly kind: 'empty'; readonly line: number }
  | { readonly kind: 'list'; readonly items: readonly RawValue[]; readonly line: number }
  | { readonly kind: 'map'; readonly entries: readonly RawEntry[]; readonly line: number };

export interface RawEntry {
  /** Key in the spelling of the YAML format. */
  readonly key: string;
  /** The key as it is spelled in the file, for messages. */
  readonly spelled: string;
  readonly line: number;
  readonly value: RawValue;
  /** The environment variable from which it comes, instead of the file. */
  readonly variable?: string;
}

export type RawMap = RawValue & { readonly kind: 'map' };

export const emptyMap: RawMap = { kind: 'map', entries: [], line: 0 };
