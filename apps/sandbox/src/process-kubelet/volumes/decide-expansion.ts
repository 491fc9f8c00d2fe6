import type { PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import { parseQuantity } from '@vdo/kube/types/quantity';

const resizeConditions = ['Resizing', 'FileSystemResizePending'];
const nodeStates = ['NodeResizePending', 'NodeResizeInProgress'];

/** The new size of the file system on the node; undefined if nothing is to be done. */
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

/** The patch of a claim's status after the expansion on the node. */
export const expansionDone = ({ status }: PersistentVolumeClaim, volume: PersistentVolume) => ({
  capacity: { storage: volume.spec.capacity?.storage },
  conditions: (status?.conditions ?? []).filter(({ type }) => !resizeConditions.includes(type)),
  allocatedResourceStatuses: null,
});
