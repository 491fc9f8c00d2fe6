import type { Informer } from '@vdo/kube/informer';
import type { Node, PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import type { CsiNode, StorageClass, VolumeAttachment } from '@vdo/kube/types/storage';

/** The informers for the cluster's objects, shared by all loops. */
export interface ClusterInformers {
  /** Indexes `uid` and `source` (the claim that a claim is a copy of). */
  readonly claims: Informer<PersistentVolumeClaim>;
  /** Indexes `handle` and `disk` (the file name of the vmdk, for volumes that refer to their disk by its path). */
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly nodes: Informer<Node>;
  readonly csiNodes: Informer<CsiNode>;
  /** Indexes `volume`, `handle` (as stored in the attachment) and `node`. */
  readonly attachments: Informer<VolumeAttachment>;
  /**
   * Gives each new listener its own turn of the event loop, because it receives all existing objects at once. All loops start at about the
   * same time, and other work would otherwise have to wait for all of them.
   */
  readonly turn: () => Promise<void>;
}
