import type { Clock } from '@vdo/base/clock';
import { type HttpRequest, type HttpTransport, httpResponse } from '@vdo/base/http';
import type { Logger } from '@vdo/base/logger';
import type { KubeClient } from '../client.ts';
import type { KubeObject } from '../types/object.ts';
import type { Resource } from '../types/resource.ts';

interface TokenReview extends KubeObject {
  readonly spec: { readonly token: string };
  readonly status?: {
    readonly authenticated?: boolean;
    readonly user?: { readonly username?: string; readonly groups?: readonly string[] };
  };
}
interface AccessReview extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: { readonly allowed?: boolean };
}

const tokenReviews: Resource<TokenReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'tokenreviews',
  kind: 'TokenReview',
  namespaced: false,
};
const accessReviews: Resource<AccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  namespaced: false,
};

export interface AuthorizedHandlerOptions {
  readonly handler: HttpTransport;
  readonly client: Pick<KubeClient, 'create'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether a path needs a right; the probes of kubelet come without a token. Default: /metrics only. */
  readonly isProtected?: (path: string) => boolean;
}

type Verdict = 'allowed' | 'unauthenticated' | 'forbidden';

const cacheMs = 60_000;
const maxCached = 1_000;

/**
 * Lets a request through if its bearer token may `get` the path as a nonResourceURL, which the API server decides by
 * TokenReview and SubjectAccessReview. RBAC: create of tokenreviews and subjectaccessreviews. Fails closed.
 */
export const createAuthorizedHandler = (options: AuthorizedHandlerOptions): HttpTransport => {
  const { client, clock, logger, isProtected = (path) => path === '/metrics' } = options;
  const verdicts = new Map<string, { readonly verdict: Verdict; readonly untilMs: number }>();

  const review = async (token: string, path: string, signal: AbortSignal | undefined): Promise<Verdict> => {
    const call = signal ? { signal } : {};
    const { status } = await client.create(tokenReviews, reviewOf(tokenReviews, { token }), call);
    const user = status?.user;
    if (!status?.authenticated || !user?.username) return 'unauthenticated';
    const spec = { user: user.username, groups: user.groups ?? [], nonResourceAttributes: { path, verb: 'get' } };
    const access = await client.create(accessReviews, reviewOf(accessReviews, spec), call);
    return access.status?.allowed ? 'allowed' : 'forbidden';
  };

  const judge = async (token: string, path: string, signal: AbortSignal | undefined): Promise<Verdict> => {
    const key = `${path}\n${token}`;
    const known = verdicts.get(key);
    if (known && known.untilMs > clock.monotonicMs()) return known.verdict;
    const verdict = await review(token, path, signal);
    if (verdicts.size >= maxCached) verdicts.clear();
    verdicts.set(key, { verdict, untilMs: clock.monotonicMs() + cacheMs });
    return verdict;
  };

  return async (request) => {
    const { pathname } = new URL(request.path, 'http://server');
    if (!isProtected(pathname)) return options.handler(request);
    const token = bearerToken(request);
    if (token === undefined) return refuse(401, 'a bearer token is needed');
    try {
      const verdict = await judge(token, pathname, request.signal);
      if (verdict === 'allowed') return options.handler(request);
      return verdict === 'forbidden'
        ? refuse(403, `a ClusterRole with nonResourceURLs: ["${pathname}"], verbs: ["get"] is needed`)
        : refuse(401, 'the bearer token is not valid');
    } catch (error) {
      logger.warn('cannot ask the API server who may read', { path: pathname, error });
      return refuse(500, 'the API server could not be asked');
    }
  };
};

const reviewOf = <T extends KubeObject>({ group, version, kind }: Resource<T>, spec: object): T =>
  ({ apiVersion: `${group}/${version}`, kind, metadata: {}, spec }) as unknown as T;

const bearerToken = ({ headers }: HttpRequest): string | undefined =>
  headers['authorization']?.match(/^Bearer\s+(\S+)$/i)?.[1];

const refuse = (status: number, why: string) =>
  httpResponse(status, `${why}\n`, {
    'content-type': 'text/plain; charset=utf-8',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  });
