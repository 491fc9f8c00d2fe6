import type { ObjectReference } from './core.ts';
import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';

export const snapshotGroup = 'snapshot.storage.k8s.io';

export interface SnapshotError {
  readonly time?: string;
  readonly message?: string;
}

export interface VolumeSnapshot extends KubeObject {
  readonly spec: {
    readonly source: { readonly persistentVolumeClaimName?: string; readonly volumeSnapshotContentName?: string };
    readonly volumeSnapshotClassName?: string;
  };
  readonly status?: {
    readonly boundVolumeSnapshotContentName?: string;
    readonly creationTime?: string;
    readonly readyToUse?: boolean;
    /** A quantity. */
    readonly restoreSize?: string;
    readonly error?: SnapshotError;
    readonly volumeGroupSnapshotName?: string;
  };
}

export interface VolumeSnapshotContent extends KubeObject {
  readonly spec: {
    readonly driver: string;
    readonly deletionPolicy: 'Delete' | 'Retain';
    /** One of the two: a volume to take a snapshot of, or a snapshot that exists. */
    readonly source: { readonly volumeHandle?: string; readonly snapshotHandle?: string };
    readonly volumeSnapshotRef: ObjectReference;
    readonly volumeSnapshotClassName?: string;
    readonly sourceVolumeMode?: string;
  };
  readonly status?: {
    readonly snapshotHandle?: string;
    /** Nanoseconds since 1970. */
    readonly creationTime?: number;
    /** Bytes. */
    readonly restoreSize?: number;
    readonly readyToUse?: boolean;
    readonly error?: SnapshotError;
    readonly volumeGroupSnapshotHandle?: string;
  };
}

export interface VolumeSnapshotClass extends KubeObject {
  readonly driver: string;
  readonly deletionPolicy: 'Delete' | 'Retain';
  readonly parameters?: Readonly<Record<string, string>>;
}

const resource = <T extends KubeObject>(plural: string, kind: string, namespaced: boolean): Resource<T> => ({
  group: snapshotGroup,
  version: 'v1',
  plural,
  kind,
  namespaced,
});

export const volumeSnapshots = resource<VolumeSnapshot>('volumesnapshots', 'VolumeSnapshot', true);
export const volumeSnapshotContents = resource<VolumeSnapshotContent>(
  'volumesnapshotcontents',
  'VolumeSnapshotContent',
  false,
);
export const volumeSnapshotClasses = resource<VolumeSnapshotClass>(
  'volumesnapshotclasses',
  'VolumeSnapshotClass',
  false,
);
