import { isVdoError } from '@vdo/base/vdo-error';
import { type Health, healthOf, type LiveTrouble, withLive } from '@vdo/config/api/health';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';

/** A cluster without the CRD has no resource either. */
export const readDrivers = async (kube: KubeClient, signal: AbortSignal) => {
  try {
    return await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal });
  } catch (error) {
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    throw error;
  }
};

/** The health as in `vdoctl status`, but not better than the result of this view. */
export const healthIn = async (
  kube: KubeClient,
  live: LiveTrouble,
  { server, signal }: { readonly server: string; readonly signal: AbortSignal },
): Promise<Health & { about: string }> => ({
  ...withLive(healthOf(await readDrivers(kube, signal)), live),
  about: server,
});
