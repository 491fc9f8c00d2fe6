import type { Clock } from '@vdo/base/clock';
import { isVdoError, toVdoError } from '@vdo/base/vdo-error';
import { rejectionIn } from '@vdo/vsphere/session/login-guard';
import type { AboutInfo } from '@vdo/vsphere/vcenter';
import type { VCenterObservation } from '../observation.ts';
import type { PooledVCenter } from './vcenter-pool.ts';

type VCenter = Pick<PooledVCenter, 'server' | 'about' | 'login' | 'loginAnew'>;

/** Asks vCenters who they are, and logs in. */
export interface VCenterObserver {
  /** Asks every vCenter at once; one that fails does not keep the others from being observed. */
  observe(
    vcenters: readonly VCenter[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly VCenterObservation[]>;
  /** Something else found a vCenter wanting: ask them anew. True if anything was remembered. */
  invalidate(): boolean;
}

/**
 * For the version, which changes when vCenter is updated and restarts; the checks ask for a sign of life more often, and
 * what they find wanting is asked anew at once.
 */
const freshMs = 55 * 60_000;

/** A session outlives the password it was opened with: so often a login is made anew. */
const proofMs = 30 * 60_000;

/** Errors of a login that tell of the account, and not of the way to vCenter. */
const refusals = ['VCenterLoginRejected', 'VCenterLoginSuspended', 'SecretMissing', 'SecretKeysMissing'] as const;

const attempt = async <T>(operation: () => Promise<T>) => {
  try {
    return { value: await operation() };
  } catch (error) {
    return { error: toVdoError(error) };
  }
};

export const createVCenterObserver = ({ clock }: { readonly clock: Clock }): VCenterObserver => {
  let known = new WeakMap<VCenter, { readonly about: AboutInfo; readonly atMs: number }>();
  let remembers = false;

  const aboutOf = async (vcenter: VCenter, signal: AbortSignal): Promise<AboutInfo> => {
    const last = known.get(vcenter);
    if (last && clock.monotonicMs() - last.atMs < freshMs) return last.about;
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
    // Other errors tell of the way to vCenter, which is judged by itself.
    if (!isVdoError(error, ...refusals)) return;
    note(vcenter, true);
    throw error;
  };

  // Reachability needs no login, so an outage is never mistaken for bad credentials, nor the other way round.
  const observe = async (vcenter: VCenter, signal: AbortSignal): Promise<VCenterObservation> => {
    const { server } = vcenter;
    const wasKnown = known.has(vcenter);
    const reached = await attempt(() => aboutOf(vcenter, signal));
    if (reached.error) return { server, reachError: reached.error };
    const login = await attempt(() => logIn(vcenter, signal));
    // What was remembered of it says nothing of now, and who is refused may be so from memory, without having asked vCenter.
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
