import { attempt, type Reading, valueIn } from '@vdo/checks/facts/reading';
import type { SecretFacts, VCenterFacts } from '@vdo/checks/facts/vcenter-facts';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import { decodeSecretData, findAccount } from '@vdo/config/credentials';
import { hasOwnAccount } from '@vdo/config/driver-accounts';
import { names } from '@vdo/config/names';
import { configMaps, type Secret, secrets } from '@vdo/kube/types/core';
import { type LoginGuardState, notAfter } from '@vdo/vsphere/session/login-guard';
import { type AccountPlace, accountOf, accountPlaces } from './account-places.ts';
import type { GatherDeps } from './gather-deps.ts';

export interface AccountFacts {
  readonly secret: SecretFacts;
  readonly lockout?: NonNullable<VCenterFacts['lockout']>;
}

type Drivers = readonly ('cpi' | 'csi')[];

/** `own`: the drivers that have this account for themselves. Default: it is the shared account. */
export type AccountReader = (spec: VCenterSpec, own?: Drivers) => AccountFacts;

const pathOf = ({ key }: AccountPlace): string => `${key.namespace}/${key.name}`;

const windowMs = 180_000;
const rejectedForMs = 15 * 60_000;

const parseState = (text: string): LoginGuardState => {
  try {
    return JSON.parse(text) as LoginGuardState;
  } catch {
    return {};
  }
};

/** The rejected logins that all programs together remember. */
const lockoutOf = (
  states: readonly LoginGuardState[],
  key: string,
  nowMs: number,
): NonNullable<VCenterFacts['lockout']> => {
  // Times in the future come from a clock that was set back since: they count as now, as in the programs themselves.
  const records = states.flatMap((state) => state[key] ?? []).map((record) => notAfter(nowMs, record));
  // Rejections from before a successful login no longer count, even if they are still stored.
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
  copies: readonly AccountPlace[],
  context: {
    readonly server: string;
    readonly namespace: string;
    readonly secretAt: (place: AccountPlace) => Secret | undefined;
  },
): SecretFacts => {
  const { server, namespace, secretAt } = context;
  if ('error' in reading) return { namespace, exists: false, readError: reading.error };
  if (!reading.value) return { namespace, exists: false };
  const lookup = findAccount(decodeSecretData(reading.value.data), server);
  const { account } = lookup;
  const theirs = copies.flatMap((place) => {
    const found = accountOf(place, secretAt(place), server);
    return found ? [{ ...found, copy: pathOf(place) }] : [];
  });
  const [first] = theirs;
  if (!first || !account) return { namespace, exists: true, lookup };
  const changed = theirs.find(
    ({ username, password }) => username !== account.username || password !== account.password,
  );
  const inUse = changed ? 'differs' : 'same';
  return { namespace, exists: true, lookup, inUse, copy: (changed ?? first).copy };
};

/** The Secrets from which these drivers read an account, or those without a separate one. */
const copiesOf = ({ spec, namespace }: GatherDeps, own?: Drivers): readonly AccountPlace[] => {
  const drivers = own ?? (['csi', 'cpi'] as const).filter((driver) => spec[driver] && !hasOwnAccount(spec, driver));
  const first = drivers.flatMap((driver) =>
    accountPlaces(namespace, own !== undefined)[driver][spec.distribution].slice(0, 1),
  );
  return [...new Map(first.map((place) => [pathOf(place), place])).values()];
};

/** Secrets and the stored rejected logins: one read per Secret and two more, however many vCenters share them. */
export const readAccounts = async (deps: GatherDeps, signal: AbortSignal): Promise<AccountReader> => {
  const { kube, namespace } = deps;
  const find = (key: AccountPlace['key']) => attempt(() => kube.find(secrets, key, { signal }), signal);
  const own = deps.accounts ?? [];
  const secretNames = new Set([...deps.vcenters, ...own].map(({ spec }) => spec.credentialsSecret));
  const copies = [...copiesOf(deps), ...own.flatMap(({ drivers }) => copiesOf(deps, drivers))];
  const [named, copied, guard] = await Promise.all([
    Promise.all([...secretNames].map(async (name) => [name, await find({ namespace, name })] as const)),
    Promise.all(copies.map(async (place) => [pathOf(place), await find(place.key)] as const)),
    attempt(() => kube.find(configMaps, { namespace, name: names.loginGuard }, { signal }), signal),
  ]);
  const bySecret = new Map(named);
  const byCopy = new Map(copied);
  const secretAt = (place: AccountPlace) => valueIn(byCopy.get(pathOf(place)));
  const states = Object.values(valueIn(guard)?.data ?? {}).map(parseState);
  return ({ server, credentialsSecret }, drivers) => {
    const reading = bySecret.get(credentialsSecret) ?? { value: undefined };
    const secret = secretFacts(reading, copiesOf(deps, drivers), { server, namespace, secretAt });
    const username = secret.lookup?.account?.username;
    if (username === undefined || 'error' in guard) return { secret };
    return { secret, lockout: lockoutOf(states, `${server} ${username}`, deps.clock.now()) };
  };
};
