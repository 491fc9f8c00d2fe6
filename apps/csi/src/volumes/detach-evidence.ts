import type { Attempt } from '@vdo/acts/attempt';
import { holdsDisk } from '@vdo/acts/disks/holds-disk';
import type { Found, Seen } from '@vdo/acts/evidence';
import { foundAmong } from '@vdo/acts/found-among';
import { createCacheProof } from '@vdo/acts/proven-cache';
import type { Clock } from '@vdo/base/clock';
import { isVdoError } from '@vdo/base/vdo-error';
import { annotationKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumes } from '@vdo/kube/types/core';
import {
  type CsiNode,
  csiNodes,
  nodeIdAnnotation,
  type VolumeAttachment,
  volumeAttachments,
} from '@vdo/kube/types/storage';
import { nodeIdOf, nodeIdOfAttachment } from './attached-node.ts';
import type { CallContext } from './call-context.ts';
import type { ClusterCaches } from './cluster-evidence.ts';
import type { DetachPermit } from './permissions.ts';

/** All VolumeAttachments of a volume, and the CSINodes of those whose node is now another machine than when they began. */
export interface AttachmentsOfVolume {
  readonly attachments: readonly [Found<VolumeAttachment>, ...Found<VolumeAttachment>[]];
  readonly csiNodes: readonly Seen<CsiNode>[];
  /** One of them uses the disk, on this or another node. */
  readonly isHeld: boolean;
}

/** The evidence from the cluster's objects about a disk that is to be detached. */
export interface DetachEvidence {
  /**
   * Records in the attachment that its disk is about to be detached. Undefined if the attachment no longer exists; throws KubeConflict if it
   * has changed since it was read.
   */
  permit(attempt: Attempt, attachment: VolumeAttachment, context: CallContext): Promise<DetachPermit | undefined>;
  /** The attachment for a request that names only volume and node; undefined if the cache has none. */
  leaving(handles: readonly string[], nodeId: string | undefined): VolumeAttachment | undefined;
  attachmentsOf(permit: DetachPermit, handles: readonly [string, ...string[]]): Promise<AttachmentsOfVolume>;
  /** All attachments, from a live LIST: for disks without an attachment in the cache. */
  everything(attempt: Attempt): Promise<Found<VolumeAttachment>>;
  /** The same as `attachmentsOf`, from a LIST since the attempt began. */
  attachmentsAmong(
    attempt: Attempt,
    all: Found<VolumeAttachment>,
    handles: readonly [string, ...string[]],
  ): Promise<AttachmentsOfVolume>;
}

export interface DetachEvidenceDeps {
  readonly kube: KubeClient;
  readonly caches: ClusterCaches;
  readonly clock: Clock;
}

const volumeOf = ({ spec }: VolumeAttachment): string => spec.source.persistentVolumeName ?? '';
const handleNotedOn = ({ metadata }: VolumeAttachment): string | undefined =>
  metadata.annotations?.[annotationKeys.volumeHandle];

export const createDetachEvidence = (deps: DetachEvidenceDeps): DetachEvidence => {
  const { kube: client, caches, clock } = deps;
  const proof = createCacheProof({ client, clock, informer: caches.attachments, resource: volumeAttachments });

  const namesInCache = (handles: readonly string[]): readonly string[] =>
    handles.flatMap((handle) => caches.volumes.byIndex('handle', handle)).map(({ metadata }) => metadata.name ?? '');

  /**
   * The PersistentVolumes with one of the handles. A handle never changes, so the cache is sufficient. For an attachment without a stored handle
   * whose volume is not in the cache, the API server is asked.
   */
  const namesWith = async (attempt: Attempt, handles: readonly string[], users: readonly VolumeAttachment[]) => {
    const isUnknown = (one: VolumeAttachment) =>
      handleNotedOn(one) === undefined && holdsDisk(one) && !caches.volumes.get(volumeOf(one));
    const unknown = [...new Set(users.filter(isUnknown).map(volumeOf))];
    const read = await Promise.all(unknown.map((name) => attempt.read(persistentVolumes, { name })));
    const found = read.filter(
      (volume) => volume.kind === 'seen' && handles.includes(volume.object.spec.csi?.volumeHandle ?? ''),
    );
    return new Set([...namesInCache(handles), ...found.map(({ key }) => key.name)]);
  };

  const completed = async (
    attempt: Attempt,
    attachments: AttachmentsOfVolume['attachments'],
  ): Promise<AttachmentsOfVolume> => {
    const holding = attachments.flatMap(({ objects }) => objects).filter(holdsDisk);
    const hasMoved = ({ metadata, spec, status }: VolumeAttachment): boolean => {
      const now = nodeIdOf(caches.csiNodes.get(spec.nodeName));
      return !status?.attached && now !== undefined && now !== metadata.annotations?.[nodeIdAnnotation];
    };
    const names = [...new Set(holding.filter(hasMoved).map(({ spec }) => spec.nodeName))];
    const read = await Promise.all(names.map((name) => attempt.read(csiNodes, { name })));
    return {
      attachments,
      csiNodes: read.filter((node) => node.kind === 'seen'),
      isHeld: holding.length > 0,
    };
  };

  return {
    permit: async (attempt, attachment, { lifetime: signal }) => {
      const { name = '', uid = '', resourceVersion = '' } = attachment.metadata;
      const change = { metadata: { annotations: { [annotationKeys.detachAttempt]: attempt.id } } };
      const written = await attempt
        .readByWriting(volumeAttachments, { key: { name }, uid, resourceVersion }, change)
        .catch((error) => {
          if (isVdoError(error, 'KubeConflict')) caches.attachments.doubt();
          throw error;
        });
      if (written.kind === 'absent') return undefined;
      return { attempt, attachment: written, current: await proof.since(written, { signal }) };
    },
    leaving: (handles, nodeId) => {
      const all = [
        ...handles.flatMap((handle) => caches.attachments.byIndex('handle', handle)),
        ...namesInCache(handles).flatMap((name) => caches.attachments.byIndex('volume', name)),
      ];
      return all.find(
        (one) =>
          one.metadata.deletionTimestamp !== undefined &&
          (nodeId === undefined || nodeIdOfAttachment(one, (name) => caches.csiNodes.get(name)) === nodeId),
      );
    },
    attachmentsOf: async ({ attempt, attachment, current }, handles) => {
      const { spec } = attachment.object;
      const names = await namesWith(attempt, handles, caches.attachments.byIndex('node', spec.nodeName));
      const [first, ...others] = handles;
      return completed(attempt, [
        current.byIndex('handle', first),
        ...others.map((handle) => current.byIndex('handle', handle)),
        ...[...names.add(volumeOf(attachment.object))].map((name) => current.byIndex('volume', name)),
      ]);
    },
    everything: (attempt) => attempt.search(volumeAttachments, { index: 'name', value: 'any' }, () => true),
    attachmentsAmong: async (attempt, all, handles) => {
      const names = await namesWith(attempt, handles, all.objects);
      const has = (one: VolumeAttachment) => handles.includes(handleNotedOn(one) ?? '') || names.has(volumeOf(one));
      return completed(attempt, [foundAmong(all, { index: 'handle', value: handles[0] }, has)]);
    },
  };
};
