import { VdoError } from '@vdo/base/vdo-error';
import { beatMs, quietEnough } from './heartbeat-state.ts';

/** Another cluster acts under the id of this one. */
export const clusterIdShared = (clusterId: string, sign: string): VdoError =>
  new VdoError({
    code: 'ClusterIdShared',
    message: `another cluster acts under the id ${clusterId} of this one: ${sign}`,
    remedy: `Nothing is deleted or detached until one of the two is stopped or has an id of its own: see docs/guides/disaster-recovery.md. If the other one is gone for good, this ends by itself ${(beatMs * quietEnough) / 60_000} minutes after its last sign.`,
    details: { clusterId },
  });
