import type { Clock } from '@vdo/base/clock';
import type { HttpHeaders } from '@vdo/base/http';
import type { Random } from '@vdo/base/random';
import { unauthorized } from '../api-error.ts';

export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid?: string;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresMs: number;
}

/** The callers, and the tokens of service accounts. */
export interface Identities {
  /** By bearer token, else the administrator; `Impersonate-User` is honoured. Throws Unauthorized for a bad token. */
  ofRequest(headers: HttpHeaders): Identity;
  /** Undefined unless the token was issued for the audience; by default that of the API server. */
  ofToken(token: string, audience?: string): Identity | undefined;
  issue(
    account: { readonly namespace: string; readonly name: string; readonly uid: string },
    options: { readonly lifetimeSeconds: number; readonly audiences: readonly string[] },
  ): IssuedToken;
}

/** What tokens are for unless they are asked for something else. */
export const apiAudience = 'https://kubernetes.default.svc';

const administrator: Identity = { user: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

const serviceAccount = ({ namespace, name, uid }: { namespace: string; name: string; uid: string }): Identity => ({
  user: `system:serviceaccount:${namespace}:${name}`,
  uid,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
});

export const createIdentities = (options: {
  readonly clock: Clock;
  readonly random: Random;
  /** Tokens that are valid from the start. */
  readonly tokens?: Readonly<Record<string, Identity>>;
}): Identities => {
  const { clock, random } = options;
  // A map: of an object `constructor` would be a token.
  const given = new Map(Object.entries(options.tokens ?? {}));
  const issued = new Map<
    string,
    { readonly identity: Identity; readonly expiresMs: number; readonly audiences: readonly string[] }
  >();

  const ofToken = (token: string, audience = apiAudience): Identity | undefined => {
    const found = issued.get(token);
    if (found) return found.expiresMs > clock.now() && found.audiences.includes(audience) ? found.identity : undefined;
    return audience === apiAudience ? given.get(token) : undefined;
  };
  const caller = (headers: HttpHeaders): Identity => {
    const [, token] = /^Bearer\s+(\S+)$/i.exec(headers['authorization'] ?? '') ?? [];
    if (token === undefined) return administrator;
    const identity = ofToken(token);
    if (!identity) throw unauthorized();
    return identity;
  };

  return {
    ofToken,
    ofRequest: (headers) => {
      const own = caller(headers);
      const impersonated = headers['impersonate-user'];
      if (!impersonated) return own;
      const groups = (headers['impersonate-group'] ?? '')
        .split(/[,\n]/)
        .map((group) => group.trim())
        .filter(Boolean);
      return { user: impersonated, groups: [...groups, 'system:authenticated'] };
    },
    issue: (account, { lifetimeSeconds, audiences }) => {
      const expiresMs = clock.now() + lifetimeSeconds * 1_000;
      const identity = serviceAccount(account);
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      // Shaped like a JWT because clients read the expiry from it; the signature is a random value that is looked up.
      const claims = { sub: identity.user, exp: Math.floor(expiresMs / 1_000), iat: Math.floor(clock.now() / 1_000) };
      const token = [part({ alg: 'none', typ: 'JWT' }), part(claims), part({ id: random.uuid() })].join('.');
      issued.set(token, { identity, expiresMs, audiences });
      return { token, expiresMs };
    },
  };
};
