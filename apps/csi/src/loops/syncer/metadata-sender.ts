import { heartbeatLabel } from '@vdo/acts/cluster-id/heartbeat-state';
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

/** Knows the metadata that vCenter has for each volume, and sends only differences. */
export interface MetadataSender {
  /** Records the metadata that a vCenter has. */
  learn(volumeId: string, server: string, shown: readonly CnsEntityMetadata[]): void;
  /** Records that the volume has a heartbeat, which is kept when other metadata is sent. */
  carries(volumeId: string, word: string): void;
  /** The vCenter that has the volume, if it is known. */
  homeOf(volumeId: string): string | undefined;
  forget(volumeId: string): void;
  /** Sends the differences, in batches; returns the failures by volume. */
  send(items: readonly VolumeMetadata[], signal: AbortSignal): Promise<ReadonlyMap<string, Error>>;
}

const withoutHeartbeat = (entity: CnsEntityMetadata): CnsEntityMetadata => {
  if (entity.labels?.[heartbeatLabel] === undefined) return entity;
  const { [heartbeatLabel]: _, ...labels } = entity.labels;
  return { ...entity, labels };
};

/** Volumes per call: CNS takes lists, and a call that is too long would time out as a whole. */
const batchSize = 100;

export const createMetadataSender = ({ vcenters, clusterOn, fence, metrics }: MetadataSenderDeps): MetadataSender => {
  const known = new Map<string, { readonly server: string; readonly shown: readonly CnsEntityMetadata[] }>();
  const words = new Map<string, string>();
  const sent = metrics.counter<'result'>({
    name: 'vdo_csi_metadata_updates_total',
    help: 'Volumes whose Kubernetes metadata was sent to vCenter, by result.',
    labels: ['result'],
  });

  const withHeartbeat = (volumeId: string, entity: EntityChange): EntityChange => {
    const word = words.get(volumeId);
    if (word === undefined || entity.kind !== 'PERSISTENT_VOLUME' || entity.remove) return entity;
    return { ...entity, labels: { ...entity.labels, [heartbeatLabel]: word } };
  };

  const sendBatch = async (
    vcenter: CsiVCenter,
    batch: readonly { readonly item: VolumeMetadata; readonly entities: readonly EntityChange[] }[],
    signal: AbortSignal,
  ): Promise<readonly (readonly [string, Error])[]> => {
    const cluster = await clusterOn(vcenter.server, { signal });
    const updates = batch.map(({ item: { volumeId }, entities }) => ({
      volumeId,
      cluster,
      entities: entities.map((entity) => withHeartbeat(volumeId, entity)),
    }));
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
      known.set(volumeId, { server, shown: shown.map(withoutHeartbeat) });
    },
    carries: (volumeId, word) => {
      words.set(volumeId, word);
    },
    homeOf: (volumeId) => known.get(volumeId)?.server,
    forget: (volumeId) => {
      known.delete(volumeId);
      words.delete(volumeId);
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
