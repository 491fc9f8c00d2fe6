/** What a request's path and method mean. */
export interface RequestInfo {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly resource?: ResourcePath;
}

export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly verb: Verb;
}

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

const verbs: Readonly<Record<string, readonly [ofObject: Verb, ofCollection: Verb]>> = {
  GET: ['get', 'list'],
  HEAD: ['get', 'list'],
  POST: ['create', 'create'],
  PUT: ['update', 'update'],
  PATCH: ['patch', 'patch'],
  DELETE: ['delete', 'deletecollection'],
};

const verbOf = (method: string, isObject: boolean, query: URLSearchParams): Verb | undefined => {
  const [ofObject, ofCollection] = verbs[method] ?? [];
  const isWatch = ['true', '1'].includes(query.get('watch') ?? '');
  if (method === 'GET' && isWatch) return 'watch';
  return isObject ? ofObject : ofCollection;
};

const splitGroup = (
  segments: readonly string[],
): { group: string; version: string; rest: readonly string[] } | undefined => {
  const [root, first, second] = segments;
  if (root === 'api' && first) return { group: '', version: first, rest: segments.slice(2) };
  if (root === 'apis' && first && second) return { group: first, version: second, rest: segments.slice(3) };
  return undefined;
};

const namespaceSubresources = ['status', 'finalize'];

/** `namespaces/x/pods/y/log` → its parts; `namespaces/x` and `namespaces/x/status` are about the namespace itself. */
const splitPlace = (rest: readonly string[]) => {
  const [first, namespace, plural] = rest;
  const isInNamespace =
    first === 'namespaces' && plural !== undefined && !(rest.length === 3 && namespaceSubresources.includes(plural));
  const [resource = '', name, ...sub] = isInNamespace ? rest.slice(2) : rest;
  return {
    plural: resource,
    subresource: sub.join('/'),
    ...(isInNamespace && namespace !== undefined ? { namespace } : {}),
    ...(name !== undefined ? { name } : {}),
  };
};

/** Requests that came lately: most come again and again. */
const parsed = new Map<string, RequestInfo>();
const mostParsed = 2_000;

export const parseRequest = (method: string, url: string): RequestInfo => {
  const key = `${method} ${url}`;
  const known = parsed.get(key);
  if (known) return known;
  const info = parse(method, url);
  if (parsed.size >= mostParsed) parsed.clear();
  parsed.set(key, info);
  return info;
};

const parse = (method: string, url: string): RequestInfo => {
  const [path = '/', search = ''] = url.split('?', 2);
  const query = new URLSearchParams(search);
  const segments = path.split('/').filter(Boolean).map(decodeURIComponent);
  const grouped = splitGroup(segments);
  if (!grouped || grouped.rest.length === 0) return { method, path, query };
  const place = splitPlace(grouped.rest);
  const verb = verbOf(method, place.name !== undefined, query);
  if (!verb) return { method, path, query };
  return { method, path, query, resource: { group: grouped.group, version: grouped.version, ...place, verb } };
};
