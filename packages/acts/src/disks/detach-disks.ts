import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { Outcome } from '@vdo/vsphere/cns/cns-types';
import { destructiveCalls, type HasDestructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Attempt } from '../attempt.ts';
import type { Absent, Answer, Evidence, Found, Seen } from '../evidence.ts';
import { performTogether } from '../internal/perform.ts';
import { actRefused } from '../internal/refusals.ts';

export interface DetachedDisk {
  readonly attempt: Attempt;
  readonly volumeId: string;
  /** The VM of the node, looked up since the attempt began. */
  readonly vm: Answer<MoRef>;
  /** The VolumeAttachment that is to go, or that there is none. */
  readonly attachment: Seen<VolumeAttachment> | Absent<VolumeAttachment>;
  /** All VolumeAttachments of the volume. */
  readonly attachments: Found<VolumeAttachment>;
  readonly because?: readonly Evidence[];
}

/** Throws if somebody wants the disk where it is. */
const assertUnwanted = ({ volumeId, attachment, attachments }: DetachedDisk): void => {
  const refuse = (name: string | undefined) =>
    actRefused('detach', volumeId, `VolumeAttachment ${name} wants it on this node`);
  const isWanted = ({ metadata }: VolumeAttachment) => metadata.deletionTimestamp === undefined;
  if (attachment.kind === 'seen' && isWanted(attachment.object)) throw refuse(attachment.key.name);
  const node = attachment.kind === 'seen' ? attachment.object.spec.nodeName : undefined;
  const other = attachments.objects.find((one) => isWanted(one) && (node === undefined || one.spec.nodeName === node));
  if (other) throw refuse(other.metadata.name);
};

/** Detaches disks from VMs of one vCenter by one call; one outcome for each, in order. */
export const detachDisks = async (
  vcenter: HasDestructiveCalls,
  disks: readonly DetachedDisk[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly Outcome<undefined>[]> => {
  for (const disk of disks) assertUnwanted(disk);
  const parts = disks.map(({ attempt, vm, attachment, attachments, because = [] }) => ({
    attempt,
    evidence: [vm, attachment, attachments, ...because],
  }));
  const items = disks.map(({ volumeId, vm }) => ({ volumeId, vm: vm.value }));
  return performTogether(parts, ({ beforeSend: assertHeld }) =>
    destructiveCalls(vcenter).detach(items, { fence: { assertHeld }, ...options }),
  );
};
