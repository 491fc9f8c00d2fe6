import { VdoError } from '@vdo/base/vdo-error';

export interface PageRequest {
  /** 0 means no limit. */
  readonly maxEntries: number;
  /** Key of the last entry of the previous page; empty for the first page. */
  readonly startingToken: string;
}

const invalid = (token: string): VdoError =>
  new VdoError({
    code: 'ListTokenInvalid',
    message: `starting_token ${token} was not issued by this driver`,
    remedy: 'Start the list again without a token.',
  });

/**
 * One page of entries, sorted by key. The token is the last key, so that pages stay correct if entries are added or removed in between.
 * `isKey` checks whether a token can be a key.
 */
export const pageOf = <T>(
  entries: readonly T[],
  keyOf: (entry: T) => string,
  request: PageRequest & { readonly isKey: (token: string) => boolean },
): { readonly entries: readonly T[]; readonly nextToken: string } => {
  const { maxEntries, startingToken, isKey } = request;
  if (maxEntries < 0)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `max_entries is ${maxEntries}`,
      remedy: 'Use 0 for no limit, or a positive number.',
    });
  if (startingToken !== '' && !isKey(startingToken)) throw invalid(startingToken);
  const sorted = [...entries].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  const rest = sorted.filter((entry) => keyOf(entry) > startingToken);
  const page = maxEntries === 0 ? rest : rest.slice(0, maxEntries);
  const last = page.at(-1);
  return { entries: page, nextToken: last && page.length < rest.length ? keyOf(last) : '' };
};
