import type { Fence } from '@vdo/base/fence';
import type { Metrics } from '@vdo/base/metrics';
import type { CnsContainerCluster, CnsEntityMetadata } from '@vdo/vsphere/cns/cns-types';
import type { CsiVCenter } from '../../volumes/csi-vcenter.ts';
import { type EntityChange, entityChanges } from './volume-entities.ts';

export interface MetadataSenderDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly clusterOn: (server: string, options: { readonly signal: AbortSignal }) => Promise<CnsContainerCluster>;
  readonly fence: Fence;
  readonly metrics: Metrics;
}

export interface VolumeMetadata {
  readonly server: string;
  readonly volumeId: string;
  readonly wanted: readonly CnsEntityMetadata[];
}

/** Knows what vCenter shows of each volume, and sends only what differs. */
export interface MetadataSender {
  /** What a vCenter was seen to show. */
  learn(volumeId: string, server: string, shown: readonly CnsEntityMetadata[]): void;
  /** The vCenter that has the volume, as far as is known. */
  homeOf(volumeId: string): string | undefined;
  forget(volumeId: string): void;
  /** Sends what differs, in lists; gives the failures by volume. */
  send(items: readonly VolumeMetadata[], signal: AbortSignal): Promise<ReadonlyMap<string, Error>>;
}

/** Volumes per call: CNS takes lists, and a call that is too long would time out as a whole. */
const batchSize = 100;

export const createMetadataSender = ({ vcenters, clusterOn, fence, metrics }: MetadataSenderDeps): MetadataSender => {
  const known = new Map<string, { readonly server: string; readonly shown: readonly CnsEntityMetadata[] }>();
  const sent = metrics.counter<'result'>({
    name: 'vdo_csi_metadata_updates_total',
    help: 'Volumes whose Kubernetes objects were told to vCenter, by result.',
    labels: ['result'],
  });

  const sendBatch = async (
    vcenter: CsiVCenter,
    batch: readonly { readonly item: VolumeMetadata; readonly entities: readonly EntityChange[] }[],
    signal: AbortSignal,
  ): Promise<readonly (readonly [string, Error])[]> => {
    const cluster = await clusterOn(vcenter.server, { signal });
    const updates = batch.map(({ item, entities }) => ({ volumeId: item.volumeId, cluster, entities }));
    const outcomes = await vcenter.cns.updateMetadata(updates, { fence, signal });
    return batch.flatMap(({ item }, index) => {
      const outcome = outcomes[index];
      sent.add({ result: outcome?.ok ? 'ok' : 'failed' });
      if (outcome?.ok === false) return [[item.volumeId, outcome.error] as const];
      known.set(item.volumeId, { server: item.server, shown: item.wanted });
      return [];
    });
  };

  return {
    learn: (volumeId, server, shown) => {
      known.set(volumeId, { server, shown });
    },
    homeOf: (volumeId) => known.get(volumeId)?.server,
    forget: (volumeId) => {
      known.delete(volumeId);
    },
    send: async (items, signal) => {
      const failures = new Map<string, Error>();
      for (const vcenter of vcenters) {
        const changed = items
          .filter(({ server }) => server === vcenter.server)
          .map((item) => ({ item, entities: entityChanges(item.wanted, known.get(item.volumeId)?.shown ?? []) }))
          .filter(({ entities }) => entities.length > 0);
        for (let start = 0; start < changed.length; start += batchSize)
          for (const [id, error] of await sendBatch(vcenter, changed.slice(start, start + batchSize), signal))
            failures.set(id, error);
      }
      return failures;
    },
  };
};
