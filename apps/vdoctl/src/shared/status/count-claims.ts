import { annotationKeys, names } from '@vdo/config/names';
import type { PersistentVolumeClaim } from '@vdo/kube/types/core';
import type { StorageClass } from '@vdo/kube/types/storage';
import type { ClaimCounts } from './status-report.ts';

const shown = 5;
/** Below this age, a volume is probably still being created. */
const lateMs = 120_000;
const waitsForPod = 'WaitForFirstConsumer';

/** Claims that wait for this driver. With WaitForFirstConsumer, a claim counts when a node has been selected. */
export const countClaims = (
  claims: readonly PersistentVolumeClaim[],
  classes: readonly StorageClass[],
  nowMs: number,
): ClaimCounts => {
  const ours = new Map(
    classes
      .filter(({ provisioner }) => provisioner === names.csiDriver)
      .map(({ metadata, volumeBindingMode }) => [metadata.name ?? '', volumeBindingMode]),
  );
  const isWaiting = ({ metadata, spec, status }: PersistentVolumeClaim): boolean => {
    const name = spec.storageClassName ?? '';
    if (status?.phase !== 'Pending' || !ours.has(name)) return false;
    return ours.get(name) !== waitsForPod || metadata.annotations?.[annotationKeys.selectedNode] !== undefined;
  };
  const pending = claims
    .filter(isWaiting)
    .toSorted((a, b) => (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? ''));
  return {
    pending: pending.length,
    late: pending.filter(({ metadata }) => nowMs - Date.parse(metadata.creationTimestamp ?? '') > lateMs).length,
    first: pending.slice(0, shown).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
  };
};
