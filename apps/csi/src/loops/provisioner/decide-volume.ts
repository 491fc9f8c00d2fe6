import { VdoError } from '@vdo/base/vdo-error';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import { driverName } from '../../driver.ts';
import { annotations, provisionerFinalizer } from './claims.ts';

/** What is to be done about a PersistentVolume. */
export type VolumeDecision =
  | { readonly action: 'ignore' }
  /** It gets the finalizer. */
  | { readonly action: 'guard' }
  /** The finalizer goes. */
  | { readonly action: 'release' }
  | { readonly action: 'wait'; readonly ms: number }
  | { readonly action: 'delete'; readonly volumeId: string };

/** A pod and its claim go together, and its disk is detached meanwhile: nobody need be told of that. */
const detachingMs = 60_000;

const ours = (volume: PersistentVolume): boolean =>
  volume.spec.csi?.driver === driverName && volume.metadata.annotations?.[annotations.provisionedBy] === driverName;

const stillAttached = (volume: PersistentVolume, attachments: readonly VolumeAttachment[]): VdoError => {
  const nodes = attachments.map(({ spec }) => spec.nodeName).join(', ');
  return new VdoError({
    code: 'VolumesInUse',
    message: `PersistentVolume ${volume.metadata.name} is still attached to ${nodes}`,
    remedy: 'It is deleted as soon as it is detached. If the node is gone for good, delete its Node object.',
  });
};

const sharedDisk = (volume: PersistentVolume, others: readonly PersistentVolume[]): VdoError => {
  const names = others.map(({ metadata }) => metadata.name).join(', ');
  return new VdoError({
    code: 'VolumesInUse',
    message: `PersistentVolume ${volume.metadata.name} has the disk ${volume.spec.csi?.volumeHandle} of PersistentVolume ${names}, so the disk is kept`,
    remedy: `If ${names} is to keep the disk, set persistentVolumeReclaimPolicy of ${volume.metadata.name} to Retain and delete it. Otherwise delete ${names}; it is tried again then.`,
  });
};

/** Throws if another PersistentVolume has the disk, too, whatever its policy and phase. */
export const assertOnlyOne = (volume: PersistentVolume, withTheDisk: readonly PersistentVolume[]): void => {
  const others = withTheDisk.filter(({ metadata }) => metadata.uid !== volume.metadata.uid);
  if (others.length > 0) throw sharedDisk(volume, others);
};

/** What a decision depends on. The rest may change by every try, and says nothing. */
export const wishOf = ({ metadata, spec, status }: PersistentVolume): string =>
  JSON.stringify([
    spec,
    status,
    metadata.finalizers,
    metadata.deletionTimestamp,
    metadata.annotations?.[annotations.provisionedBy],
  ]);

/**
 * Decides by phase and reclaim policy. The finalizer guards bound volumes of policy Delete, so that deleting the object by hand
 * does not lose the disk; volumes of policy Retain go without it. Throws if a volume to be deleted stays attached.
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
  // The finalizer is gone and the object is going: the disk was deleted before.
  if (deletionTimestamp && !guarded) return { action: 'ignore' };
  if (attachments.length > 0) {
    const releasedMs = Date.parse(volume.status?.lastPhaseTransitionTime ?? '') || 0;
    const leftMs = releasedMs + detachingMs - nowMs;
    if (leftMs > 0) return { action: 'wait', ms: leftMs };
    throw stillAttached(volume, attachments);
  }
  return { action: 'delete', volumeId: volume.spec.csi?.volumeHandle ?? '' };
};
