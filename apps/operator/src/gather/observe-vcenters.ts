import { toVdoError } from '@vdo/base/vdo-error';
import type { VCenter as FullVCenter } from '@vdo/vsphere/vcenter';
import type { VCenterObservation } from '../observation.ts';

type VCenter = Pick<FullVCenter, 'server' | 'about' | 'login'>;

const attempt = async <T>(operation: () => Promise<T>) => {
  try {
    return { value: await operation() };
  } catch (error) {
    return { error: toVdoError(error) };
  }
};

// Reachability needs no login, so an outage is never mistaken for bad credentials, nor the other way round.
const observe = async (vcenter: VCenter, signal: AbortSignal): Promise<VCenterObservation> => {
  const { server } = vcenter;
  const reached = await attempt(() => vcenter.about({ signal }));
  if (reached.error) return { server, reachError: reached.error };
  const login = await attempt(() => vcenter.login({ signal }));
  return { server, about: reached.value, ...(login.error ? { loginError: login.error } : {}) };
};

/** Asks every vCenter at once; one that fails does not keep the others from being observed. */
export const observeVCenters = async (
  vcenters: readonly VCenter[],
  options: { readonly signal: AbortSignal },
): Promise<readonly VCenterObservation[]> => {
  const observations = await Promise.all(vcenters.map((vcenter) => observe(vcenter, options.signal)));
  options.signal.throwIfAborted();
  return observations;
};
