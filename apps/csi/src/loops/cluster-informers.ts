import type { Informer } from '@vdo/kube/informer';
import type { Node, PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import type { CsiNode, StorageClass, VolumeAttachment } from '@vdo/kube/types/storage';

/** What the loops see of the cluster. Shared by all of them. */
export interface ClusterInformers {
  /** Indexes `uid` and `source`: the claim that they are copies of. */
  readonly claims: Informer<PersistentVolumeClaim>;
  /** Indexes `handle` and `disk`: the file name of the vmdk, of those that name their disk by its path. */
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly nodes: Informer<Node>;
  readonly csiNodes: Informer<CsiNode>;
  /** Indexes `volume`, `handle` (as noted with it) and `node`. */
  readonly attachments: Informer<VolumeAttachment>;
  /**
   * A turn of the event loop for who begins to listen: he is told of all objects there are, at once. All loops begin at about the same
   * time, and nobody else would have a turn meanwhile.
   */
  readonly turn: () => Promise<void>;
}
