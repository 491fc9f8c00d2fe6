import { createHash } from 'node:crypto';
import type { Clock } from '@vdo/base/clock';
import {
  type Node,
  nodes,
  type PersistentVolume,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from '@vdo/kube/types/core';
import { csiDrivers, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { deepEqual, getIn } from '../json.ts';
import type { StoreEvent } from '../store/store.ts';
import type { LocalApi } from './local-api.ts';
import { isNodeReady, isOutOfService } from './node-health.ts';
import { claimNames, uniqueVolumeName } from './pod-volumes.ts';
import type { SimController } from './run-controllers.ts';

/** The name that Kubernetes gives the attachment of a volume to a node. */
export const attachmentName = (
  volume: { readonly driver: string; readonly volumeHandle: string },
  nodeName: string,
): string => `csi-${createHash('sha256').update(`${volume.volumeHandle}${volume.driver}${nodeName}`).digest('hex')}`;

/** Attachments with other names were created by other programs and are not changed. */
const ownName = /^csi-[0-9a-f]{64}$/;
/** How long an unhealthy node may keep a volume from being detached. */
const forceAfterMs = 360_000;

const isDone = ({ status }: Pod): boolean => ['Succeeded', 'Failed'].includes(status?.phase ?? '');
const isShared = ({ spec }: PersistentVolume): boolean =>
  (spec.accessModes ?? []).some((mode) => mode.endsWith('Many'));

const buckets = ['/pods', '/persistentvolumeclaims', 'storage.k8s.io/csidrivers', 'storage.k8s.io/volumeattachments'];

/** Only the properties of a node that matter for volumes: a heartbeat must not cause a check of all pods. */
const concernsVolumes = ({ bucket, object, previous }: StoreEvent): boolean => {
  if (bucket !== '/nodes') return buckets.includes(bucket);
  const aspects = (node: unknown) => [
    getIn(node, ['status', 'volumesInUse']),
    isNodeReady(node as Node | undefined),
    getIn(node, ['spec', 'taints']),
  ];
  return !deepEqual(aspects(object), aspects(previous));
};

/**
 * Requests volumes to be attached where pods need them, reports the attached volumes in the Node status, and requests them to be detached
 * when the last pod is deleted and the kubelet has released them. If the kubelet does not respond, this is assumed after six minutes, or
 * immediately if the node is marked as out of service.
 */
export const createAttachDetachController = (api: LocalApi, clock: Clock): SimController => {
  const unwantedSince = new Map<string, number>();

  const needsAttachment = ({ spec }: PersistentVolume): boolean =>
    spec.csi !== undefined && api.get(csiDrivers, { name: spec.csi.driver })?.spec.attachRequired !== false;

  const volumesOf = (pod: Pod): readonly PersistentVolume[] =>
    claimNames(pod).flatMap((name) => {
      const claim = api.get(persistentVolumeClaims, { name, namespace: pod.metadata.namespace ?? '' });
      const volume =
        claim?.spec.volumeName === undefined ? undefined : api.get(persistentVolumes, { name: claim.spec.volumeName });
      return claim?.status?.phase === 'Bound' && volume ? [volume] : [];
    });

  const wanted = (): ReadonlyMap<string, { readonly volume: PersistentVolume; readonly nodeName: string }> => {
    const attachments = new Map<string, { readonly volume: PersistentVolume; readonly nodeName: string }>();
    for (const pod of api.list(pods)) {
      const { nodeName } = pod.spec;
      if (nodeName === undefined || isDone(pod)) continue;
      for (const volume of volumesOf(pod).filter(needsAttachment))
        if (volume.spec.csi) attachments.set(attachmentName(volume.spec.csi, nodeName), { volume, nodeName });
    }
    return attachments;
  };

  const attach = (name: string, volume: PersistentVolume, nodeName: string): void => {
    const source = { persistentVolumeName: volume.metadata.name ?? '' };
    const present = api.list(volumeAttachments);
    const isElsewhere = present.some(({ spec }) => spec.source.persistentVolumeName === source.persistentVolumeName);
    if (present.some(({ metadata }) => metadata.name === name) || (isElsewhere && !isShared(volume))) return;
    api.create(volumeAttachments, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name },
      spec: { attacher: volume.spec.csi?.driver ?? '', nodeName, source },
    });
  };

  const volumeNameOf = ({ spec }: VolumeAttachment): string | undefined => {
    const { csi } = api.get(persistentVolumes, { name: spec.source.persistentVolumeName ?? '' })?.spec ?? {};
    return csi && uniqueVolumeName(csi);
  };

  /** Milliseconds until an attachment may be deleted although the node still uses it; 0 if it may be deleted now. */
  const waitMs = (attachment: VolumeAttachment): number => {
    const { name = '' } = attachment.metadata;
    const nowMs = clock.monotonicMs();
    const sinceMs = unwantedSince.get(name) ?? nowMs;
    unwantedSince.set(name, sinceMs);
    const node = api.get(nodes, { name: attachment.spec.nodeName });
    const isInUse = node?.status?.volumesInUse?.includes(volumeNameOf(attachment) ?? '') ?? false;
    if (!isInUse || isOutOfService(node)) return 0;
    const leftMs = Math.max(0, forceAfterMs - (nowMs - sinceMs));
    return leftMs === 0 && isNodeReady(node) ? forceAfterMs : leftMs;
  };

  /** Removes attachments that are not needed; returns the time until the next one may be removed. */
  const detachAllBut = (needed: ReadonlyMap<string, unknown>): number | undefined => {
    let nextMs: number | undefined;
    for (const attachment of api.list(volumeAttachments)) {
      const { name = '', deletionTimestamp } = attachment.metadata;
      if (needed.has(name) || deletionTimestamp !== undefined || !ownName.test(name)) {
        unwantedSince.delete(name);
        continue;
      }
      const leftMs = waitMs(attachment);
      if (leftMs === 0) api.remove(volumeAttachments, attachment);
      else nextMs = Math.min(nextMs ?? leftMs, leftMs);
    }
    return nextMs;
  };

  /** A kubelet mounts only volumes in its Node's status, and none that is about to be detached. */
  const reportAttached = (): void => {
    const names = new Map<string, string[]>();
    for (const attachment of api.list(volumeAttachments)) {
      const { nodeName } = attachment.spec;
      const volumeName =
        attachment.status?.attached && !attachment.metadata.deletionTimestamp && volumeNameOf(attachment);
      if (volumeName) names.set(nodeName, [...(names.get(nodeName) ?? []), volumeName]);
    }
    for (const node of api.list(nodes)) {
      const attached = names.get(node.metadata.name ?? '');
      if (!attached && !node.status?.volumesAttached) continue;
      const { volumesAttached: _, ...status } = node.status ?? {};
      const list = attached?.map((name) => ({ name, devicePath: '' }));
      api.updateStatus(nodes, node, { ...status, ...(list && { volumesAttached: list }) });
    }
  };

  return {
    name: 'attach-detach',
    // One key: which attachments are needed depends on all pods together.
    keysOf: (event) => (concernsVolumes(event) ? ['all'] : []),
    reconcile: () => {
      const needed = wanted();
      const requeueAfterMs = detachAllBut(needed);
      for (const [name, { volume, nodeName }] of needed) attach(name, volume, nodeName);
      reportAttached();
      return requeueAfterMs;
    },
  };
};
