import type { AnyObject } from '@vdo/kube/types/object';
import { ApiError, badRequest, expired, futureVersion } from '../api-error.ts';
import { isObject } from '../json.ts';
import { type ObjectMatcher, parseFieldSelector } from '../selectors/field-selector.ts';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import { storeKey } from '../store/store.ts';
import type { ApiDeps, Target } from './target.ts';

export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** 0 for all. */
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  /** Answers from an older state, this number of revisions ago, like a lagging cache; 0 by default. */
  readonly staleByRevisions?: number;
}

export interface ListResult {
  readonly items: readonly AnyObject[];
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Which objects of a target's bucket a list or watch is about. */
export const selection = (
  target: Target,
  options: Pick<ListOptions, 'labelSelector' | 'fieldSelector'>,
): ObjectMatcher => {
  const { definition, namespace, name } = target;
  const labels = parseLabelSelector(options.labelSelector);
  const fields = parseFieldSelector(options.fieldSelector, {
    kind: definition.kind,
    fields: definition.selectableFields,
  });
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    (name === undefined || object.metadata.name === name) &&
    labels(object.metadata.labels ?? {}) &&
    fields(object);
};

export const parseRevision = (text: string): number => {
  const revision = Number(text);
  if (!Number.isSafeInteger(revision) || revision < 0)
    throw badRequest(`invalid resource version ${JSON.stringify(text)}: not a number`);
  return revision;
};

interface Token {
  readonly revision: number;
  readonly after: string;
}

const encodeToken = (token: Token): string => Buffer.from(JSON.stringify(token)).toString('base64url');

const decodeToken = (text: string): Token => {
  try {
    const token: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (isObject(token) && typeof token['revision'] === 'number' && typeof token['after'] === 'string')
      return { revision: token['revision'], after: token['after'] };
  } catch {
    // Falls through: it is not a token of this server.
  }
  throw badRequest(`continue key is not valid: ${JSON.stringify(text)}`);
};

const expiredToken = (): ApiError =>
  new ApiError(
    410,
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
  );

/** The revision that a list shows, and where its page starts. */
const pageStart = ({ store }: ApiDeps, options: ListOptions): Token => {
  if (options.continue !== '') return decodeToken(options.continue);
  const current = Math.max(store.compactedRevision(), store.revision() - (options.staleByRevisions ?? 0));
  if (options.resourceVersion === '' || options.resourceVersion === '0') return { revision: current, after: '' };
  const wanted = parseRevision(options.resourceVersion);
  if (wanted > store.revision()) throw futureVersion(wanted, store.revision());
  const isExact = options.resourceVersionMatch === 'Exact';
  return { revision: isExact ? wanted : Math.max(wanted, current), after: '' };
};

const keyOfItem = ({ metadata }: AnyObject): string => storeKey(metadata.namespace, metadata.name ?? '');

export const listObjects = (deps: ApiDeps, target: Target, options: ListOptions): ListResult => {
  const { revision, after } = pageStart(deps, options);
  if (revision === deps.store.revision() && options.resourceVersion === '')
    deps.store.noteList(target.definition.bucket);
  const all = deps.store.listAt(target.definition.bucket, revision);
  if (!all) throw options.continue === '' ? expired(revision, deps.store.compactedRevision()) : expiredToken();
  const matches = selection(target, options);
  const rest = all.filter((object) => matches(object) && (after === '' || keyOfItem(object) > after));
  const resourceVersion = String(revision);
  const page = options.limit > 0 ? rest.slice(0, options.limit) : rest;
  const last = page.at(-1);
  if (page.length === rest.length || !last) return { items: page, resourceVersion };
  const hasSelector = options.labelSelector !== '' || options.fieldSelector !== '';
  return {
    items: page,
    resourceVersion,
    continue: encodeToken({ revision, after: keyOfItem(last) }),
    // With a selector a real server does not know how many are left.
    ...(hasSelector ? {} : { remainingItemCount: rest.length - page.length }),
  };
};
