import { createHash } from 'node:crypto';
import type { Clock } from '@vdo/base/clock';
import type { KubeClient } from '../client.ts';
import { createRateLimiter } from '../rate-limiter.ts';
import type { KubeObject } from '../types/object.ts';
import type { Resource } from '../types/resource.ts';

interface TokenReview extends KubeObject {
  readonly spec: { readonly token: string; readonly audiences?: readonly string[] };
  readonly status?: {
    readonly authenticated?: boolean;
    readonly audiences?: readonly string[];
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

export type Verdict = 'allowed' | 'unauthenticated' | 'forbidden' | 'too-many';

export interface Credentials {
  readonly token: string;
  /** The token must have been issued for this audience. Default: for the API server itself. */
  readonly audience?: string;
}

/** Decides whether the owner of a token may `get` a path. */
export type AccessJudge = (credentials: Credentials, path: string) => Promise<Verdict>;

/** How long a decision is used, and so how long a revoked permission still works. */
const cacheMs = 60_000;
/** A token that was allowed within this time is reviewed without waiting behind unknown tokens. */
const knownForMs = 60 * 60_000;
const maxCached = 1_000;
/** Reviews of unknown tokens: a flood of invented tokens must not become a flood of requests to the API server. */
const strangers = { qps: 5, burst: 20 };

interface Entry {
  readonly verdict: Verdict;
  readonly untilMs: number;
}

/** A map that drops the oldest entry. */
const createBoundedMap = () => {
  const entries = new Map<string, Entry>();
  return {
    get: (key: string) => entries.get(key),
    set: (key: string, entry: Entry): void => {
      entries.delete(key);
      entries.set(key, entry);
      const [oldest] = entries.keys();
      if (entries.size > maxCached && oldest !== undefined) entries.delete(oldest);
    },
  };
};

/** The API server decides, by TokenReview and SubjectAccessReview. Tokens are kept as hashes only. */
export const createAccessJudge = (options: {
  readonly client: Pick<KubeClient, 'create'>;
  readonly clock: Clock;
}): AccessJudge => {
  const { client, clock } = options;
  // Stored separately, so that no number of refused tokens can displace an allowed one.
  const [allowed, refused] = [createBoundedMap(), createBoundedMap()];
  const asking = new Map<string, Promise<Verdict>>();
  let refusedUntilMs = Number.NEGATIVE_INFINITY;
  const limiter = createRateLimiter({ clock, ...strangers });

  const review = async ({ token, audience }: Credentials, path: string): Promise<Verdict> => {
    const asked = { token, ...(audience === undefined ? {} : { audiences: [audience] }) };
    const { status } = await client.create(tokenReviews, reviewOf(tokenReviews, asked));
    const user = status?.user;
    if (!status?.authenticated || !user?.username) return 'unauthenticated';
    if (audience !== undefined && !status.audiences?.includes(audience)) return 'unauthenticated';
    const spec = { user: user.username, groups: user.groups ?? [], nonResourceAttributes: { path, verb: 'get' } };
    const access = await client.create(accessReviews, reviewOf(accessReviews, spec));
    return access.status?.allowed ? 'allowed' : 'forbidden';
  };

  const ask = async (key: string, credentials: Credentials, path: string): Promise<Verdict> => {
    const verdict = await review(credentials, path);
    const entry = { verdict, untilMs: clock.monotonicMs() + cacheMs };
    (verdict === 'allowed' ? allowed : refused).set(key, entry);
    return verdict;
  };

  /** Reserves a review of an unknown token, if one is available now. */
  const mayAsk = (): boolean => {
    if (clock.monotonicMs() < refusedUntilMs) return false;
    const waitMs = limiter.reserveMs();
    if (waitMs > 0) refusedUntilMs = clock.monotonicMs() + waitMs;
    return waitMs === 0;
  };

  return async (credentials, path) => {
    const { token, audience = '' } = credentials;
    const key = createHash('sha256').update(`${path}\n${audience}\n${token}`).digest('base64');
    const nowMs = clock.monotonicMs();
    const isFresh = (entry: Entry | undefined): entry is Entry => entry !== undefined && entry.untilMs > nowMs;
    const [good, bad] = [allowed.get(key), refused.get(key)];
    // The newer decision counts: a permission may have been granted or revoked in the meantime.
    const known = [good, bad].filter(isFresh).sort((a, b) => b.untilMs - a.untilMs)[0];
    if (known) return known.verdict;
    const running = asking.get(key);
    if (running) return running;
    const isKnown = good !== undefined && good.untilMs + knownForMs > nowMs && (bad?.untilMs ?? 0) < good.untilMs;
    if (!isKnown && !mayAsk()) return 'too-many';
    const verdict = ask(key, credentials, path).finally(() => asking.delete(key));
    asking.set(key, verdict);
    return verdict;
  };
};

const reviewOf = <T extends KubeObject>({ group, version, kind }: Resource<T>, spec: object): T =>
  ({ apiVersion: `${group}/${version}`, kind, metadata: {}, spec }) as unknown as T;
