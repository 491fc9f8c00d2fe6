import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { Credentials } from './credentials.ts';

/** What the guard remembers of one user on one vCenter. Holds no secret. */
export interface LoginRecord {
  /** When logins were sent that did not succeed, in milliseconds since the epoch. */
  readonly attemptsMs: readonly number[];
  /** Credentials versions that vCenter rejected, when, and in which words. A note of the first release has no words. */
  readonly rejected: readonly {
    readonly version: string;
    readonly atMs: number;
    readonly rejection?: { readonly message: string; readonly remedy: string };
  }[];
  /** When a login succeeded after others had failed: single sign-on counts anew from there, for all programs. */
  readonly acceptedMs?: number;
}

/** By `server user`. */
export type LoginGuardState = Readonly<Record<string, LoginRecord>>;

/** Keeps the guard's memory across restarts: a program that crashes and restarts must not try a bad password each time. */
export interface LoginGuardStore {
  load(): Promise<LoginGuardState>;
  save(state: LoginGuardState): Promise<void>;
}

/** Keeps single sign-on from locking the account (it does so after 5 failed logins within 180 s by default). */
export interface LoginGuard {
  /** Throws like `admit` but counts nothing: for refusing before any call is made. */
  check(server: string, credentials: Credentials): Promise<void>;
  /**
   * Call right before a login is sent: throws VdoError VCenterLoginSuspended if it must not be, else counts it. The cause of the error is
   * the rejection, if it was one.
   */
  admit(server: string, credentials: Credentials): Promise<void>;
  accepted(server: string, credentials: Credentials): Promise<void>;
  /** `rejection` is what is told of these credentials until they are tried again, also by later processes. */
  rejected(server: string, credentials: Credentials, rejection: VdoError): Promise<void>;
}

export interface LoginGuardOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: memory only. */
  readonly store?: LoginGuardStore;
  /** How long rejected credentials are not tried again. Default 15 min. */
  readonly rejectedForMs?: number;
  /** Default 4 failed logins … */
  readonly maxAttempts?: number;
  /** … within 180 s. */
  readonly windowMs?: number;
}

export const createMemoryLoginGuardStore = (): LoginGuardStore => {
  let state: LoginGuardState = {};
  return {
    load: async () => state,
    save: async (next) => {
      state = next;
    },
  };
};

const empty: LoginRecord = { attemptsMs: [], rejected: [] };

/**
 * Times of the future were noted before a clock was set back, and nobody knows how long ago that was: they count from now on, so that
 * they suspend logins for one window more and not until that future has come.
 */
export const notAfter = (nowMs: number, { attemptsMs, rejected, acceptedMs }: LoginRecord): LoginRecord => ({
  attemptsMs: attemptsMs.map((atMs) => Math.min(atMs, nowMs)),
  rejected: rejected.map((one) => ({ ...one, atMs: Math.min(one.atMs, nowMs) })),
  ...(acceptedMs === undefined ? {} : { acceptedMs: Math.min(acceptedMs, nowMs) }),
});

interface Suspension {
  readonly untilMs: number;
  readonly why: string;
  readonly remedy: string;
  readonly cause?: VdoError | undefined;
}

const suspended = (user: string, server: string, options: Suspension): VdoError =>
  new VdoError({
    code: 'VCenterLoginSuspended',
    message: `no login as ${user} on vCenter ${server} before ${new Date(options.untilMs).toISOString()}: ${options.why}`,
    remedy: options.remedy,
    details: { until: new Date(options.untilMs).toISOString() },
    cause: options.cause,
  });

/**
 * What is wrong with credentials whose login failed: what vCenter said of them, also while they are not tried again, in this process or
 * a later one.
 */
export const rejectionIn = (error: VdoError): VdoError =>
  isVdoError(error, 'VCenterLoginSuspended') && isVdoError(error.cause, 'VCenterLoginRejected') ? error.cause : error;

