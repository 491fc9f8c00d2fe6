import { isVdoError } from '@vdo/base/vdo-error';
import { type Health, healthOf, type LiveTrouble, withLive } from '@vdo/config/api/health';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import type { CliContext } from '../../cli/context.ts';
import type { ClusterFlags } from '../../cli/options.ts';
import { withCluster } from '../cluster/open-cluster.ts';

/** A cluster without the CRD has no resource either. */
export const readDrivers = async (kube: KubeClient, signal: AbortSignal) => {
  try {
    return await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal });
  } catch (error) {
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    throw error;
  }
};

/** The word that `vdoctl status` says, no better than what this view has found itself. */
export const readHealth = (
  context: CliContext,
  flags: ClusterFlags,
  live: LiveTrouble,
): Promise<Health & { about: string }> =>
  withCluster(context, flags, async ({ kube, server }) => ({
    ...withLive(healthOf(await readDrivers(kube, context.signal)), live),
    about: server,
  }));
