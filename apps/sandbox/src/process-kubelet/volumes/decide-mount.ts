import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@vdo/kube/types/core';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import { claimNameOf } from '@vdo/kube-sim/controllers/pod-volumes';

/** A volume of a pod that comes from a claim. */
export interface ClaimedVolume {
  /** Name of the volume in the pod. */
  readonly name: string;
  readonly claimName: string;
  readonly readOnly: boolean;
}

interface ClaimSource {
  readonly persistentVolumeClaim?: { readonly readOnly?: boolean };
}

export const claimedVolumes = (pod: Pod): readonly ClaimedVolume[] =>
  (pod.spec.volumes ?? []).flatMap((volume) => {
    const claimName = claimNameOf(pod, volume);
    const readOnly = (volume as ClaimSource).persistentVolumeClaim?.readOnly ?? false;
    return claimName === undefined ? [] : [{ name: volume.name, claimName, readOnly }];
  });

/** Ready, or what the pod waits for, as text for its status. */
export type Readiness<T> = { readonly waiting: string } | { readonly ready: T };

/** The volume of a claim, if both are bound to each other. */
export const boundVolume = (
  claimName: string,
  claim: PersistentVolumeClaim | undefined,
  volume: PersistentVolume | undefined,
): Readiness<PersistentVolume> => {
  if (!claim) return { waiting: `the claim ${claimName} does not exist` };
  if (claim.status?.phase !== 'Bound') return { waiting: `the claim ${claimName} is not bound` };
  if (!volume) return { waiting: `the volume ${claim.spec.volumeName} of the claim ${claimName} does not exist` };
  if (volume.spec.claimRef?.uid !== claim.metadata.uid)
    return { waiting: `the volume ${claim.spec.volumeName} is bound to another claim than ${claimName}` };
  if (!volume.spec.csi) return { waiting: `the volume ${claim.spec.volumeName} is not of a CSI driver` };
  return { ready: volume };
};

/** The publish context that the driver's controller returned when it attached the volume: the node side needs it. */
export const publishContextOf = (
  volumeName: string,
  attachment: VolumeAttachment | undefined,
): Readiness<Readonly<Record<string, string>>> => {
  const isAttached = attachment?.status?.attached && !attachment.metadata.deletionTimestamp;
  if (isAttached) return { ready: attachment.status?.attachmentMetadata ?? {} };
  const reason = attachment?.status?.attachError?.message;
  return { waiting: `the volume ${volumeName} is not attached${reason ? `: ${reason}` : ''}` };
};