/** One guard per process, shared by all vCenters and by SOAP and REST logins. */
export const createLoginGuard = (options: LoginGuardOptions): LoginGuard => {
  const { clock, logger, store = createMemoryLoginGuardStore() } = options;
  const { rejectedForMs = 15 * 60_000, maxAttempts = 4, windowMs = 180_000 } = options;
  let memory: Map<string, LoginRecord> | undefined;
  // Changes are made one after the other, so that two logins cannot both be the last allowed one.
  let turn: Promise<unknown> = Promise.resolve();

  const loaded = async (): Promise<Map<string, LoginRecord>> => {
    if (memory) return memory;
    const state = await store.load().catch((error: unknown) => {
      logger.warn('cannot read the record of rejected logins, starting without it', { error });
      return {};
    });
    memory ??= new Map(Object.entries(state));
    return memory;
  };

  const exclusively = <T>(step: () => Promise<T>): Promise<T> => {
    const result = turn.then(step);
    turn = result.catch(() => undefined);
    return result;
  };

  const age = (atMs: number): number => clock.now() - atMs;

  const recordOf = async (key: string): Promise<LoginRecord> => {
    const records = await loaded();
    const noted = records.get(key);
    if (!noted) return empty;
    const record = notAfter(clock.now(), noted);
    records.set(key, record);
    return record;
  };

  const update = async (key: string, change: (record: LoginRecord) => LoginRecord): Promise<void> => {
    const next = change(await recordOf(key));
    const records = await loaded();
    const record = {
      attemptsMs: next.attemptsMs.filter((atMs) => age(atMs) < windowMs),
      rejected: next.rejected.filter(({ atMs }) => age(atMs) < rejectedForMs),
      ...(next.acceptedMs !== undefined && age(next.acceptedMs) < rejectedForMs ? { acceptedMs: next.acceptedMs } : {}),
    };
    if (record.attemptsMs.length + record.rejected.length > 0 || record.acceptedMs) records.set(key, record);
    else if (!records.delete(key)) return;
    await store
      .save(Object.fromEntries(records))
      .catch((error: unknown) => logger.warn('cannot save the record of rejected logins', { error }));
  };

  const keyOf = (server: string, { username }: Credentials): string => `${server} ${username}`;

  const check = (record: LoginRecord, server: string, { username, version }: Credentials): void => {
    const bad = record.rejected.find((entry) => entry.version === version && age(entry.atMs) < rejectedForMs);
    if (bad)
      throw suspended(username, server, {
        untilMs: clock.now() - age(bad.atMs) + rejectedForMs,
        why: 'vCenter rejected these same credentials, and repeating them would lock the account',
        remedy: 'Correct username and password in the credentials Secret. A changed Secret is used immediately.',
        cause: bad.rejection && new VdoError({ code: 'VCenterLoginRejected', ...bad.rejection }),
      });
    const recent = record.attemptsMs.filter((atMs) => age(atMs) < windowMs).sort((a, b) => a - b);
    const oldest = recent.at(-maxAttempts);
    if (oldest !== undefined)
      throw suspended(username, server, {
        untilMs: clock.now() - age(oldest) + windowMs,
        why: `${recent.length} logins failed within ${windowMs / 1000} s, and one more could lock the account`,
        remedy:
          'Wait: the login is retried automatically. Meanwhile check username and password in the credentials Secret.',
      });
  };

  return {
    check: async (server, credentials) => {
      check(await recordOf(keyOf(server, credentials)), server, credentials);
    },
    admit: (server, credentials) =>
      exclusively(async () => {
        const key = keyOf(server, credentials);
        check(await recordOf(key), server, credentials);
        await update(key, (record) => ({ ...record, attemptsMs: [...record.attemptsMs, clock.now()] }));
      }),
    accepted: (server, credentials) =>
      exclusively(() =>
        update(keyOf(server, credentials), ({ attemptsMs, rejected, acceptedMs }) => {
          // The one that succeeded has been counted too.
          const hadTrouble = attemptsMs.length > 1 || rejected.length > 0;
          const atMs = hadTrouble ? clock.now() : acceptedMs;
          return { ...empty, ...(atMs === undefined ? {} : { acceptedMs: atMs }) };
        }),
      ),
    rejected: (server, credentials, { message, remedy }) =>
      exclusively(() =>
        update(keyOf(server, credentials), (record) => ({
          ...record,
          rejected: [
            ...record.rejected.filter((entry) => entry.version !== credentials.version),
            { version: credentials.version, atMs: clock.now(), rejection: { message, remedy } },
          ],
        })),
      ),
  };
};
