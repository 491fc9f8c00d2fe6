import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';

export interface Account {
  /** `user@domain`; `DOMAIN\user` is accepted at login, too. Case does not matter. */
  readonly username: string;
  readonly password: string;
  readonly passwordExpired?: boolean;
  /** Groups, `name@domain`. */
  readonly groups?: readonly string[];
}

export interface Session {
  /** Public: identifies the session in lists and in HasPrivilegeOnEntities. */
  readonly key: string;
  /** Secret: the cookie or REST token. */
  readonly token: string;
  readonly kind: 'soap' | 'rest' | 'sso';
  /** `user@domain`, lower case. */
  readonly user: string;
  readonly groups: readonly string[];
  readonly loginMs: number;
  readonly lastActiveMs: number;
  readonly userAgent: string;
}

/** All sessions. */
export interface Sessions {
  /** Undefined if the name or the password is wrong, or the account is locked. */
  login(request: {
    readonly username: string;
    readonly password: string;
    readonly kind: Session['kind'];
    readonly userAgent?: string;
  }): Session | undefined;
  /** A session for a user who was authenticated in another way; undefined if there is no such account. */
  open(request: {
    readonly username: string;
    readonly kind: Session['kind'];
    readonly userAgent?: string;
  }): Session | undefined;
  /** Checks name and password, counting failures, without a session. */
  verify(username: string, password: string): boolean;
  /** True if the password is correct but has expired. */
  hasExpired(username: string, password: string): boolean;
  /** The session of a token, with its idle time reset; undefined if there is none. */
  use(token: string): Session | undefined;
  /** Marks a call of this session as in progress: the session is not idle until the returned function is called. */
  hold(token: string): () => void;
  /** The same without resetting its idle time. */
  find(token: string): Session | undefined;
  byKey(key: string): Session | undefined;
  logout(token: string): void;
  /** Ends sessions as if they had been idle for too long: those of a user, or all. */
  expire(user?: string): void;
  list(): readonly Session[];
  /** Failed logins so far, per user. */
  rejected(): ReadonlyMap<string, number>;
  /** Called when a session ends, by logout or otherwise. */
  onEnd(listener: (session: Session) => void): void;
}

export interface SessionsOptions {
  readonly accounts: () => readonly Account[];
  readonly clock: Clock;
  readonly random: Random;
  /** 30 minutes by default, as in vCenter. */
  readonly idleMs?: number;
  /** vCenter's single sign-on locks after 5 failures within 180 s, for 300 s. */
  readonly lockout?: { readonly failures: number; readonly withinMs: number; readonly forMs: number };
}

/** `DOMAIN\user` and `User@Domain` → `user@domain`. */
export const principalName = (name: string): string => {
  const [domain, user] = name.split('\\');
  return (user === undefined ? name : `${user}@${domain}`).toLowerCase();
};

export const createSessions = (options: SessionsOptions): Sessions => {
  const { clock, random, idleMs = 30 * 60_000 } = options;
  const { lockout = { failures: 5, withinMs: 180_000, forMs: 300_000 } } = options;
  const sessions = new Map<string, Session>();
  const holds = new Map<string, number>();
  const failures = new Map<string, { recentMs: number[]; total: number; lockedUntilMs: number }>();
  const listeners: ((session: Session) => void)[] = [];

  const end = (session: Session): void => {
    if (!sessions.delete(session.token)) return;
    for (const listener of listeners) listener(session);
  };

  const live = (token: string): Session | undefined => {
    const session = sessions.get(token);
    const held = (holds.get(token) ?? 0) > 0;
    if (session && !held && clock.now() - session.lastActiveMs > idleMs) end(session);
    return sessions.get(token);
  };

  const use = (token: string): Session | undefined => {
    const session = live(token);
    if (!session) return undefined;
    const used = { ...session, lastActiveMs: clock.now() };
    sessions.set(token, used);
    return used;
  };

  const reject = (user: string): void => {
    const nowMs = clock.now();
    const known = failures.get(user) ?? { recentMs: [], total: 0, lockedUntilMs: 0 };
    const recentMs = [...known.recentMs.filter((atMs) => nowMs - atMs < lockout.withinMs), nowMs];
    const lockedUntilMs = recentMs.length >= lockout.failures ? nowMs + lockout.forMs : known.lockedUntilMs;
    failures.set(user, { recentMs, total: known.total + 1, lockedUntilMs });
  };

  const accountOf = (username: string): Account | undefined =>
    options.accounts().find((candidate) => principalName(candidate.username) === principalName(username));

  const verify: Sessions['verify'] = (username, password) => {
    const user = principalName(username);
    const locked = (failures.get(user)?.lockedUntilMs ?? 0) > clock.now();
    const account = accountOf(username);
    const right = account?.password === password && !account.passwordExpired && !locked;
    if (!right) reject(user);
    return right;
  };

  const open: Sessions['open'] = ({ username, kind, userAgent = '' }) => {
    const account = accountOf(username);
    if (!account) return undefined;
    const session: Session = {
      key: random.uuid(),
      token: random.uuid().replaceAll('-', ''),
      kind,
      user: principalName(username),
      groups: (account.groups ?? []).map(principalName),
      loginMs: clock.now(),
      lastActiveMs: clock.now(),
      userAgent,
    };
    sessions.set(session.token, session);
    return session;
  };

  return {
    login: ({ password, ...request }) => (verify(request.username, password) ? open(request) : undefined),
    open,
    verify,
    hasExpired: (username, password) => {
      const account = accountOf(username);
      return account?.passwordExpired === true && account.password === password;
    },
    use,
    hold: (token) => {
      holds.set(token, (holds.get(token) ?? 0) + 1);
      return () => {
        use(token);
        const left = (holds.get(token) ?? 1) - 1;
        if (left > 0) holds.set(token, left);
        else holds.delete(token);
      };
    },
    find: live,
    byKey: (key) => [...sessions.values()].find((session) => session.key === key),
    logout: (token) => {
      const session = sessions.get(token);
      if (session) end(session);
    },
    expire: (user) => {
      for (const session of [...sessions.values()])
        if (user === undefined || session.user === principalName(user)) end(session);
    },
    list: () => [...sessions.keys()].flatMap((token) => live(token) ?? []),
    rejected: () => new Map([...failures].map(([user, { total }]) => [user, total])),
    onEnd: (listener) => {
      listeners.push(listener);
    },
  };
};
