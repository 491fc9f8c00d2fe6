import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Value } from '@vdo/vsphere/wire/schema';
import type { CnsVolumeMetadata, VsanFileShareNetPermission } from '@vdo/vsphere/wire/types/cns';

export type Metadata = Value<typeof CnsVolumeMetadata>;

export interface Snapshot {
  readonly id: string;
  readonly description: string;
  readonly createTime: Date;
}

/** A container volume: a first-class disk or a file share. Also a vmdk that is not a volume yet, or no longer. */
export interface Volume {
  /** For a vmdk that is not a first-class disk: the ID that it will get. */
  readonly id: string;
  /** Several volumes may have the same name. */
  readonly name: string;
  readonly type: 'BLOCK' | 'FILE';
  readonly datastore: MoRef;
  readonly capacityMb: bigint;
  /** `[datastore] fcd/….vmdk`. */
  readonly path: string;
  /** Each disk has its own; attach reports it. */
  readonly diskUuid: string;
  readonly createTime: Date;
  /** It is a first-class disk. */
  readonly firstClass: boolean;
  readonly keepAfterDeleteVm: boolean;
  /** The file was deleted; vCenter lists the disk until it reconciles. */
  readonly fileGone?: boolean;
  readonly policyId: string | undefined;
  readonly metadata: Metadata | undefined;
  readonly health: string;
  /** `compliant` by default. */
  readonly compliance?: string;
  readonly attachedTo: { readonly vm: MoRef; readonly deviceKey: number } | undefined;
  readonly snapshots: readonly Snapshot[];
  /** Who may mount a file share. */
  readonly netPermissions: readonly Value<typeof VsanFileShareNetPermission>[];
}

/** All container volumes, in the order of their creation. */
export interface VolumeStore {
  get(id: string): Volume | undefined;
  list(): readonly Volume[];
  /** The volumes that queries list. */
  shown(): readonly Volume[];
  /** Hides these volumes in CNS (all by default), as while its database is being rebuilt, until the returned function is called. */
  hide(which?: (volume: Volume) => boolean): () => void;
  /** The snapshots of a volume that queries list. */
  shownSnapshots(volume: Volume): readonly Snapshot[];
  /** Hides all snapshots in queries until the returned function is called. */
  hideSnapshots(): () => void;
  put(volume: Volume): void;
  remove(id: string): void;
  /** Unregisters the volume, but keeps its disk. */
  release(id: string): void;
  /** Vmdks that are not volumes. */
  disks(): readonly Volume[];
  /** Adds such a vmdk, or changes one. */
  putDisk(disk: Volume): void;
  removeDisk(id: string): void;
}

export const createVolumeStore = (): VolumeStore => {
  const volumes = new Map<string, Volume>();
  const disks = new Map<string, Volume>();
  const hidings = new Set<{ readonly which: (volume: Volume) => boolean }>();
  let hidesSnapshots = 0;
  return {
    shownSnapshots: ({ snapshots }) => (hidesSnapshots > 0 ? [] : snapshots),
    hideSnapshots: () => {
      hidesSnapshots += 1;
      return () => {
        hidesSnapshots -= 1;
      };
    },
    shown: () => [...volumes.values()].filter((volume) => ![...hidings].some(({ which }) => which(volume))),
    hide: (which = () => true) => {
      const hiding = { which };
      hidings.add(hiding);
      return () => {
        hidings.delete(hiding);
      };
    },
    get: (id) => volumes.get(id),
    list: () => [...volumes.values()],
    put: (volume) => {
      volumes.set(volume.id, volume);
      disks.delete(volume.id);
    },
    remove: (id) => {
      volumes.delete(id);
    },
    release: (id) => {
      const volume = volumes.get(id);
      volumes.delete(id);
      if (volume) disks.set(id, volume);
    },
    disks: () => [...disks.values()],
    putDisk: (disk) => {
      disks.set(disk.id, disk);
    },
    removeDisk: (id) => {
      disks.delete(id);
    },
  };
};
