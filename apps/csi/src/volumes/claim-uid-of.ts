import type { PersistentVolume } from '@vdo/kube/types/core';
import type { OperationSubject } from './operation-subject.ts';
import { claimUidOf } from './volume-id.ts';

interface KnownVolumes {
  hasSynced(): boolean;
  byIndex(index: 'handle', handle: string): readonly PersistentVolume[];
}

/** The UID of the claim that a volume is for: from the name of a new one, else from the PersistentVolume that has its handle. */
export const createClaimUidOf =
  (volumes: KnownVolumes) =>
  ({ name, volumeId }: OperationSubject): string | undefined => {
    const asked = name === undefined ? undefined : claimUidOf(name);
    if (asked !== undefined || volumeId === undefined || !volumes.hasSynced()) return asked;
    const [volume] = volumes.byIndex('handle', volumeId);
    return volume?.spec.claimRef?.uid ?? claimUidOf(volume?.metadata.name ?? '') ?? volume?.metadata.uid;
  };
