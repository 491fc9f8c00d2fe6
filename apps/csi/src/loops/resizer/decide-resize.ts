import type { PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import { driverName } from '../../driver.ts';
import { parseQuantity } from '../../kube/quantity.ts';

/** What is to be done about a bound claim. */
export type ResizeDecision =
  | { readonly action: 'ignore' }
  /** The disk is smaller than asked. */
  | { readonly action: 'grow'; readonly volume: PersistentVolume; readonly bytes: bigint }
  /** The disk is large enough, but the claim does not say that the node has to do its part. */
  | { readonly action: 'mark'; readonly bytes: bigint };

const resizePending = 'FileSystemResizePending';

/** A claim asks for more than it shows to have: the disk is grown first, then the node is asked to grow the file system. */
export const decideResize = (claim: PersistentVolumeClaim, volume: PersistentVolume | undefined): ResizeDecision => {
  const { metadata, spec, status } = claim;
  if (!volume || volume.spec.csi?.driver !== driverName || metadata.deletionTimestamp) return { action: 'ignore' };
  if (status?.phase !== 'Bound' || volume.spec.claimRef?.uid !== metadata.uid) return { action: 'ignore' };
  const wanted = parseQuantity(spec.resources?.requests?.storage ?? '') ?? 0n;
  const shown = parseQuantity(status.capacity?.storage ?? '') ?? 0n;
  if (wanted <= shown) return { action: 'ignore' };
  const has = parseQuantity(volume.spec.capacity?.storage ?? '') ?? 0n;
  if (has < wanted) return { action: 'grow', volume, bytes: wanted };
  const marked = status.conditions?.some(
    (condition) => condition.type === resizePending && condition.status === 'True',
  );
  return marked ? { action: 'ignore' } : { action: 'mark', bytes: wanted };
};
