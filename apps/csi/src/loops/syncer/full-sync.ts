import type { Logger } from '@vdo/base/logger';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-client';
import type { CnsSnapshot } from '@vdo/vsphere/cns/cns-operations';
import type { IntentStore } from '../../intents/volume-intent.ts';
import type { CsiVCenter } from '../../volumes/csi-vcenter.ts';
import { toVolume } from '../../volumes/volume-locator.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import type { MetadataSender } from './metadata-sender.ts';
import { findOrphans, type Orphans } from './orphans.ts';
import { slices } from './slices.ts';
import type { SnapshotHandles } from './snapshot-handles.ts';
import type { createHealthReporter } from './volume-health.ts';
import { claimKeyOf, type VolumeView } from './volume-view.ts';

export interface FullSyncDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly clusterId: string;
  readonly informers: Pick<ClusterInformers, 'claims'>;
  readonly view: VolumeView;
  readonly sender: MetadataSender;
  readonly intents: Pick<IntentStore, 'list'>;
  readonly reportHealth: ReturnType<typeof createHealthReporter>;
  /** Makes a volume of a disk that a PersistentVolume names and CNS does not have. */
  readonly registerStatic: (volume: PersistentVolume, signal: AbortSignal) => Promise<void>;
  readonly snapshotHandles: SnapshotHandles;
  readonly logger: Logger;
}

/** Volumes looked at before others have their turn. */
const sliceSize = 200;

interface Listed {
  readonly server: string;
  readonly volume: CnsVolume;
}

/** Compares all volumes of this cluster in vCenter with the cluster: tells vCenter what it lacks, and gives what is left over. */
export const createFullSync = (deps: FullSyncDeps) => {
  const { vcenters, clusterId, informers, view, sender, intents, logger } = deps;

  const list = async (signal: AbortSignal): Promise<readonly Listed[]> => {
    const answers = await Promise.all(
      vcenters.map(async ({ server, cns }) =>
        (await cns.queryVolumes({ clusterIds: [clusterId] }, { signal })).map((volume) => ({ server, volume })),
      ),
    );
    return answers.flat();
  };

  const syncSlice = async (slice: readonly Listed[], signal: AbortSignal): Promise<void> => {
    const items = slice.flatMap(({ server, volume: { id, entities = [], healthStatus } }) => {
      sender.learn(
        id,
        server,
        entities.filter((entity) => entity.clusterId === clusterId),
      );
      const volume = view.byHandle(id);
      return volume ? [{ server, volumeId: id, wanted: view.entities(volume), volume, healthStatus }] : [];
    });
    for (const [volumeId, error] of await sender.send(items, signal))
      logger.warn('vCenter did not take the Kubernetes objects of a volume', { volumeId, error });
    for (const { volume, healthStatus } of items) {
      const claim = informers.claims.get(claimKeyOf(volume));
      if (!claim || claim.metadata.uid !== volume.spec.claimRef?.uid) continue;
      await deps
        .reportHealth(claim, healthStatus, signal)
        .catch((error) =>
          logger.warn('health of a volume not told', { volumeId: volume.spec.csi?.volumeHandle, error }),
        );
    }
  };

  const listSnapshots = async (signal: AbortSignal): Promise<readonly CnsSnapshot[]> =>
    (await Promise.all(vcenters.map((vcenter) => vcenter.volumes.querySnapshots({}, { signal })))).flat();

  const register = async (listed: readonly Listed[], signal: AbortSignal): Promise<void> => {
    const known = new Set(listed.map(({ volume }) => volume.id));
    for (const volume of view.volumes()) {
      if (known.has(volume.spec.csi?.volumeHandle ?? '') || volume.metadata.deletionTimestamp) continue;
      await deps.registerStatic(volume, signal).catch((error) => {
        signal.throwIfAborted();
        logger.warn('a PersistentVolume names a volume that vCenter does not have', {
          name: volume.metadata.name,
          error,
        });
      });
    }
  };

  return async (signal: AbortSignal): Promise<Orphans> => {
    const listed = await list(signal);
    for await (const slice of slices(listed, sliceSize)) await syncSlice(slice, signal);
    await register(listed, signal);
    const snapshots = await listSnapshots(signal);
    const handles = await deps.snapshotHandles(signal);
    const underWay = new Set((await intents.list({ signal })).map(({ name }) => name));
    return findOrphans({
      volumes: listed.map(({ server, volume }) => toVolume(server, volume)),
      snapshots,
      // Asked last: what was made since the list was read is known by now.
      hasVolume: (id) => view.byHandle(id) !== undefined,
      // Without the snapshot API nobody can tell whose they are.
      hasSnapshot: (id) => handles?.has(id) ?? true,
      underWay,
    });
  };
};
