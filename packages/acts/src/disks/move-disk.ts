import type { PersistentVolume } from '@vdo/kube/types/core';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import { destructiveCalls, type HasDestructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Attempt } from '../attempt.ts';
import type { Answer, Evidence, Found } from '../evidence.ts';
import { perform } from '../internal/perform.ts';
import { actRefused, evidenceMissing } from '../internal/refusals.ts';

/** The evidence that is needed to move a disk to another datastore. */
export interface MoveEvidence {
  /** The disk as CNS lists it. */
  readonly volume: Answer<
    Pick<CnsVolume, 'id' | 'type' | 'datastoreUrl' | 'containerClusterIds' | 'storagePolicyId'> | undefined
  >;
  readonly snapshots: Answer<readonly unknown[]>;
  /** The VMs that use it, as vCenter lists them. Undefined: vCenter did not report the disk. */
  readonly disk: Answer<{ readonly consumers: readonly string[] } | undefined>;
  /** The PersistentVolumes that use it. */
  readonly holders: Found<PersistentVolume>;
  /** The VolumeAttachments of these PersistentVolumes. */
  readonly attachments: Found<VolumeAttachment>;
  /** The datastore to which it goes, read in this attempt. */
  readonly target: Answer<{ readonly url: string; readonly accessible: boolean; readonly maintenance: boolean }>;
}

export interface MovedDisk {
  readonly vcenter: HasDestructiveCalls;
  readonly volumeId: string;
  readonly clusterId: string;
  readonly datastore: MoRef;
  readonly evidence: MoveEvidence;
  /** Called with the task as soon as vCenter has accepted it. */
  readonly onTask?: (task: MoRef) => Promise<void>;
}

const act = 'move disk';

/** Throws unless the disk belongs to this cluster alone, nothing uses it at present, and the target can take it. */
const assertMovable = ({ volumeId, clusterId, evidence }: MovedDisk): CnsVolume['storagePolicyId'] => {
  const { snapshots, disk, holders, attachments, target } = evidence;
  const volume = evidence.volume.value;
  if (!volume || volume.id !== volumeId) throw evidenceMissing(`volume ${volumeId} was not read`);
  const refuse = (why: string) => actRefused(act, volumeId, why);
  if (volume.type !== 'BLOCK') throw refuse('it is a file volume');
  const stranger = volume.containerClusterIds.find((id) => id !== clusterId);
  if (stranger !== undefined) throw refuse(`vCenter lists it for cluster ${stranger}`);
  if (!volume.containerClusterIds.includes(clusterId)) throw refuse('vCenter lists it for no cluster');
  if (snapshots.value.length > 0) throw refuse('it has snapshots');
  if (!disk.value) throw refuse('vCenter does not report which VMs use it');
  if (disk.value.consumers.length > 0) throw refuse(`it is attached to ${disk.value.consumers.join(', ')}`);
  if (!holders.objects.every(({ spec }) => spec.csi?.volumeHandle === volumeId))
    throw refuse('a PersistentVolume refers to it by its path, which would change');
  const [attachment] = attachments.objects;
  if (attachment) throw refuse(`VolumeAttachment ${attachment.metadata.name} requires it on a node`);
  if (!target.value.accessible || target.value.maintenance) throw refuse('its new datastore is not available');
  if (target.value.url === volume.datastoreUrl) throw refuse('it is on that datastore already');
  return volume.storagePolicyId;
};

const piecesOf = (evidence: MoveEvidence): readonly Evidence[] => Object.values(evidence);

/** Moves a disk that nothing uses to another datastore of the same vCenter. It keeps its ID and its storage policy. */
export const moveDisk = async (attempt: Attempt, moved: MovedDisk): Promise<void> => {
  const { vcenter, volumeId, datastore, evidence, onTask } = moved;
  const storagePolicyId = assertMovable(moved);
  await perform(attempt, piecesOf(evidence), ({ beforeSend: assertHeld, signal }) =>
    destructiveCalls(vcenter).relocate(
      volumeId,
      // Without a policy, vCenter would apply the default one of the new datastore.
      { datastore, ...(storagePolicyId ? { storagePolicyId } : {}) },
      { fence: { assertHeld }, ...(signal ? { signal } : {}), ...(onTask ? { onTask } : {}) },
    ),
  );
};
