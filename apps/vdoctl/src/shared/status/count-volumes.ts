import { names } from '@vdo/config/names';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { VolumeCounts } from './status-report.ts';

/** Only the volumes of this driver. */
export const countVolumes = (all: readonly PersistentVolume[]): VolumeCounts => {
  const ours = all.filter(({ spec }) => spec.csi?.driver === names.csiDriver);
  const inPhase = (phase: string) => ours.filter(({ status }) => status?.phase === phase).length;
  return {
    total: ours.length,
    bound: inPhase('Bound'),
    failed: inPhase('Failed'),
    released: inPhase('Released'),
    available: inPhase('Available'),
  };
};
