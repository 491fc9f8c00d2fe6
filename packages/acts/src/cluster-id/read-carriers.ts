import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import { type Carrier, heartbeatLabel, type ShowsVolumes } from './heartbeat-state.ts';

/** The word of a volume for this cluster ID; undefined if there is none. */
export const wordOf = ({ entities = [] }: CnsVolume, clusterId: string): string | undefined =>
  entities.find((one) => one.clusterId === clusterId && one.labels?.[heartbeatLabel])?.labels?.[heartbeatLabel];

export interface CarriersRead {
  readonly carriers: readonly Carrier[];
  readonly failures: readonly unknown[];
}

/** The present words of volumes that had heartbeats. */
export const readCarriers = async (
  asked: Readonly<Record<string, readonly string[]>>,
  deps: { readonly vcenters: readonly ShowsVolumes[]; readonly clusterId: string; readonly signal?: AbortSignal },
): Promise<CarriersRead> => {
  const { vcenters, clusterId, signal } = deps;
  const answers = await Promise.allSettled(
    vcenters.map(async ({ server, cns }): Promise<readonly Carrier[]> => {
      const volumeIds = asked[server] ?? [];
      if (volumeIds.length === 0) return [];
      const volumes = await cns.queryVolumes({ volumeIds }, signal ? { signal } : {});
      return volumes.flatMap((volume) => {
        const word = wordOf(volume, clusterId);
        return word === undefined ? [] : [{ server, volumeId: volume.id, word }];
      });
    }),
  );
  signal?.throwIfAborted();
  return {
    carriers: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    failures: answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : [])),
  };
};
