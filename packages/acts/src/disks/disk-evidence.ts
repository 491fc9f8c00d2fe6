import type { PersistentVolume } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { Answer, Evidence, Found, Seen } from '../evidence.ts';
import { actRefused, evidenceMissing } from '../internal/refusals.ts';
import { type Ground, type Ownership, ownershipOf } from './ownership.ts';

/** The object that says why it is to be destroyed, and what it says. */
export interface SeenGround {
  readonly seen: Seen<KubeObject> | Answer<unknown>;
  readonly ground: Ground;
}

/** What must be known of a disk or share before it is destroyed. */
export interface DiskEvidence {
  /** `vcenter.about()`: which vCenter this is. */
  readonly vcenter: Answer<{ readonly instanceUuid: string }>;
  /** What CNS shows of the volume, or that it shows nothing. */
  readonly volume: Answer<Pick<CnsVolume, 'name' | 'containerClusterIds' | 'entities'> | undefined>;
  /** The PersistentVolumes with the handle, and with every other handle that the disk may have. */
  readonly holders: readonly [Found<PersistentVolume>, ...Found<PersistentVolume>[]];
  readonly ground: SeenGround;
  /** What else was looked at, and must still be so when it is destroyed. */
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

/** What CNS shows of a volume, as ownership is decided by it. */
const shownOf = (volume: Pick<CnsVolume, 'name' | 'containerClusterIds' | 'entities'>) => ({
  name: volume.name,
  clusterIds: volume.containerClusterIds,
  users: (volume.entities ?? []).map(({ kind, namespace, name }) =>
    [kinds[kind], namespace ? `${namespace}/${name}` : name].join(' '),
  ),
});

/** Whose the disk is, by this evidence. Pure: the evidence itself is checked when the act is sent. */
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

/** Throws unless the disk is this cluster's. */
export const assertOwned = (act: string, volumeId: string, evidence: DiskEvidence, owner: Owner): void => {
  const ownership = ownershipOfDisk(volumeId, evidence, owner);
  if (ownership.class === 'unknown') throw actRefused(act, volumeId, ownership.why);
};
