import type { Change } from '@vdo/kube/informer';
import type { VolumeAttachment } from '@vdo/kube/types/storage';

/** When disks were attached, as far as this server was running: a VolumeAttachment does not record it. */
export type AttachTimes = ReadonlyMap<string, number>;

/** By the uid of the VolumeAttachment. */
export const createAttachTimes = () => {
  const times = new Map<string, number>();
  return {
    times: times as AttachTimes,
    note: ({ type, object, previous }: Change<VolumeAttachment>, nowMs: number): void => {
      const { uid = '' } = object.metadata;
      if (type === 'deleted') times.delete(uid);
      else if (object.status?.attached && previous && !previous.status?.attached) times.set(uid, nowMs);
    },
  };
};
