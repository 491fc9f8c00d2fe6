import { createActLog } from '@vdo/acts/act-log';
import { createSoleUse } from '@vdo/acts/cluster-id/create-sole-use';
import { openFence } from '@vdo/base/fence';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { CliContext } from '../../cli/context.ts';
import type { OpenVCenter } from '../../shared/checkup/open-vcenters.ts';

interface Place {
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly vcenters: readonly OpenVCenter[];
  readonly clusterId: string;
}

/** With what a command begins attempts on volumes. Every act is refused while another cluster uses the same cluster ID. */
export const actingHere = (
  { clock, random }: Pick<CliContext, 'clock' | 'random'>,
  { kube, namespace, vcenters, clusterId }: Place,
) => {
  const soleUse = createSoleUse({
    place: { client: kube, namespace, name: names.csiSyncReport, key: names.csiHeartbeatKey },
    vcenters: vcenters.map(({ vcenter }) => vcenter),
    clusterId,
    clock,
    isBeating: false,
  });
  return { client: kube, clock, random, fence: openFence, log: createActLog(), soleUse };
};
