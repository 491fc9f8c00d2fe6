import { annotationKeys } from '@vdo/config/names';

/** Names that the volume controllers of Kubernetes agree on. */
export const annotations = {
  storageProvisioner: 'volume.kubernetes.io/storage-provisioner',
  betaStorageProvisioner: 'volume.beta.kubernetes.io/storage-provisioner',
  betaStorageClass: 'volume.beta.kubernetes.io/storage-class',
  selectedNode: annotationKeys.selectedNode,
  provisionedBy: 'pv.kubernetes.io/provisioned-by',
  migratedTo: annotationKeys.migratedTo,
} as const;

/** Keeps a PersistentVolume until its disk is deleted. */
export const provisionerFinalizer = 'external-provisioner.volume.kubernetes.io/finalizer';

/** Volume attribute that tells who provisioned a volume. */
export const provisionerIdentityKey = 'storage.kubernetes.io/csiProvisionerIdentity';
