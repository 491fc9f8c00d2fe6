import type { PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import { driverName } from '../../driver.ts';

/** What to do about the VolumeAttributesClass of a claim. */
export type ModifyDecision =
  | { readonly action: 'ignore' }
  /** It is no longer requested, and nothing is in progress. */
  | { readonly action: 'cancel' }
  | { readonly action: 'modify'; readonly volume: PersistentVolume; readonly className: string };

export const modifyConditions = { modifying: 'ModifyingVolume', error: 'ModifyVolumeError' } as const;

/**
 * A claim requests another class than its volume has. A change whose outcome is not known is finished first, even if the request has changed
 * meanwhile.
 */
export const decideModify = (
  claim: PersistentVolumeClaim,
  volume: PersistentVolume | undefined,
  { uncertain }: { readonly uncertain: boolean },
): ModifyDecision => {
  const { metadata, spec, status } = claim;
  if (!volume || volume.spec.csi?.driver !== driverName || metadata.deletionTimestamp) return { action: 'ignore' };
  if (status?.phase !== 'Bound' || volume.spec.claimRef?.uid !== metadata.uid) return { action: 'ignore' };
  const wanted = spec.volumeAttributesClassName ?? '';
  const current = status.currentVolumeAttributesClassName ?? '';
  const under = status.modifyVolumeStatus;
  if (!under && wanted === current) return { action: 'ignore' };
  const inProgress = under?.status === 'InProgress';
  if (wanted === '' && !inProgress)
    return status.conditions?.some(({ type }) => type === modifyConditions.modifying)
      ? { action: 'cancel' }
      : { action: 'ignore' };
  const begun = under?.targetVolumeAttributesClassName ?? '';
  const className = inProgress && begun !== '' && (uncertain || wanted === '') ? begun : wanted;
  return { action: 'modify', volume, className };
};
