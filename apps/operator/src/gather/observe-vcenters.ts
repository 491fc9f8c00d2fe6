import type { Clock } from '@vdo/base/clock';
import { isVdoError, toVdoError } from '@vdo/base/vdo-error';
import { rejectionIn } from '@vdo/vsphere/session/login-guard';
import type { AboutInfo } from '@vdo/vsphere/vcenter';
import type { VCenterObservation } from '../observation.ts';
import type { PooledVCenter } from './vcenter-pool.ts';

type VCenter = Pick<PooledVCenter, 'server' | 'about' | 'login' | 'loginAnew'>;

/** Reads the version of each vCenter, and logs in. */
export interface VCenterObserver {
  /** Asks all vCenters in parallel; a failure of one does not affect the others. */
  observe(
    vcenters: readonly VCenter[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly VCenterObservation[]>;
  /** Drops cached answers because a check found a problem with a vCenter. True if there were any. */
  invalidate(): boolean;
}

/**
 * How long the version is cached: it changes when vCenter is updated and restarted. The checks test reachability more often,
 * and a problem that they find drops the cache at once.
 */
const freshMs = 55 * 60_000;
/** The cache is an answer only while the checks run: their round comes every five minutes, and up to a tenth later. */
const testedMs = 6 * 60_000;

/** How often a new login is made: a session stays valid after its password has changed. */
const proofMs = 30 * 60_000;

/** Login errors that concern the account, not the connection to vCenter. */
const refusals = ['VCenterLoginRejected', 'VCenterLoginSuspended', 'SecretMissing', 'SecretKeysMissing'] as const;

const attempt = async <T>(operation: () => Promise<T>) => {
  try {
    return { value: await operation() };
  } catch (error) {
    return { error: toVdoError(error) };
  }
};

export interface VCenterObserverOptions {
  readonly clock: Clock;
  /** How long ago checks tested the connection. */
  readonly testedMsAgo: () => number;
}

export const createVCenterObserver = ({ clock, testedMsAgo }: VCenterObserverOptions): VCenterObserver => {
  let known = new WeakMap<VCenter, { readonly about: AboutInfo; readonly atMs: number }>();
  let remembers = false;

  const aboutOf = async (vcenter: VCenter, signal: AbortSignal): Promise<AboutInfo> => {
    const last = known.get(vcenter);
    const ageMs = last ? clock.monotonicMs() - last.atMs : Number.POSITIVE_INFINITY;
    if (last && ageMs < freshMs && Math.min(ageMs, testedMsAgo()) < testedMs) return last.about;
    const about = await vcenter.about({ signal });
    known.set(vcenter, { about, atMs: clock.monotonicMs() });
    remembers = true;
    return about;
  };

  const proofs = new WeakMap<VCenter, { readonly atMs: number; readonly refused: boolean }>();
  const note = (vcenter: VCenter, refused: boolean) => proofs.set(vcenter, { atMs: clock.monotonicMs(), refused });

  const logIn = async (vcenter: VCenter, signal: AbortSignal): Promise<void> => {
    await vcenter.login({ signal });
    const last = proofs.get(vcenter);
    if (!last) {
      note(vcenter, false);
      return;
    }
    if (!last.refused && clock.monotonicMs() - last.atMs < proofMs) return;
    const { error } = await attempt(() => vcenter.loginAnew({ signal }));
    if (!error) note(vcenter, false);
    // Other errors concern the connection to vCenter, which is judged separately.
    if (!isVdoError(error, ...refusals)) return;
    note(vcenter, true);
    throw error;
  };

  // Reachability needs no login, so an outage is never mistaken for bad credentials, or the reverse.
  const observe = async (vcenter: VCenter, signal: AbortSignal): Promise<VCenterObservation> => {
    const { server } = vcenter;
    const wasKnown = known.has(vcenter);
    const reached = await attempt(() => aboutOf(vcenter, signal));
    if (reached.error) return { server, reachError: reached.error };
    const login = await attempt(() => logIn(vcenter, signal));
    // Cached answers say nothing about now, and a rejected login may come from memory without asking vCenter.
    const isDoubtful = login.error && (wasKnown || !isVdoError(login.error, ...refusals));
    if (isDoubtful && known.delete(vcenter)) {
      const again = await attempt(() => aboutOf(vcenter, signal));
      if (again.error) return { server, reachError: again.error };
    }
    return { server, about: reached.value, ...(login.error ? { loginError: rejectionIn(login.error) } : {}) };
  };

  return {
    observe: async (vcenters, { signal }) => {
      const observations = await Promise.all(vcenters.map((vcenter) => observe(vcenter, signal)));
      signal.throwIfAborted();
      return observations;
    },
    invalidate: () => {
      const did = remembers;
      known = new WeakMap();
      remembers = false;
      return did;
    },
  };
};
