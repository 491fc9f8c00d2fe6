import { annotationKeys } from '@vdo/config/names';
import type { NodeSelectorTerm, PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import { formatQuantity } from '@vdo/kube/types/quantity';
import type { StorageClass } from '@vdo/kube/types/storage';
import { driverName } from '../../driver.ts';
import type { Segments } from '../../placement/segments.ts';
import type { ProvisionedVolume } from '../../volumes/volumes.ts';
import { annotations, provisionerFinalizer, provisionerIdentityKey } from './annotations.ts';
import { storageClassNameOf, volumeNameOf } from './decide-claim.ts';
import { fsTypeOf } from './volume-request.ts';

export interface PersistentVolumeInput {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  readonly volume: ProvisionedVolume;
  /** Of the vCenter on which it was made, if that is known. */
  readonly instanceUuid?: string | undefined;
  /** Who provisioned it: recorded in the volume's attributes. */
  readonly identity: string;
}

const termOf = (place: Segments): NodeSelectorTerm => ({
  matchExpressions: Object.entries(place).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
});

/** The PersistentVolume of a provisioned volume, with the claim it is for. */
export const toPersistentVolume = (input: PersistentVolumeInput): PersistentVolume => {
  const { claim, storageClass, volume, instanceUuid, identity } = input;
  const reclaimPolicy = storageClass.reclaimPolicy ?? 'Delete';
  const fsType = fsTypeOf(claim, storageClass);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: volumeNameOf(claim),
      annotations: {
        [annotations.provisionedBy]: driverName,
        ...(instanceUuid ? { [annotationKeys.vcenterInstance]: instanceUuid } : {}),
      },
      ...(reclaimPolicy === 'Delete' ? { finalizers: [provisionerFinalizer] } : {}),
    },
    spec: {
      capacity: { storage: formatQuantity(volume.sizeBytes) },
      accessModes: claim.spec.accessModes ?? [],
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: storageClassNameOf(claim),
      volumeMode: claim.spec.volumeMode ?? 'Filesystem',
      ...(claim.spec.volumeAttributesClassName
        ? { volumeAttributesClassName: claim.spec.volumeAttributesClassName }
        : {}),
      ...(storageClass.mountOptions ? { mountOptions: storageClass.mountOptions } : {}),
      claimRef: {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        namespace: claim.metadata.namespace ?? '',
        name: claim.metadata.name ?? '',
        uid: claim.metadata.uid ?? '',
        ...(claim.metadata.resourceVersion ? { resourceVersion: claim.metadata.resourceVersion } : {}),
      },
      csi: {
        driver: driverName,
        volumeHandle: volume.id,
        ...(fsType ? { fsType } : {}),
        volumeAttributes: { ...volume.context, [provisionerIdentityKey]: identity },
      },
      ...(volume.topology ? { nodeAffinity: { required: { nodeSelectorTerms: [termOf(volume.topology)] } } } : {}),
    },
  };
};
