import { timestamp } from '@vdo/kube/conditions';
import { formatQuantity } from '@vdo/kube/types/quantity';
import type { VolumeSnapshot, VolumeSnapshotContent } from '@vdo/kube/types/snapshots';

type Status = NonNullable<VolumeSnapshot['status']>;

const nanosecondsPerMs = 1_000_000;

/** The status of a snapshot, derived from its content. */
export const snapshotStatus = ({ status: previous }: VolumeSnapshot, content: VolumeSnapshotContent): Status => {
  const { creationTime, restoreSize, readyToUse = false, error } = content.status ?? {};
  const { error: _, ...kept } = previous ?? {};
  return {
    ...kept,
    boundVolumeSnapshotContentName: content.metadata.name ?? '',
    readyToUse,
    ...(creationTime === undefined ? {} : { creationTime: timestamp(creationTime / nanosecondsPerMs) }),
    ...(restoreSize === undefined ? {} : { restoreSize: formatQuantity(BigInt(restoreSize)) }),
    ...(error && !readyToUse ? { error } : {}),
  };
};

/** True if both are equal. */
export const sameStatus = (left: Status | undefined, right: Status): boolean => {
  const plain = (status: Status | undefined) => JSON.stringify(Object.entries(status ?? {}).sort());
  return plain(left) === plain(right);
};
