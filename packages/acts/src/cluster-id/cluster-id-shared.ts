import { VdoError } from '@vdo/base/vdo-error';
import { beatMs, quietEnough } from './heartbeat-state.ts';

/** Another cluster uses the ID of this one. */
export const clusterIdShared = (clusterId: string, sign: string): VdoError =>
  new VdoError({
    code: 'ClusterIdShared',
    message: `another cluster uses the cluster ID ${clusterId} of this cluster: ${sign}`,
    remedy: `Nothing is deleted or detached until one of the two clusters is stopped or has its own ID: see docs/guides/disaster-recovery.md. If the other cluster no longer exists, this ends automatically ${(beatMs * quietEnough) / 60_000} minutes after its last heartbeat.`,
    details: { clusterId },
  });
