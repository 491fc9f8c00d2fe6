import type { PersistentVolume } from '@vdo/kube/types/core';
import type { Attempt } from '../attempt.ts';
import type { Evidence, Seen } from '../evidence.ts';
import { deleteObject } from '../internal/delete-object.ts';
import { actRefused } from '../internal/refusals.ts';

/**
 * Deletes a PersistentVolume whose storage no longer exists; `because` is the evidence. One with policy Retain, or that is bound to a claim, is
 * never deleted.
 */
export const deletePersistentVolume = async (
  attempt: Attempt,
  volume: Seen<PersistentVolume>,
  because: readonly [Evidence, ...Evidence[]],
): Promise<boolean> => {
  const { spec, status } = volume.object;
  const refuse = (why: string) => actRefused('delete PersistentVolume', volume.key.name, why);
  if (spec.persistentVolumeReclaimPolicy !== 'Delete')
    throw refuse(`its reclaim policy is ${spec.persistentVolumeReclaimPolicy ?? 'not set'}`);
  if (status?.phase === 'Bound') throw refuse('it is bound to a claim');
  return deleteObject(attempt, volume, because);
};
