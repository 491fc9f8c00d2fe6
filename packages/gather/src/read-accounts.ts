import { attempt, type Reading, valueIn } from '@vdo/checks/facts/reading';
import type { SecretFacts, VCenterFacts } from '@vdo/checks/facts/vcenter-facts';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import { decodeSecretData, findAccount } from '@vdo/config/credentials';
import { names } from '@vdo/config/names';
import { configMaps, type Secret, secrets } from '@vdo/kube/types/core';
import { type LoginGuardState, notAfter } from '@vdo/vsphere/session/login-guard';
import type { GatherDeps } from './gather-deps.ts';

export interface AccountFacts {
  readonly secret: SecretFacts;
  readonly lockout?: NonNullable<VCenterFacts['lockout']>;
}

/** `copy`: the Secret from which the drivers read it. */
export type AccountReader = (spec: VCenterSpec, copy?: string) => AccountFacts;

const windowMs = 180_000;
const rejectedForMs = 15 * 60_000;

const parseState = (text: string): LoginGuardState => {
  try {
    return JSON.parse(text) as LoginGuardState;
  } catch {
    return {};
  }
};

/** What all programs together remember of rejected logins. */
const lockoutOf = (
  states: readonly LoginGuardState[],
  key: string,
  nowMs: number,
): NonNullable<VCenterFacts['lockout']> => {
  // Times of the future are of a clock that was set back since: they count as of now, as for the programs themselves.
  const records = states.flatMap((state) => state[key] ?? []).map((record) => notAfter(nowMs, record));
  // What was rejected before the account was accepted somewhere counts no more, also where it is still remembered.
  const acceptedMs = Math.max(0, ...records.map((record) => record.acceptedMs ?? 0));
  const attempts = records
    .flatMap(({ attemptsMs }) => attemptsMs)
    .filter((atMs) => atMs > acceptedMs && nowMs - atMs < windowMs);
  const until = records.flatMap(({ rejected }) =>
    rejected.filter(({ atMs }) => atMs > acceptedMs).map(({ atMs }) => atMs + rejectedForMs),
  );
  const latest = until.length > 0 ? Math.max(...until) : 0;
  return { recentRejections: attempts.length, ...(latest > nowMs ? { suspendedUntilMs: latest } : {}) };
};

const secretFacts = (
  reading: Reading<Secret | undefined>,
  drivers: Secret | undefined,
  { server, namespace }: { readonly server: string; readonly namespace: string },
): SecretFacts => {
  if ('error' in reading) return { namespace, exists: false, readError: reading.error };
  if (!reading.value) return { namespace, exists: false };
  const lookup = findAccount(decodeSecretData(reading.value.data), server);
  const theirs = drivers && findAccount(decodeSecretData(drivers.data), server).account;
  const { account } = lookup;
  if (!theirs || !account) return { namespace, exists: true, lookup };
  const same = theirs.username === account.username && theirs.password === account.password;
  return { namespace, exists: true, lookup, inUse: same ? 'same' : 'differs' };
};

/** The Secret from which a native driver with an account of its own reads it. */
export const copyOf = ({ drivers }: { readonly drivers: readonly ('cpi' | 'csi')[] }): string =>
  drivers.includes('csi') ? names.csiCredentials : names.cpiCredentials;

/** Secrets and the memory of rejected logins: one read per Secret and two more, however many vCenters share them. */
export const readAccounts = async (deps: GatherDeps, signal: AbortSignal): Promise<AccountReader> => {
  const { kube, namespace } = deps;
  const find = (name: string) => attempt(() => kube.find(secrets, { namespace, name }, { signal }), signal);
  const findAll = (all: ReadonlySet<string>) =>
    Promise.all([...all].map(async (name) => [name, await find(name)] as const));
  const own = deps.accounts ?? [];
  const secretNames = new Set([...deps.vcenters, ...own].map(({ spec }) => spec.credentialsSecret));
  const copies = new Set([names.credentialsSecret, ...own.map(copyOf)]);
  const [named, copied, guard] = await Promise.all([
    findAll(secretNames),
    findAll(copies),
    attempt(() => kube.find(configMaps, { namespace, name: names.loginGuard }, { signal }), signal),
  ]);
  const bySecret = new Map(named);
  const byCopy = new Map(copied);
  const states = Object.values(valueIn(guard)?.data ?? {}).map(parseState);
  return ({ server, credentialsSecret }, copy = names.credentialsSecret) => {
    const reading = bySecret.get(credentialsSecret) ?? { value: undefined };
    const drivers = valueIn(byCopy.get(copy));
    const found = secretFacts(reading, drivers, { server, namespace });
    const secret = copy === names.credentialsSecret ? found : { ...found, copy };
    const username = secret.lookup?.account?.username;
    if (username === undefined || 'error' in guard) return { secret };
    return { secret, lockout: lockoutOf(states, `${server} ${username}`, deps.clock.now()) };
  };
};
