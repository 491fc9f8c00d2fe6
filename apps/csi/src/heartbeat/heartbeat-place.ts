import type { HeartbeatPlace } from '@vdo/acts/cluster-id/heartbeat-state';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';

/** Heartbeats are stored next to the report of the full sync. */
export const heartbeatPlace = (client: KubeClient, namespace: string): HeartbeatPlace => ({
  client,
  namespace,
  name: names.csiSyncReport,
  key: names.csiHeartbeatKey,
});
