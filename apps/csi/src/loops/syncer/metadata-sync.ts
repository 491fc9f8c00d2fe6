import type { Fence } from '@vdo/base/fence';
import type { Logger } from '@vdo/base/logger';
import { isVdoError } from '@vdo/base/vdo-error';
import { names as shared } from '@vdo/config/names';
import type { Reconcile } from '@vdo/kube/controller';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { CsiVCenter } from '../../volumes/csi-vcenter.ts';
import type { VolumeService } from '../../volumes/volume.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import type { MetadataSender, VolumeMetadata } from './metadata-sender.ts';
import { isOurs, type VolumeView } from './volume-view.ts';

export interface MetadataSyncDeps {
  readonly informers: Pick<ClusterInformers, 'volumes'>;
  readonly vcenters: readonly CsiVCenter[];
  readonly volumes: Pick<VolumeService, 'find'>;
  readonly view: VolumeView;
  readonly sender: MetadataSender;
  readonly registerStatic: (volume: PersistentVolume, signal: AbortSignal) => Promise<void>;
  readonly fence: Fence;
  readonly logger: Logger;
}

export interface MetadataSync {
  /** The metadata of this volume has changed. */
  mark(name: string): void;
  /** The PersistentVolume was deleted, but its disk is kept. */
  markGone(volume: PersistentVolume): void;
  /** Sends the marked volumes; those that do not fit one round are left for the next. */
  readonly reconcile: Reconcile;
}

/** The driver has created its volume, which therefore belongs to this cluster. */
const isMade = ({ metadata }: PersistentVolume): boolean =>
  metadata.annotations?.['pv.kubernetes.io/provisioned-by'] === shared.csiDriver;

/** Few enough to be compared in one turn of the event loop. */
const perRound = 200;
/** Collects bursts: a StatefulSet that starts changes many objects within moments. */
export const settleMs = 1_000;

export const createMetadataSync = (deps: MetadataSyncDeps): MetadataSync => {
  const { informers, vcenters, volumes, view, sender, registerStatic, fence, logger } = deps;
  const dirty = new Set<string>();
  const gone = new Map<string, VolumeMetadata>();

  /** Undefined for a PersistentVolume that a person made, until its volume was found: it may belong to another cluster. */
  const serverOf = async (volume: PersistentVolume, id: string, signal: AbortSignal): Promise<string | undefined> => {
    const known = sender.homeOf(id);
    if (known !== undefined || !isMade(volume)) return known;
    const [only, ...others] = vcenters;
    if (only && others.length === 0) return only.server;
    return (await volumes.find(id, { signal, lifetime: signal, fence }))?.server;
  };

  const retry = async (name: string, error: Error, signal: AbortSignal): Promise<void> => {
    const volume = informers.volumes.get(name);
    if (!volume || volume.metadata.deletionTimestamp) return;
    if (isVdoError(error, 'VolumeNotFound')) await registerStatic(volume, signal);
    else throw error;
  };

  const send = async (names: readonly string[], signal: AbortSignal): Promise<void> => {
    const items: VolumeMetadata[] = [...gone.values()];
    const nameOf = new Map<string, string>();
    const refused = new Map<string, unknown>();
    for (const name of names) {
      const volume = informers.volumes.get(name);
      const volumeId = volume?.spec.csi?.volumeHandle;
      if (!volume || volumeId === undefined || !isOurs(volume) || volume.metadata.deletionTimestamp) continue;
      nameOf.set(volumeId, name);
      const server = await serverOf(volume, volumeId, signal);
      if (server !== undefined) items.push({ server, volumeId, wanted: view.entities(volume) });
      // One refusal must not hold up the others.
      else await registerStatic(volume, signal).catch((error) => void refused.set(volumeId, error));
    }
    signal.throwIfAborted();
    const failures = await sender.send(items, signal);
    for (const id of gone.keys()) sender.forget(id);
    gone.clear();
    for (const id of refused.keys()) dirty.add(nameOf.get(id) ?? '');
    let [first] = refused.values();
    for (const [id, error] of failures) {
      const name = nameOf.get(id);
      if (name === undefined) continue;
      await retry(name, error, signal).catch((cause) => {
        dirty.add(name);
        first ??= cause;
        logger.warn('cannot send the Kubernetes metadata of a volume to vCenter', { name, error: cause });
      });
    }
    if (first) throw first;
  };

  return {
    mark: (name) => {
      dirty.add(name);
    },
    markGone: (volume) => {
      dirty.delete(volume.metadata.name ?? '');
      const volumeId = volume.spec.csi?.volumeHandle ?? '';
      const server = sender.homeOf(volumeId);
      const stays = volume.spec.persistentVolumeReclaimPolicy === 'Retain' && view.byHandle(volumeId) === undefined;
      if (stays && server !== undefined) gone.set(volumeId, { server, volumeId, wanted: [] });
      else sender.forget(volumeId);
    },
    reconcile: async (_key, { signal }) => {
      const round = [...dirty].slice(0, perRound);
      for (const name of round) dirty.delete(name);
      try {
        await send(round, signal);
      } catch (error) {
        for (const name of round) dirty.add(name);
        throw error;
      }
      return dirty.size > 0 ? { requeueAfterMs: 0 } : undefined;
    },
  };
};
