import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
import { attempt, type Reading } from '@vdo/checks/facts/reading';
import type { Support, VCenterFacts } from '@vdo/checks/facts/vcenter-facts';
import { slowAnswerMs } from '@vdo/checks/vcenter/latency';
import { isUntriedVCenter, vcenterVersionOf } from '@vdo/config/product-version';
import type { SessionHealth } from '@vdo/vsphere/health/health-reader';
import { rejectionIn } from '@vdo/vsphere/session/login-guard';
import type { AboutInfo } from '@vdo/vsphere/vcenter';
import type { GatherDeps, HealthVCenter } from './gather-deps.ts';

export type Connection = Pick<VCenterFacts, 'about' | 'reachError' | 'login' | 'clockSkewMs' | 'latencyMs' | 'support'>;

const aboutMaxAgeMs = 3_600_000;
/** The client could not even be created. */
export const isBroken = (vcenter: HealthVCenter | VdoError): vcenter is VdoError => isVdoError(vcenter);

const supportOf = (about: AboutInfo, judge: (product: AboutInfo) => Support): Support => {
  const support = judge(about);
  const isUntried = support.verdict === 'too-old' && isUntriedVCenter(vcenterVersionOf(about));
  return isUntried ? { ...support, verdict: 'untried' } : support;
};

/** The error came before any login: there is no account to log in with. */
const isAccountless = ({ code }: VdoError): boolean => /^(Secret|Kube)/.test(code);

/**
 * Connects to a vCenter and logs in, with one call if everything works: its clock, which needs a session. Only if that fails is it
 * asked for its version without a login, so that an outage and a wrong password are distinguished.
 */
export const connect = async (
  deps: GatherDeps,
  vcenter: HealthVCenter | VdoError,
  signal: AbortSignal,
): Promise<Connection> => {
  if (isBroken(vcenter)) return { reachError: vcenter };
  const { clock, memory, vsphereSupport } = deps;
  const ask = async () => {
    const beforeMs = clock.now();
    const time = await attempt(() => vcenter.health.clock({ signal }), signal);
    return { time, middleMs: (beforeMs + clock.now()) / 2, tookMs: Math.max(0, clock.now() - beforeMs) };
  };
  const first = await ask();
  // The first answer may include a login, or come while the program is busy: only a second slow one counts.
  const { time, middleMs, tookMs } = first.tookMs >= slowAnswerMs && 'value' in first.time ? await ask() : first;
  const known = memory?.about.get(vcenter.server);
  const isFresh = known !== undefined && clock.monotonicMs() - known.atMs < aboutMaxAgeMs;
  const about =
    isFresh && 'value' in time ? { value: known.value } : await attempt(() => vcenter.about({ signal }), signal);
  if ('error' in about) return { reachError: about.error };
  if (!isFresh) memory?.about.set(vcenter.server, { value: about.value, atMs: clock.monotonicMs() });
  const said = { about: about.value, ...(vsphereSupport ? { support: supportOf(about.value, vsphereSupport) } : {}) };
  if ('value' in time)
    return { ...said, login: true, clockSkewMs: { value: time.value - middleMs }, latencyMs: Math.round(tookMs) };
  return isAccountless(time.error) ? said : { ...said, login: rejectionIn(time.error) };
};

const sameUser = (shown: string, username: string): boolean => {
  const plain = (name: string): string => {
    const [domain = '', user] = name.split('\\');
    return (user === undefined ? name : `${user}@${domain}`).toLowerCase();
  };
  return plain(shown) === plain(username);
};

/** A leak grows slowly. */
const sessionsMaxAgeMs = 55 * 60_000;

/** The sessions of the account, whichever program opened them. */
export const readSessions = async (
  { memory, clock }: GatherDeps,
  vcenter: HealthVCenter,
  options: { readonly username: string; readonly signal: AbortSignal },
): Promise<Reading<readonly SessionHealth[] | undefined>> => {
  const { username, signal } = options;
  const known = memory?.sessions.get(vcenter.server);
  if (known && clock.monotonicMs() - known.atMs < sessionsMaxAgeMs) return { value: known.value };
  const reading = await attempt(
    async () => (await vcenter.health.sessions({ signal }))?.filter(({ userName }) => sameUser(userName, username)),
    signal,
  );
  if ('value' in reading) memory?.sessions.set(vcenter.server, { value: reading.value, atMs: clock.monotonicMs() });
  return reading;
};
