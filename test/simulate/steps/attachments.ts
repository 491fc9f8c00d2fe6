import { driverName } from '@vdo/csi/driver';
import { type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import type { WishedAttachment } from '../truth.ts';
import { type Happening, pick, type StepContext, upTo } from './step.ts';

/** What the attach-detach controller writes when a pod with the volume is scheduled. */
export const attach: Happening = async ({ world, truth, dice }) => {
  const node = `node-${upTo(5, dice[1])}`;
  const attachments = world.list(volumeAttachments);
  const ready = truth.claims().flatMap((claim) => {
    const volume = truth.volumeOf(claim);
    if (!volume || volume.metadata.deletionTimestamp !== undefined) return [];
    const isTaken = attachments.some(
      ({ spec }) =>
        spec.source.persistentVolumeName === volume.metadata.name && (!claim.shared || spec.nodeName === node),
    );
    return isTaken ? [] : [volume];
  });
  const volume = pick(ready, dice[0]);
  if (!volume || world.scaledDown.has(node)) return undefined;
  const name = truth.named('attachment');
  const persistentVolumeName = volume.metadata.name ?? '';
  truth.all.attachments.push({ name, volume: persistentVolumeName, node });
  await world.client.create<VolumeAttachment>(volumeAttachments, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name },
    spec: { attacher: driverName, nodeName: node, source: { persistentVolumeName } },
  });
  return `${name} of ${volume.spec.claimRef?.name} to ${node}`;
};

export const detachNow = async ({ world }: Pick<StepContext, 'world'>, attachment: WishedAttachment): Promise<void> => {
  attachment.deleted = true;
  await world.client.delete(volumeAttachments, { name: attachment.name });
};

export const detach: Happening = async (context) => {
  const attachment = pick(context.truth.attachments(), context.dice[0]);
  if (!attachment) return undefined;
  await detachNow(context, attachment);
  return `${attachment.name} is deleted`;
};
