import { createHash } from 'node:crypto';
import { type PersistentVolume, type Pod, persistentVolumeClaims, persistentVolumes, pods } from '@vdo/kube/types/core';
import { csiDrivers, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { getIn, stringOf } from '../json.ts';
import type { LocalApi } from './local-api.ts';
import type { SimController } from './run-controllers.ts';

/** The name that Kubernetes gives the attachment of a volume to a node. */
export const attachmentName = (
  volume: { readonly driver: string; readonly volumeHandle: string },
  nodeName: string,
): string => `csi-${createHash('sha256').update(`${volume.volumeHandle}${volume.driver}${nodeName}`).digest('hex')}`;

/** The claims a pod mounts, by name. */
export const claimNames = (pod: Pod): readonly string[] =>
  (pod.spec.volumes ?? [])
    .map((volume) => stringOf(getIn(volume, ['persistentVolumeClaim', 'claimName'])))
    .filter(Boolean);

const isDone = ({ status }: Pod): boolean => ['Succeeded', 'Failed'].includes(status?.phase ?? '');

/** Asks for volumes to be attached where pods need them, and to be detached when the last pod is gone. */
export const createAttachDetachController = (api: LocalApi): SimController => {
  const needsAttachment = ({ spec }: PersistentVolume): boolean =>
    spec.csi !== undefined && api.get(csiDrivers, { name: spec.csi.driver })?.spec.attachRequired !== false;

  const volumesOf = (pod: Pod): readonly PersistentVolume[] =>
    claimNames(pod).flatMap((name) => {
      const claim = api.get(persistentVolumeClaims, { name, namespace: pod.metadata.namespace ?? '' });
      const volume =
        claim?.spec.volumeName === undefined ? undefined : api.get(persistentVolumes, { name: claim.spec.volumeName });
      return claim?.status?.phase === 'Bound' && volume ? [volume] : [];
    });

  const wanted = (): ReadonlyMap<string, VolumeAttachment> => {
    const attachments = new Map<string, VolumeAttachment>();
    for (const pod of api.list(pods)) {
      const { nodeName } = pod.spec;
      if (nodeName === undefined || isDone(pod)) continue;
      for (const volume of volumesOf(pod).filter(needsAttachment)) {
        const { csi } = volume.spec;
        if (!csi) continue;
        const name = attachmentName(csi, nodeName);
        const source = { persistentVolumeName: volume.metadata.name ?? '' };
        attachments.set(name, {
          apiVersion: 'storage.k8s.io/v1',
          kind: 'VolumeAttachment',
          metadata: { name },
          spec: { attacher: csi.driver, nodeName, source },
        });
      }
    }
    return attachments;
  };

  return {
    name: 'attach-detach',
    // One key: which attachments are needed depends on all pods together.
    keysOf: ({ bucket }) =>
      ['/pods', '/persistentvolumeclaims', 'storage.k8s.io/csidrivers'].includes(bucket) ? ['all'] : [],
    reconcile: () => {
      const needed = wanted();
      const present = api.list(volumeAttachments);
      for (const [name, attachment] of needed)
        if (!present.some(({ metadata }) => metadata.name === name)) api.create(volumeAttachments, attachment);
      for (const attachment of present)
        if (!needed.has(attachment.metadata.name ?? '')) api.remove(volumeAttachments, attachment);
      return undefined;
    },
  };
};
