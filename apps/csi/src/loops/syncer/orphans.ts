import type { CnsSnapshot } from '@vdo/vsphere/cns/cns-types';
import type { Volume } from '../../volumes/volume.ts';
import { formatSnapshotId } from '../../volumes/volume-id.ts';

/** A volume of this cluster that no PersistentVolume has. */
export interface OrphanVolume {
  readonly id: string;
  readonly server: string;
  readonly name: string;
  readonly sizeMb: number;
  readonly datastoreUrl: string;
  /** The PersistentVolumes that vCenter shows for it, which are not here: perhaps another cluster has the same id. */
  readonly shownFor?: readonly string[];
}

/** A snapshot of one of this cluster's volumes that no VolumeSnapshotContent has. */
export interface OrphanSnapshot {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

export interface OrphanQuestion {
  /** What vCenter has of this cluster and no PersistentVolume has. */
  readonly volumes: readonly Volume[];
  /** The PersistentVolumes of this cluster id that vCenter shows for a volume. */
  readonly shownFor: (volumeId: string) => readonly string[];
  /** Whether vCenter has the volume of this id as one of this cluster. */
  readonly isOwn: (volumeId: string) => boolean;
  readonly snapshots: readonly CnsSnapshot[];
  readonly hasSnapshot: (id: string) => boolean;
  /** Names of volumes and snapshots that are being made. */
  readonly underWay: ReadonlySet<string>;
}

export interface Orphans {
  readonly volumes: readonly OrphanVolume[];
  readonly snapshots: readonly OrphanSnapshot[];
}

/** What vCenter has of this cluster and Kubernetes does not know. Nothing is concluded from it: people decide. */
export const findOrphans = (question: OrphanQuestion): Orphans => {
  const { isOwn, hasSnapshot, underWay, shownFor } = question;
  return {
    volumes: question.volumes
      .filter(({ name }) => !underWay.has(name))
      .map(({ id, server, name, sizeMb, datastoreUrl }) => ({
        id,
        server,
        name,
        sizeMb: Number(sizeMb),
        datastoreUrl,
        ...(shownFor(id).length > 0 ? { shownFor: shownFor(id) } : {}),
      })),
    snapshots: question.snapshots
      .filter(({ volumeId }) => isOwn(volumeId))
      .map((snapshot) => ({ snapshot, id: formatSnapshotId({ volumeId: snapshot.volumeId, snapshotId: snapshot.id }) }))
      .filter(({ id, snapshot }) => !hasSnapshot(id) && !underWay.has(`snapshot:${snapshot.description}`))
      .map(({ id, snapshot }) => ({ id, name: snapshot.description, createdAt: snapshot.createTime.toISOString() })),
  };
};
