import type { KubeClient } from '@vdo/kube/client';
import { type PersistentVolumeClaim, persistentVolumeClaims } from '@vdo/kube/types/core';

/** The annotation of the Go driver by which backup tools find the disk behind a claim. */
const backingDiskAnnotation = 'cns.vmware.com/pv-to-backingdiskobjectid-mapping';

/** Writes which storage object is behind a claim: `<PersistentVolume>:<object ID>`, when it has changed and vCenter reports it. */
export const createBackingDiskReporter =
  ({ kube }: { readonly kube: KubeClient }) =>
  async (claim: PersistentVolumeClaim, objectId: string | undefined, signal: AbortSignal): Promise<void> => {
    const { name = '', namespace = '', annotations } = claim.metadata;
    const value = `${claim.spec.volumeName}:${objectId}`;
    if (objectId === undefined || annotations?.[backingDiskAnnotation] === value) return;
    const body = { metadata: { annotations: { [backingDiskAnnotation]: value } } };
    await kube.patch(persistentVolumeClaims, { name, namespace }, { type: 'merge', body }, { signal });
  };
