import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';

const storage = <T extends KubeObject>(plural: string, kind: string, namespaced = false): Resource<T> => ({
  group: 'storage.k8s.io',
  version: 'v1',
  plural,
  kind,
  namespaced,
});

export interface StorageClass extends KubeObject {
  readonly provisioner: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: 'Delete' | 'Retain';
  readonly volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer';
  readonly allowVolumeExpansion?: boolean;
  readonly mountOptions?: readonly string[];
  readonly allowedTopologies?: readonly {
    readonly matchLabelExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
  }[];
}

export interface CsiDriver extends KubeObject {
  readonly spec: {
    readonly attachRequired?: boolean;
    readonly podInfoOnMount?: boolean;
    readonly fsGroupPolicy?: string;
    readonly volumeLifecycleModes?: readonly string[];
    readonly storageCapacity?: boolean;
    readonly seLinuxMount?: boolean;
  };
}

export interface CsiNodeDriver {
  readonly name: string;
  readonly nodeID: string;
  readonly topologyKeys?: readonly string[];
  readonly allocatable?: { readonly count?: number };
}

export interface CsiNode extends KubeObject {
  /** A server writes an empty list as null. */
  readonly spec: { readonly drivers: readonly CsiNodeDriver[] | null };
}

/** On a VolumeAttachment: the ID of the node for which it was started, in case the node is deleted or another machine gets its name. */
export const nodeIdAnnotation = 'csi.alpha.kubernetes.io/node-id';

export interface VolumeAttachment extends KubeObject {
  readonly spec: {
    readonly attacher: string;
    readonly nodeName: string;
    readonly source: { readonly persistentVolumeName?: string };
  };
  readonly status?: {
    readonly attached: boolean;
    readonly attachmentMetadata?: Readonly<Record<string, string>>;
    readonly attachError?: { readonly time?: string; readonly message?: string };
    readonly detachError?: { readonly time?: string; readonly message?: string };
  };
}

/** The parameters that can be changed in existing volumes. */
export interface VolumeAttributesClass extends KubeObject {
  readonly driverName: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The free space in one topology segment, for the scheduler. */
export interface CsiStorageCapacity extends KubeObject {
  readonly storageClassName: string;
  readonly nodeTopology?: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly capacity?: string;
  readonly maximumVolumeSize?: string;
}

export const storageClasses = storage<StorageClass>('storageclasses', 'StorageClass');
export const csiDrivers = storage<CsiDriver>('csidrivers', 'CSIDriver');
export const csiNodes = storage<CsiNode>('csinodes', 'CSINode');
export const volumeAttachments = storage<VolumeAttachment>('volumeattachments', 'VolumeAttachment');
export const volumeAttributesClasses = storage<VolumeAttributesClass>(
  'volumeattributesclasses',
  'VolumeAttributesClass',
);
export const csiStorageCapacities = storage<CsiStorageCapacity>('csistoragecapacities', 'CSIStorageCapacity', true);
