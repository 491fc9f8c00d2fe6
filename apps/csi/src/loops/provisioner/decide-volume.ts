import { VdoError } from '@vdo/base/vdo-error';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import { driverName } from '../../driver.ts';
import { annotations, provisionerFinalizer } from './claims.ts';

/** What to do with a PersistentVolume. */
export type VolumeDecision =
  | { readonly action: 'ignore' }
  /** Add the finalizer. */
  | { readonly action: 'guard' }
  /** Remove the finalizer. */
  | { readonly action: 'release' }
  | { readonly action: 'wait'; readonly ms: number }
  | { readonly action: 'delete'; readonly volumeId: string };

/** A pod and its claim are often deleted together, and the disk is still being detached then. This is not reported as a problem. */
const detachingMs = 60_000;

const ours = (volume: PersistentVolume): boolean =>
  volume.spec.csi?.driver === driverName && volume.metadata.annotations?.[annotations.provisionedBy] === driverName;

const stillAttached = (volume: PersistentVolume, attachments: readonly VolumeAttachment[]): VdoError => {
  const nodes = attachments.map(({ spec }) => spec.nodeName).join(', ');
  return new VdoError({
    code: 'VolumesInUse',
    message: `PersistentVolume ${volume.metadata.name} is still attached to ${nodes}`,
    remedy: 'It is deleted as soon as it is detached. If the node no longer exists, delete its Node object.',
  });
};

const sharedDisk = (volume: PersistentVolume, others: readonly PersistentVolume[]): VdoError => {
  const names = others.map(({ metadata }) => metadata.name).join(', ');
  return new VdoError({
    code: 'VolumesInUse',
    message: `PersistentVolume ${volume.metadata.name} has the same disk (${volume.spec.csi?.volumeHandle}) as PersistentVolume ${names}, so the disk is kept`,
    remedy: `If ${names} is to keep the disk, set persistentVolumeReclaimPolicy of ${volume.metadata.name} to Retain and delete ${volume.metadata.name}. Otherwise delete ${names}; the driver then retries.`,
  });
};

/** Throws if another PersistentVolume uses the same disk, independent of that one's reclaim policy and phase. */
export const assertOnlyOne = (volume: PersistentVolume, withTheDisk: readonly PersistentVolume[]): void => {
  const others = withTheDisk.filter(({ metadata }) => metadata.uid !== volume.metadata.uid);
  if (others.length > 0) throw sharedDisk(volume, others);
};

/** The parts of the object that a decision depends on. The rest may change with each attempt and is ignored. */
export const wishOf = ({ metadata, spec, status }: PersistentVolume): string =>
  JSON.stringify([
    spec,
    status,
    metadata.finalizers,
    metadata.deletionTimestamp,
    metadata.annotations?.[annotations.provisionedBy],
  ]);

/**
 * Decides by phase and reclaim policy. The finalizer protects bound volumes with policy Delete, so that the disk is not lost if somebody
 * deletes the object by hand. Volumes with policy Retain do not need it. Throws if a volume that is to be deleted stays attached.
 */
export const decideVolume = (
  volume: PersistentVolume,
  attachments: readonly VolumeAttachment[],
  nowMs: number,
): VolumeDecision => {
  if (!ours(volume)) return { action: 'ignore' };
  const { finalizers = [], deletionTimestamp } = volume.metadata;
  const guarded = finalizers.includes(provisionerFinalizer);
  const policy = volume.spec.persistentVolumeReclaimPolicy ?? 'Retain';
  const phase = volume.status?.phase;
  if (policy !== 'Delete') return { action: guarded ? 'release' : 'ignore' };
  if (phase === 'Bound' && !guarded && !deletionTimestamp) return { action: 'guard' };
  if (phase !== 'Released') return { action: 'ignore' };
  // The object is being deleted and has no finalizer any more: its disk was deleted before.
  if (deletionTimestamp && !guarded) return { action: 'ignore' };
  if (attachments.length > 0) {
    const releasedMs = Date.parse(volume.status?.lastPhaseTransitionTime ?? '') || 0;
    const leftMs = releasedMs + detachingMs - nowMs;
    if (leftMs > 0) return { action: 'wait', ms: leftMs };
    throw stillAttached(volume, attachments);
  }
  return { action: 'delete', volumeId: volume.spec.csi?.volumeHandle ?? '' };
};
