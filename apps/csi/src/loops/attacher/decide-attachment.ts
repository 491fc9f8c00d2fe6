import { VdoError } from '@vdo/base/vdo-error';
import { annotationKeys } from '@vdo/config/names';
import type { Node, PersistentVolume } from '@vdo/kube/types/core';
import { type CsiNode, nodeIdAnnotation, type VolumeAttachment } from '@vdo/kube/types/storage';
import { driverName } from '../../driver.ts';
import { nodeIdOf } from '../../volumes/attached-node.ts';
import { addressesNotedOn } from '../../volumes/share-grants.ts';

/** Keeps a VolumeAttachment, and the PersistentVolume it is for, until the disk is detached. */
export const attacherFinalizer = `external-attacher/${driverName.replaceAll('.', '-')}`;

/** What to do with a VolumeAttachment. */
export type AttachmentDecision =
  | { readonly action: 'ignore' }
  | {
      readonly action: 'attach';
      readonly volume: PersistentVolume;
      readonly nodeId: string;
      /** The VM that had the node's name when the attachment began: the disk may be there. */
      readonly formerNodeId: string | undefined;
    }
  /** Without a node ID the disk is searched for on all nodes; without a volume ID its PersistentVolume is read. */
  | { readonly action: 'detach'; readonly volumeId: string | undefined; readonly nodeId: string | undefined }
  /** It was attached by a release that did not store the volume handle in it. */
  | { readonly action: 'note'; readonly volumeId: string };

export interface AttachmentQuestion {
  readonly attachment: VolumeAttachment;
  readonly findVolume: (name: string) => PersistentVolume | undefined;
  readonly findCsiNode: (name: string) => CsiNode | undefined;
  /** By default nothing is known about Nodes. */
  readonly findNode?: (name: string) => Node | undefined;
}

const volumeMissing = (name: string): VdoError =>
  new VdoError({
    code: 'KubeNotFound',
    message: `PersistentVolume ${name} does not exist`,
    remedy: 'Delete the pod that uses it. Its claim has lost its volume.',
    retry: 'on-change',
  });

const volumeDeleted = (name: string): VdoError =>
  new VdoError({
    code: 'KubeConflict',
    message: `PersistentVolume ${name} is being deleted, so it is no longer attached`,
    remedy: 'Delete the pod that uses it.',
    retry: 'on-change',
  });

const notRegistered = (node: string): VdoError =>
  new VdoError({
    code: 'NodeVmNotFound',
    message: `the driver is not registered on node ${node}: its CSINode does not list ${driverName}`,
    remedy: `Check the vsphere-csi-node pod of node ${node}. It registers the driver with the kubelet.`,
    retry: 'on-change',
  });

/** The addresses at which a Node can be reached. */
export const addressesOfNode = (node: Node | undefined): readonly string[] =>
  (node?.status?.addresses ?? []).filter(({ type }) => /IP$/.test(type)).map(({ address }) => address);

/** The addresses of a Node, in the form that is stored in an attachment. */
export const addressNoteOf = (node: Node | undefined): string => [...addressesOfNode(node)].sort().join();

/** True if the node may have other addresses than those that have access to the share. */
const hasMoved = (attachment: VolumeAttachment, node: Node | undefined): boolean => {
  const letIn = addressesNotedOn(attachment);
  // Without the Node its addresses are not known.
  if (letIn === undefined || addressesOfNode(node).length === 0) return false;
  const seen = attachment.metadata.annotations?.[annotationKeys.shareAddressesOf];
  // An earlier release attached it.
  if (seen === undefined) return addressesOfNode(node).some((address) => !letIn.includes(address));
  return seen !== addressNoteOf(node);
};

/** The parts of the object that a decision depends on. Each attempt writes a mark or an error, which must not trigger an immediate retry. */
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

/** Decides by the state of the attachment; throws if it cannot be processed yet. */
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
  // A node that has access to a share keeps it, also after its addresses changed.
  if (volume.metadata.deletionTimestamp && !status?.attached) throw volumeDeleted(name);
  if (nodeId === undefined) throw notRegistered(spec.nodeName);
  return { action: 'attach', volume, nodeId, formerNodeId: begunAt === nodeId ? undefined : begunAt };
};
