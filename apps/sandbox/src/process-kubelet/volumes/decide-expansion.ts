import type { PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import { parseQuantity } from '@vdo/kube/types/quantity';

const resizeConditions = ['Resizing', 'FileSystemResizePending'];
const nodeStates = ['NodeResizePending', 'NodeResizeInProgress'];

/** The size to which the node has to grow a file system; undefined if it has nothing to do. */
export const pendingExpansion = (
  { status }: PersistentVolumeClaim,
  volume: PersistentVolume | undefined,
): bigint | undefined => {
  const has = parseQuantity(status?.capacity?.storage ?? '');
  const wanted = parseQuantity(volume?.spec.capacity?.storage ?? '');
  if (status?.phase !== 'Bound' || has === undefined || wanted === undefined || wanted <= has) return undefined;
  const state = status.allocatedResourceStatuses?.storage;
  const isNodesTurn =
    state === undefined
      ? status.conditions?.some((one) => one.type === 'FileSystemResizePending' && one.status === 'True')
      : nodeStates.includes(state);
  return isNodesTurn ? wanted : undefined;
};

/** The patch of a claim's status when the node has done its part. */
export const expansionDone = ({ status }: PersistentVolumeClaim, volume: PersistentVolume) => ({
  capacity: { storage: volume.spec.capacity?.storage },
  conditions: (status?.conditions ?? []).filter(({ type }) => !resizeConditions.includes(type)),
  allocatedResourceStatuses: null,
});
