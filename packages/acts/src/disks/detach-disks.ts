import { sameUuid } from '@vdo/base/uuid';
import { toVdoError } from '@vdo/base/vdo-error';
import { type CsiNode, nodeIdAnnotation, type VolumeAttachment } from '@vdo/kube/types/storage';
import type { Outcome } from '@vdo/vsphere/cns/cns-types';
import { destructiveCalls, type HasDestructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Attempt } from '../attempt.ts';
import type { Answer, Evidence, Found, Seen } from '../evidence.ts';
import { performTogether } from '../internal/perform.ts';
import { actRefused, evidenceMissing } from '../internal/refusals.ts';
import { holdsDisk } from './holds-disk.ts';

export interface DetachedDisk {
  readonly attempt: Attempt;
  readonly volumeId: string;
  /** The ID of the node to which the disk is attached. */
  readonly nodeId: string;
  readonly vm: MoRef;
  /** The VM of the node, read again. Needed if the volume is required on another node, because it then matters which VM this is. */
  readonly lookedUp?: Answer<MoRef | undefined>;
  /** All VolumeAttachments of the volume, or that there are none, for a caller that attaches without them. */
  readonly attachments: readonly [Found<VolumeAttachment>, ...Found<VolumeAttachment>[]];
  /** The CSINodes of attachments that began on this VM and whose node is now another machine. */
  readonly csiNodes?: readonly Seen<CsiNode>[];
}

const isSameNode = (left: string, right: string): boolean =>
  left.toLowerCase() === right.toLowerCase() || sameUuid(left, right);

/** The ID of the node on which an attachment has its disk; undefined if this is not recorded. */
const holdsItOn = (attachment: VolumeAttachment, csiNodes: readonly Seen<CsiNode>[]): string | undefined => {
  const { metadata, spec, status } = attachment;
  const begunOn = metadata.annotations?.[nodeIdAnnotation];
  // An attachment that is attached refers to the VM on which it began, whichever VM has the node's name now.
  if (status?.attached) return begunOn;
  const { drivers } = csiNodes.find(({ key }) => key.name === spec.nodeName)?.object.spec ?? {};
  return drivers?.find(({ name }) => name === spec.attacher)?.nodeID ?? begunOn;
};

/** Throws if the disk is required where it is. */
const assertUnwanted = (disk: DetachedDisk): void => {
  const { volumeId, nodeId, vm, lookedUp, attachments, csiNodes = [] } = disk;
  if (!attachments.some(({ question }) => question.value === volumeId))
    throw evidenceMissing(`the VolumeAttachments of volume ${volumeId} were not read`);
  const holding = attachments.flatMap(({ objects }) => objects).filter(holdsDisk);
  for (const attachment of holding) {
    const on = holdsItOn(attachment, csiNodes);
    if (on === undefined || isSameNode(on, nodeId))
      throw actRefused('detach', volumeId, `VolumeAttachment ${attachment.metadata.name} requires it on this node`);
  }
  if (holding.length > 0 && lookedUp?.value?.value !== vm.value)
    throw evidenceMissing(
      `${vm.value} is not known to be the VM of node ${nodeId}, and ${volumeId} is attached to another node, too`,
    );
};

const evidenceOf = ({ lookedUp, attachments, csiNodes = [] }: DetachedDisk): readonly Evidence[] => [
  ...attachments,
  ...csiNodes,
  ...(lookedUp ? [lookedUp] : []),
];

/**
 * Detaches disks from VMs of one vCenter with one call; returns one outcome for each, in order. Disks that must not be detached are left
 * out, and their outcome is the reason.
 */
export const detachDisks = async (
  vcenter: HasDestructiveCalls,
  disks: readonly DetachedDisk[],
  { operationId, ...options }: { readonly signal?: AbortSignal; readonly operationId?: string | undefined } = {},
): Promise<readonly Outcome<undefined>[]> => {
  const outcomes = new Map<DetachedDisk, Outcome<undefined>>();
  for (const disk of disks)
    try {
      assertUnwanted(disk);
      disk.attempt.assertGood(...evidenceOf(disk));
    } catch (error) {
      outcomes.set(disk, { ok: false, error: toVdoError(error) });
    }
  const sent = disks.filter((disk) => !outcomes.has(disk));
  if (sent.length > 0) {
    const parts = sent.map((disk) => ({ attempt: disk.attempt, evidence: evidenceOf(disk) }));
    const items = sent.map(({ volumeId, vm }) => ({ volumeId, vm }));
    const results = await performTogether(parts, ({ beforeSend: assertHeld }) =>
      destructiveCalls(vcenter).detach(items, { fence: { assertHeld, operationId }, ...options }),
    );
    for (const [index, disk] of sent.entries()) {
      const outcome = results[index];
      if (outcome) outcomes.set(disk, outcome);
    }
  }
  return disks.flatMap((disk) => outcomes.get(disk) ?? []);
};
