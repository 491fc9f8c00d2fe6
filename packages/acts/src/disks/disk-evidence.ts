import type { PersistentVolume } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { Answer, Evidence, Found, Seen } from '../evidence.ts';
import { actRefused, evidenceMissing } from '../internal/refusals.ts';
import { type Ground, type Ownership, ownershipOf } from './ownership.ts';

/** The object that is the reason for the deletion, and its content. */
export interface SeenGround {
  readonly seen: Seen<KubeObject> | Answer<unknown>;
  readonly ground: Ground;
}

/** The evidence that is needed to delete a disk or share. */
export interface DiskEvidence {
  /** `vcenter.about()`: which vCenter this is. */
  readonly vcenter: Answer<{ readonly instanceUuid: string }>;
  /** The volume as CNS lists it, or that it is not listed. */
  readonly volume: Answer<Pick<CnsVolume, 'name' | 'containerClusterIds' | 'entities'> | undefined>;
  /** The PersistentVolumes with the handle, and with every other handle that the disk may have. */
  readonly holders: readonly [Found<PersistentVolume>, ...Found<PersistentVolume>[]];
  readonly ground: SeenGround;
  /** Other evidence that must still be true at the deletion. */
  readonly also?: readonly Evidence[];
}

export interface Owner {
  readonly clusterId: string;
  /** No other vCenter is configured. */
  readonly isOnlyVCenter: boolean;
}

export const piecesOf = ({ vcenter, volume, holders, ground, also = [] }: DiskEvidence): readonly Evidence[] => [
  vcenter,
  volume,
  ...holders,
  ground.seen,
  ...also,
];

const kinds = { PERSISTENT_VOLUME: 'PersistentVolume', PERSISTENT_VOLUME_CLAIM: 'claim', POD: 'pod' } as const;

/** The properties of a volume in CNS that decide its ownership. */
const shownOf = (volume: Pick<CnsVolume, 'name' | 'containerClusterIds' | 'entities'>) => ({
  name: volume.name,
  clusterIds: volume.containerClusterIds,
  users: (volume.entities ?? []).map(({ kind, namespace, name }) =>
    [kinds[kind], namespace ? `${namespace}/${name}` : name].join(' '),
  ),
});

/** The owner of the disk according to this evidence. Pure: the evidence itself is checked when the request is sent. */
const ownershipOfDisk = (volumeId: string, evidence: DiskEvidence, owner: Owner): Ownership => {
  const { vcenter, volume, holders, ground } = evidence;
  if (!holders.some(({ question }) => question.value === volumeId))
    throw evidenceMissing(`the PersistentVolumes with the handle ${volumeId} were not read`);
  const uid = ground.seen.kind === 'seen' ? ground.seen.uid : undefined;
  if (ground.ground.kind === 'object' && ground.ground.uid !== uid)
    throw evidenceMissing(`${ground.ground.what} is not the object that was read`);
  const having = holders.flatMap(({ objects }) => objects);
  return ownershipOf({
    ...owner,
    instanceUuid: vcenter.value.instanceUuid,
    shown: volume.value && shownOf(volume.value),
    ground: ground.ground,
    holders: having.map(({ metadata }) => ({ uid: metadata.uid ?? '', name: `PersistentVolume ${metadata.name}` })),
  });
};

/** Throws unless the disk belongs to this cluster. */
export const assertOwned = (act: string, volumeId: string, evidence: DiskEvidence, owner: Owner): void => {
  const ownership = ownershipOfDisk(volumeId, evidence, owner);
  if (ownership.class === 'unknown') throw actRefused(act, volumeId, ownership.why);
};
