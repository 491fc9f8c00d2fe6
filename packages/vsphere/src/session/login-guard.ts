import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { Credentials } from './credentials.ts';

/** The guard's record of one user on one vCenter. Contains no secret. */
export interface LoginRecord {
  /** Times of logins that did not succeed, in milliseconds since the epoch. */
  readonly attemptsMs: readonly number[];
  /** Credentials versions that vCenter rejected, with time and message. Records of the first release have no message. */
  readonly rejected: readonly {
    readonly version: string;
    readonly atMs: number;
    readonly rejection?: { readonly message: string; readonly remedy: string };
  }[];
  /** When a login succeeded after others had failed: single sign-on then starts to count again, for all programs. */
  readonly acceptedMs?: number;
}

/** By `server user`. */
export type LoginGuardState = Readonly<Record<string, LoginRecord>>;

/** Stores the guard's record across restarts: a program that crashes and restarts must not try a wrong password each time. */
export interface LoginGuardStore {
  load(): Promise<LoginGuardState>;
  save(state: LoginGuardState): Promise<void>;
}

/** Prevents single sign-on from locking the account (by default it does so after 5 failed logins within 180 s). */
export interface LoginGuard {
  /** Throws like `admit`, but does not count a login: to refuse before any call is made. */
  check(server: string, credentials: Credentials): Promise<void>;
  /**
   * Must be called right before a login is sent. Throws VdoError VCenterLoginSuspended if the login is not allowed, otherwise counts it. The
   * cause of the error is the earlier rejection, if there was one.
   */
  admit(server: string, credentials: Credentials): Promise<void>;
  accepted(server: string, credentials: Credentials): Promise<void>;
  /** `rejection` is reported for these credentials until they are tried again, also by later processes. */
  rejected(server: string, credentials: Credentials, rejection: VdoError): Promise<void>;
}

export interface LoginGuardOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** In memory by default. */
  readonly store?: LoginGuardStore;
  /** How long rejected credentials are not tried again; 15 min by default. */
  readonly rejectedForMs?: number;
  /** Maximum number of failed logins, 4 by default … */
  readonly maxAttempts?: number;
  /** … within this time, 180 s by default. */
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
 * Times in the future were recorded before a clock was set back, and it is not known how long ago that was. They are treated as now, so that
 * they suspend logins for one more window, and not until that future time.
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
 * The reason why credentials were rejected: vCenter's error, also while they are not tried again, in this process or
 * a later one.
 */
export const rejectionIn = (error: VdoError): VdoError =>
  isVdoError(error, 'VCenterLoginSuspended') && isVdoError(error.cause, 'VCenterLoginRejected') ? error.cause : error;

/** One guard per process, shared by all vCenters and by SOAP and REST logins. */
export const createLoginGuard = (options: LoginGuardOptions): LoginGuard => {
  const { clock, logger, store = createMemoryLoginGuardStore() } = options;
  const { rejectedForMs = 15 * 60_000, maxAttempts = 4, windowMs = 180_000 } = options;
  let memory: Map<string, LoginRecord> | undefined;
  // One change at a time, so that two concurrent logins cannot both take the last allowed attempt.
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
          // The successful login was counted, too.
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
