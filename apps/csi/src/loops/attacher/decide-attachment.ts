import { VdoError } from '@vdo/base/vdo-error';
import { annotationKeys } from '@vdo/config/names';
import type { Node, PersistentVolume } from '@vdo/kube/types/core';
import { type CsiNode, nodeIdAnnotation, type VolumeAttachment } from '@vdo/kube/types/storage';
import { driverName } from '../../driver.ts';
import { nodeIdOf } from '../../volumes/attached-node.ts';
import { addressesNotedOn } from '../../volumes/share-grants.ts';

/** Keeps a VolumeAttachment, and the PersistentVolume it is for, until the disk is detached. */
export const attacherFinalizer = `external-attacher/${driverName.replaceAll('.', '-')}`;

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
  /** Default: nothing is known of Nodes. */
  readonly findNode?: (name: string) => Node | undefined;
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

/** The addresses that a Node is reached by. */
export const addressesOfNode = (node: Node | undefined): readonly string[] =>
  (node?.status?.addresses ?? []).filter(({ type }) => /IP$/.test(type)).map(({ address }) => address);

/** The addresses that a Node names, as they are noted with an attachment. */
export const addressNoteOf = (node: Node | undefined): string => [...addressesOfNode(node)].sort().join();

/** True if the node may have other addresses than those by which the share was seen to know it. */
const hasMoved = (attachment: VolumeAttachment, node: Node | undefined): boolean => {
  const letIn = addressesNotedOn(attachment);
  // Without the Node nothing is known of its addresses.
  if (letIn === undefined || addressesOfNode(node).length === 0) return false;
  const seen = attachment.metadata.annotations?.[annotationKeys.shareAddressesOf];
  // An earlier release attached it.
  if (seen === undefined) return addressesOfNode(node).some((address) => !letIn.includes(address));
  return seen !== addressNoteOf(node);
};

/** What a decision depends on. Each try leaves its mark or its error: reacting to that would try again at once what has just failed. */
export const wishOf = ({ metadata, spec, status }: VolumeAttachment): string => {
  const {
    [annotationKeys.detachAttempt]: _tried,
    [annotationKeys.shareAddressesOf]: _seen,
    ...annotations
  } = metadata.annotations ?? {};
  const { attached, attachmentMetadata } = status ?? {};
  const { finalizers, deletionTimestamp } = metadata;
  return JSON.stringify([spec, attached, attachmentMetadata, finalizers, deletionTimestamp, annotations]);
};

/** Decides by the attachment's own state; throws if it cannot be served yet. */
export const decideAttachment = (question: AttachmentQuestion): AttachmentDecision => {
  const { attachment, findVolume, findCsiNode, findNode } = question;
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
  if (status?.attached && begunWith === undefined && handle !== undefined) return { action: 'note', volumeId: handle };
  if (status?.attached && !hasMoved(attachment, findNode?.(spec.nodeName))) return { action: 'ignore' };
  if (!volume) throw volumeMissing(name);
  // Who has a share keeps it, and is followed to his new address.
  if (volume.metadata.deletionTimestamp && !status?.attached) throw volumeDeleted(name);
  if (nodeId === undefined) throw notRegistered(spec.nodeName);
  return { action: 'attach', volume, nodeId, formerNodeId: begunAt === nodeId ? undefined : begunAt };
};
