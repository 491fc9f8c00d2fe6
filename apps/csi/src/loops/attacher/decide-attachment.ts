import { VdoError } from '@vdo/base/vdo-error';
import { annotationKeys } from '@vdo/config/names';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { CsiNode, VolumeAttachment } from '@vdo/kube/types/storage';
import { driverName } from '../../driver.ts';

/** Keeps a VolumeAttachment, and the PersistentVolume it is for, until the disk is detached. */
export const attacherFinalizer = `external-attacher/${driverName.replaceAll('.', '-')}`;

/** Where the upstream attacher keeps the node id, for nodes that are gone when it is needed. */
export const nodeIdAnnotation = 'csi.alpha.kubernetes.io/node-id';

/** What is to be done about a VolumeAttachment. */
export type AttachmentDecision =
  | { readonly action: 'ignore' }
  | {
      readonly action: 'attach';
      readonly volume: PersistentVolume;
      readonly nodeId: string;
      /** Where it was begun before another VM took the node's name: the disk may be there. */
      readonly formerNodeId: string | undefined;
    }
  /** Without a node id the disk is looked for on all nodes; without a volume id its PersistentVolume is. */
  | { readonly action: 'detach'; readonly volumeId: string | undefined; readonly nodeId: string | undefined }
  /** It was attached by a release that did not keep the handle with it. */
  | { readonly action: 'note'; readonly volumeId: string };

export interface AttachmentQuestion {
  readonly attachment: VolumeAttachment;
  readonly findVolume: (name: string) => PersistentVolume | undefined;
  readonly findCsiNode: (name: string) => CsiNode | undefined;
}

const volumeMissing = (name: string): VdoError =>
  new VdoError({
    code: 'KubeNotFound',
    message: `PersistentVolume ${name} does not exist`,
    remedy: 'Delete the pod that uses it; its claim has lost its volume.',
    retry: 'on-change',
  });

const volumeDeleted = (name: string): VdoError =>
  new VdoError({
    code: 'KubeConflict',
    message: `PersistentVolume ${name} is being deleted and is not attached any more`,
    remedy: 'Delete the pod that uses it.',
    retry: 'on-change',
  });

const notRegistered = (node: string): VdoError =>
  new VdoError({
    code: 'NodeVmNotFound',
    message: `the driver is not registered on node ${node}: its CSINode does not list ${driverName}`,
    remedy: `Look at the vsphere-csi-node pod of node ${node}; it registers itself with the kubelet.`,
    retry: 'on-change',
  });

/** The id under which the driver has registered on a node. */
export const nodeIdOf = (csiNode: CsiNode | undefined): string | undefined =>
  csiNode?.spec.drivers?.find(({ name }) => name === driverName)?.nodeID;

/** Decides by the attachment's own state; throws if it cannot be served yet. */
export const decideAttachment = ({ attachment, findVolume, findCsiNode }: AttachmentQuestion): AttachmentDecision => {
  const { spec, status, metadata } = attachment;
  if (spec.attacher !== driverName) return { action: 'ignore' };
  const name = spec.source.persistentVolumeName;
  if (name === undefined) return { action: 'ignore' };
  const volume = findVolume(name);
  const begunAt = metadata.annotations?.[nodeIdAnnotation];
  const begunWith = metadata.annotations?.[annotationKeys.volumeHandle];
  const handle = volume?.spec.csi?.volumeHandle;
  const nodeId = nodeIdOf(findCsiNode(spec.nodeName));
  if (metadata.deletionTimestamp) {
    if (!metadata.finalizers?.includes(attacherFinalizer)) return { action: 'ignore' };
    return { action: 'detach', volumeId: begunWith ?? handle, nodeId: begunAt ?? nodeId };
  }
  if (status?.attached)
    return begunWith === undefined && handle !== undefined
      ? { action: 'note', volumeId: handle }
      : { action: 'ignore' };
  if (!volume) throw volumeMissing(name);
  if (volume.metadata.deletionTimestamp) throw volumeDeleted(name);
  if (nodeId === undefined) throw notRegistered(spec.nodeName);
  return { action: 'attach', volume, nodeId, formerNodeId: begunAt === nodeId ? undefined : begunAt };
};
