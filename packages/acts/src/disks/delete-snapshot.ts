import type { KubeObject } from '@vdo/kube/types/object';
import type { CnsVolume, SnapshotSource } from '@vdo/vsphere/cns/cns-types';
import { destructiveCalls, type HasDestructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import type { Attempt } from '../attempt.ts';
import type { Answer, Found } from '../evidence.ts';
import { perform } from '../internal/perform.ts';
import { actRefused, evidenceMissing } from '../internal/refusals.ts';
import type { Owner, SeenGround } from './disk-evidence.ts';
import { ownershipOf } from './ownership.ts';

/** The evidence that is needed to delete a snapshot. */
export interface SnapshotEvidence {
  readonly vcenter: Answer<{ readonly instanceUuid: string }>;
  /** The volume of the snapshot, as CNS lists it. */
  readonly volume: Answer<Pick<CnsVolume, 'containerClusterIds'> | undefined>;
  /** The name that this driver gave the snapshot (its description), or that CNS lists no such snapshot. */
  readonly snapshot: Answer<{ readonly description: string } | undefined>;
  /** The VolumeSnapshotContents with the handle, or that the cluster does not have this API. */
  readonly holders: Found<KubeObject> | Answer<'no such API'>;
  readonly ground: SeenGround;
}

/** Deletes a snapshot that belongs to this cluster. False if vCenter has no such snapshot. */
export const deleteSnapshot = async (
  attempt: Attempt,
  snapshot: {
    readonly vcenter: HasDestructiveCalls;
    readonly source: SnapshotSource;
    readonly evidence: SnapshotEvidence;
    readonly owner: Owner;
    /** The operation that needs it, for the logs of vCenter. */
    readonly operationId?: string | undefined;
  },
): Promise<boolean> => {
  const { vcenter, source, evidence, owner, operationId } = snapshot;
  const { ground, holders } = evidence;
  const uid = ground.seen.kind === 'seen' ? ground.seen.uid : undefined;
  if (ground.ground.kind === 'object' && ground.ground.uid !== uid)
    throw evidenceMissing(`${ground.ground.what} is not the object that was read`);
  const having = holders.kind === 'found' ? holders.objects : [];
  const clusterIds = evidence.volume.value?.containerClusterIds ?? [];
  const ownership = ownershipOf({
    ...owner,
    instanceUuid: evidence.vcenter.value.instanceUuid,
    shown: { name: evidence.snapshot.value?.description ?? nameOf(ground), clusterIds },
    ground: ground.ground,
    holders: having.map(({ metadata }) => ({
      uid: metadata.uid ?? '',
      name: `VolumeSnapshotContent ${metadata.name}`,
    })),
  });
  if (ownership.class === 'unknown') throw actRefused('delete snapshot', source.snapshotId, ownership.why);
  const pieces = [evidence.vcenter, evidence.volume, evidence.snapshot, holders, ground.seen];
  return perform(attempt, pieces, ({ beforeSend: assertHeld, signal }) =>
    destructiveCalls(vcenter).deleteSnapshot(source, {
      fence: { assertHeld, operationId },
      ...(signal ? { signal } : {}),
    }),
  );
};

// If the snapshot is not listed, its name cannot be compared; but its volume may still belong to another cluster.
const nameOf = ({ ground }: SeenGround): string => {
  if (ground.kind === 'request') return '';
  return ground.kind === 'intent' ? ground.name : (ground.madeAs ?? '');
};
