import type { CnsSnapshot } from '@vdo/vsphere/cns/cns-types';
import type { Volume } from '../../volumes/volume.ts';
import { formatSnapshotId } from '../../volumes/volume-id.ts';

/** A volume of this cluster without a PersistentVolume. */
export interface OrphanVolume {
  readonly id: string;
  readonly server: string;
  readonly name: string;
  readonly sizeMb: number;
  readonly datastoreUrl: string;
  /** The PersistentVolumes that vCenter lists for it and that this cluster does not have: perhaps another cluster has the same ID. */
  readonly shownFor?: readonly string[];
}

/** A snapshot of one of this cluster's volumes without a VolumeSnapshotContent. */
export interface OrphanSnapshot {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

export interface OrphanQuestion {
  /** Volumes of this cluster in vCenter without a PersistentVolume. */
  readonly volumes: readonly Volume[];
  /** The PersistentVolumes with this cluster ID that vCenter lists for a volume. */
  readonly shownFor: (volumeId: string) => readonly string[];
  /** Whether vCenter has a volume of this cluster with this ID. */
  readonly isOwn: (volumeId: string) => boolean;
  readonly snapshots: readonly CnsSnapshot[];
  readonly hasSnapshot: (id: string) => boolean;
  /** Names of volumes and snapshots that are being created. */
  readonly underWay: ReadonlySet<string>;
}

export interface Orphans {
  readonly volumes: readonly OrphanVolume[];
  readonly snapshots: readonly OrphanSnapshot[];
}

/** Volumes and snapshots of this cluster in vCenter that Kubernetes does not know. They are only reported: people decide what to do. */
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
