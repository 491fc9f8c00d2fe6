import { VdoError } from '@vdo/base/vdo-error';
import type { PersistentVolumeClaim } from '@vdo/kube/types/core';
import type { StorageClass } from '@vdo/kube/types/storage';
import { driverName } from '../../driver.ts';
import { annotations } from './annotations.ts';

/** What is to be done about a claim. */
export type ClaimDecision =
  | { readonly action: 'ignore'; readonly reason: string }
  | { readonly action: 'provision'; readonly storageClass: StorageClass; readonly selectedNode?: string };

export interface ClaimQuestion {
  readonly claim: PersistentVolumeClaim;
  readonly findClass: (name: string) => StorageClass | undefined;
  readonly volumeExists: boolean;
}

/** The volume and the PersistentVolume of a claim carry this name. */
export const volumeNameOf = (claim: PersistentVolumeClaim): string => `pvc-${claim.metadata.uid ?? ''}`;

export const storageClassNameOf = (claim: PersistentVolumeClaim): string =>
  claim.metadata.annotations?.[annotations.betaStorageClass] ?? claim.spec.storageClassName ?? '';

const provisionerOf = (claim: PersistentVolumeClaim): string | undefined =>
  claim.metadata.annotations?.[annotations.storageProvisioner] ??
  claim.metadata.annotations?.[annotations.betaStorageProvisioner];

const ignore = (reason: string): ClaimDecision => ({ action: 'ignore', reason });

const classMissing = (name: string): VdoError =>
  new VdoError({
    code: 'KubeNotFound',
    message: `StorageClass ${name} does not exist`,
    remedy: `Create StorageClass ${name}, or make the claim again with another class.`,
    retry: 'on-change',
  });

/** Whether a volume has to be provisioned now. Throws if the claim is ours but its class is gone. */
export const decideClaim = ({ claim, findClass, volumeExists }: ClaimQuestion): ClaimDecision => {
  if (claim.spec.volumeName) return ignore('has a volume');
  if (claim.metadata.deletionTimestamp) return ignore('is being deleted');
  const provisioner = provisionerOf(claim);
  if (provisioner !== driverName) return ignore(`is for ${provisioner ?? 'no provisioner yet'}`);
  if (volumeExists) return ignore('its volume exists and waits to be bound');
  const className = storageClassNameOf(claim);
  const storageClass = findClass(className);
  if (!storageClass) throw classMissing(className);
  if (storageClass.provisioner !== driverName) return ignore(`StorageClass is for ${storageClass.provisioner}`);
  const selectedNode = claim.metadata.annotations?.[annotations.selectedNode];
  if (storageClass.volumeBindingMode === 'WaitForFirstConsumer' && !selectedNode)
    return ignore('waits for its first consumer');
  return { action: 'provision', storageClass, ...(selectedNode ? { selectedNode } : {}) };
};
