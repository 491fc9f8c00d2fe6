import type { Clock } from '@vdo/base/clock';
import { type HttpRequest, type HttpTransport, httpResponse } from '@vdo/base/http';
import type { Logger } from '@vdo/base/logger';
import type { KubeClient } from '../client.ts';
import { type Credentials, createAccessJudge, type Verdict } from './access-judge.ts';

/**
 * The proxy of the API server uses the Authorization header of a request itself. A client that reads a pod through it sends a
 * token for this audience, which is valid for nothing else, in a separate header.
 */
export const proxiedToken = { header: 'x-vdo-metrics-token', audience: 'vdo-metrics' } as const;

export interface AuthorizedHandlerOptions {
  readonly handler: HttpTransport;
  readonly client: Pick<KubeClient, 'create'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether a path requires a permission. Default: every path does. */
  readonly isProtected?: (path: string) => boolean;
}

const refusals: Readonly<
  Record<Exclude<Verdict, 'allowed'>, { readonly status: number; readonly why: (path: string) => string }>
> = {
  unauthenticated: { status: 401, why: () => 'the bearer token is not valid' },
  forbidden: {
    status: 403,
    why: (path) => `a ClusterRole with nonResourceURLs: ["${path}"], verbs: ["get"] is required`,
  },
  'too-many': { status: 429, why: () => 'too many requests with unknown tokens; try again in a few seconds' },
};

/**
 * Lets a request through if its bearer token may `get` the path as a nonResourceURL, which the API server decides by
 * TokenReview and SubjectAccessReview. RBAC: create of tokenreviews and subjectaccessreviews. Fails closed.
 */
export const createAuthorizedHandler = (options: AuthorizedHandlerOptions): HttpTransport => {
  const { logger, isProtected = () => true } = options;
  const judge = createAccessJudge(options);
  return async (request) => {
    const { pathname } = new URL(request.path, 'http://server');
    if (!isProtected(pathname)) return options.handler(request);
    const credentials = credentialsOf(request);
    if (credentials === undefined) return refuse(401, 'a bearer token is required');
    try {
      const verdict = await judge(credentials, pathname);
      if (verdict === 'allowed') return options.handler(request);
      const { status, why } = refusals[verdict];
      return refuse(status, why(pathname));
    } catch (error) {
      logger.warn('cannot check permissions with the API server', { path: pathname, error });
      return refuse(500, 'the API server could not be reached to check permissions');
    }
  };
};

const credentialsOf = ({ headers }: HttpRequest): Credentials | undefined => {
  const bearer = headers['authorization']?.match(/^Bearer\s+(\S+)$/i)?.[1];
  if (bearer !== undefined) return { token: bearer };
  const token = headers[proxiedToken.header];
  return token ? { token, audience: proxiedToken.audience } : undefined;
};

const refuse = (status: number, why: string) =>
  httpResponse(status, `${why}\n`, {
    'content-type': 'text/plain; charset=utf-8',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 429 && { 'retry-after': '5' }),
  });
