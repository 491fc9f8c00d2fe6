import type { PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import { parseQuantity } from '@vdo/kube/types/quantity';
import { driverName } from '../../driver.ts';

/** What to do with a bound claim. */
export type ResizeDecision =
  | { readonly action: 'ignore' }
  /** The disk is smaller than requested. */
  | { readonly action: 'grow'; readonly volume: PersistentVolume; readonly bytes: bigint }
  /** The disk is large enough, but the claim does not show yet that the node has to expand the file system. */
  | { readonly action: 'mark'; readonly bytes: bigint };

/** Values of `status.allocatedResourceStatuses.storage`. */
export const resizeStatus = {
  controllerInProgress: 'ControllerResizeInProgress',
  controllerInfeasible: 'ControllerResizeInfeasible',
  nodePending: 'NodeResizePending',
  nodeInProgress: 'NodeResizeInProgress',
  nodeInfeasible: 'NodeResizeInfeasible',
} as const;

const quantity = (text: string | undefined): bigint | undefined =>
  text === undefined ? undefined : parseQuantity(text);

/**
 * The size to expand to now; undefined if the node is to continue. An expansion in progress is finished before a new size is considered,
 * unless it has definitely failed: only then can a user request a smaller size.
 */
const targetOf = (
  { status }: PersistentVolumeClaim,
  sizes: { readonly wanted: bigint; readonly has: bigint },
  lastTryFailed: boolean,
): bigint | undefined => {
  const { wanted, has } = sizes;
  const begun = quantity(status?.allocatedResources?.storage);
  switch (status?.allocatedResourceStatuses?.storage) {
    case resizeStatus.nodePending:
    case resizeStatus.nodeInProgress:
      return has < wanted && begun !== undefined && has < begun ? begun : undefined;
    case resizeStatus.nodeInfeasible:
      return begun ?? wanted;
    case resizeStatus.controllerInProgress:
      return has < wanted && lastTryFailed ? wanted : (begun ?? wanted);
    case resizeStatus.controllerInfeasible:
      return has < wanted ? wanted : (begun ?? wanted);
    default:
      return has < wanted ? wanted : (begun ?? wanted);
  }
};

const isMarked = ({ status }: PersistentVolumeClaim): boolean =>
  status?.conditions?.some(({ type, status: on }) => type === 'FileSystemResizePending' && on === 'True') ?? false;

/** A claim requests more than its status shows: the disk is expanded first, then the node expands the file system. */
export const decideResize = (
  claim: PersistentVolumeClaim,
  volume: PersistentVolume | undefined,
  options: { readonly lastTryFailed: boolean } = { lastTryFailed: false },
): ResizeDecision => {
  const { metadata, spec, status } = claim;
  if (!volume || volume.spec.csi?.driver !== driverName || metadata.deletionTimestamp) return { action: 'ignore' };
  if (status?.phase !== 'Bound' || volume.spec.claimRef?.uid !== metadata.uid) return { action: 'ignore' };
  const wanted = quantity(spec.resources?.requests?.storage) ?? 0n;
  const shown = quantity(status.capacity?.storage) ?? 0n;
  if (wanted <= shown) return { action: 'ignore' };
  const has = quantity(volume.spec.capacity?.storage) ?? 0n;
  const bytes = targetOf(claim, { wanted, has }, options.lastTryFailed);
  if (bytes === undefined) return { action: 'ignore' };
  if (has < bytes) return { action: 'grow', volume, bytes };
  // An API server without these fields has only the condition.
  const waits = isMarked(claim) && status.allocatedResourceStatuses?.storage === undefined;
  return waits ? { action: 'ignore' } : { action: 'mark', bytes };
};
