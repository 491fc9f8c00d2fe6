import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { VdoError } from '@vdo/base/vdo-error';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { CnsSnapshot, CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { Heartbeat } from '../../heartbeat/heartbeat.ts';
import type { IntentStore, VolumeIntent } from '../../intents/volume-intent.ts';
import type { CsiVCenter } from '../../volumes/csi-vcenter.ts';
import type { Volume } from '../../volumes/volume.ts';
import { cnsNameOf } from '../../volumes/volume-id.ts';
import { toVolume } from '../../volumes/volume-locator.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import type { createBackingDiskReporter } from './backing-disk.ts';
import type { MetadataSender } from './metadata-sender.ts';
import { findOrphans, type Orphans } from './orphans.ts';
import { slices } from './slices.ts';
import type { SnapshotHandles } from './snapshot-handles.ts';
import { withShown } from './volume-entities.ts';
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
  readonly reportBackingDisk: ReturnType<typeof createBackingDiskReporter>;
  /** Registers a disk that a PersistentVolume refers to and that CNS does not have as a volume. */
  readonly registerStatic: (volume: PersistentVolume, signal: AbortSignal) => Promise<void>;
  /** vCenter refused the metadata of the PersistentVolume of this name. */
  readonly onUnreported: (name: string) => void;
  readonly snapshotHandles: SnapshotHandles;
  readonly heartbeat: Pick<Heartbeat, 'survey'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Number of volumes that are processed before the event loop continues with other work. */
const sliceSize = 200;

const orphanSliceSize = 2_000;

/** Something is reported as an orphan only if it still is one after this time. */
const recheckMs = 30_000;

/** Names of volumes and snapshots that are being created. */
const namesUnderWay = (intents: readonly VolumeIntent[]): ReadonlySet<string> => {
  const names = intents.filter(({ handedOver }) => handedOver === undefined).map(({ name }) => name);
  return new Set([...names, ...names.map(cnsNameOf)]);
};

interface Listed {
  readonly server: string;
  readonly volume: CnsVolume;
}

interface Listing {
  readonly listed: readonly Listed[];
  /** The reason why a vCenter did not answer. */
  readonly failure: unknown;
}

export interface FullSyncOptions {
  /** False if objects may be missing in the cluster: metadata of existing objects is then sent to vCenter, but nothing else is done. */
  readonly isBelieved: boolean;
}

export interface FullSyncResult {
  readonly failure: unknown;
  /** Undefined if not all vCenters answered, or if objects may be missing in the cluster. */
  readonly orphans: Orphans | undefined;
  /** Set if another cluster has the ID of this one. */
  readonly shared?: VdoError;
}

/** Compares all volumes of this cluster in vCenter with the cluster. Sends missing metadata to vCenter, and returns the orphans. */
export const createFullSync = (deps: FullSyncDeps) => {
  const { vcenters, clusterId, informers, view, sender, intents, clock, logger } = deps;

  const list = async (signal: AbortSignal): Promise<Listing> => {
    const answers = await Promise.allSettled(
      vcenters.map(async ({ server, cns }) =>
        (await cns.queryVolumes({ clusterIds: [clusterId] }, { signal })).map((volume) => ({ server, volume })),
      ),
    );
    signal.throwIfAborted();
    return {
      listed: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
      failure: answers.find((answer) => answer.status === 'rejected')?.reason,
    };
  };

  const syncSlice = async (
    slice: readonly Listed[],
    { isBelieved }: FullSyncOptions,
    signal: AbortSignal,
  ): Promise<void> => {
    const items = slice.flatMap(({ server, volume: { id, entities = [], healthStatus, diskObjectId } }) => {
      const shown = entities.filter((entity) => entity.clusterId === clusterId);
      sender.learn(id, server, shown);
      const volume = view.byHandle(id);
      if (!volume) return [];
      const there = view.entities(volume);
      const wanted = isBelieved ? there : withShown(there, shown);
      return [{ server, volumeId: id, wanted, volume, healthStatus, diskObjectId }];
    });
    for (const [volumeId, error] of await sender.send(items, signal)) {
      logger.warn('vCenter refused the Kubernetes metadata of a volume', { volumeId, error });
      deps.onUnreported(view.byHandle(volumeId)?.metadata.name ?? '');
    }
    for (const { volume, healthStatus, diskObjectId } of items) {
      const claim = informers.claims.get(claimKeyOf(volume));
      if (!claim || claim.metadata.uid !== volume.spec.claimRef?.uid) continue;
      await deps
        .reportHealth(claim, healthStatus, signal)
        .catch((error) =>
          logger.warn('cannot report the health of a volume', { volumeId: volume.spec.csi?.volumeHandle, error }),
        );
      await deps
        .reportBackingDisk(claim, diskObjectId, signal)
        .catch((error) =>
          logger.warn('cannot report the disk of a volume', { volumeId: volume.spec.csi?.volumeHandle, error }),
        );
    }
  };

  // A vCenter that is too old for snapshots has none.
  const listSnapshots = async (signal: AbortSignal): Promise<readonly CnsSnapshot[]> => {
    try {
      return (await Promise.all(vcenters.map((vcenter) => vcenter.cns.querySnapshots({}, { signal })))).flat();
    } catch (error) {
      signal.throwIfAborted();
      logger.warn('cannot list snapshots; orphaned snapshots are not searched for', { error });
      return [];
    }
  };

  const register = async (listed: readonly Listed[], signal: AbortSignal): Promise<void> => {
    const known = new Set(listed.map(({ volume }) => volume.id));
    for (const volume of view.volumes()) {
      if (known.has(volume.spec.csi?.volumeHandle ?? '')) continue;
      await deps.registerStatic(volume, signal).catch((error) => {
        signal.throwIfAborted();
        logger.warn('a PersistentVolume refers to a volume that vCenter does not have', {
          name: volume.metadata.name,
          error,
        });
      });
    }
  };

  const searchOrphans = async (listed: readonly Listed[], signal: AbortSignal): Promise<Orphans> => {
    const snapshots = await listSnapshots(signal);
    const own = new Map(listed.map(({ volume }) => [volume.id, volume.entities ?? []]));
    const shownFor = (id: string) =>
      (own.get(id) ?? []).filter(({ kind }) => kind === 'PERSISTENT_VOLUME').map(({ name }) => name);
    const question = async () => {
      const handles = await deps.snapshotHandles(signal);
      const volumes: Volume[] = [];
      for await (const slice of slices(listed, orphanSliceSize))
        volumes.push(
          ...slice.map(({ server, volume }) => toVolume(server, volume)).filter((one) => !view.hasVolume(one)),
        );
      return findOrphans({
        volumes,
        shownFor,
        isOwn: (id) => own.has(id),
        snapshots,
        // Without the snapshot API it is not known to whom they belong.
        hasSnapshot: (id) => handles?.has(id) ?? true,
        underWay: namesUnderWay(await intents.list({ signal })),
      });
    };
    const found = await question();
    if (found.volumes.length + found.snapshots.length === 0) return found;
    // Volumes that were being created while the lists were read have an intent by then, from whichever process creates them.
    await sleep(clock, recheckMs, { signal });
    return question();
  };

  return async (signal: AbortSignal, options: FullSyncOptions): Promise<FullSyncResult> => {
    const { listed, failure } = await list(signal);
    const shared = await deps.heartbeat.survey(listed, {
      isComplete: failure === undefined,
      underWay: namesUnderWay(await intents.list({ signal })),
      signal,
    });
    const isBelieved = options.isBelieved && !shared;
    for await (const slice of slices(listed, sliceSize)) await syncSlice(slice, { isBelieved }, signal);
    // It is not known what a vCenter that does not answer contains, so nothing is concluded from it.
    if (failure !== undefined || !isBelieved) return { failure, orphans: undefined, ...(shared ? { shared } : {}) };
    await register(listed, signal);
    return { failure: undefined, orphans: await searchOrphans(listed, signal) };
  };
};
