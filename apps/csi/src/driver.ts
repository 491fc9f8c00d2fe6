import { names } from '@vdo/config/names';

/** Name of the driver: in CSIDriver, StorageClass.provisioner and PersistentVolume.spec.csi.driver. */
export const driverName = names.csiDriver;

/** Version of this program, reported by GetPluginInfo. */
export const driverVersion = '0.1.0';

/** A disk for one node, or a file share for several. */
export type VolumeKind = 'block' | 'file';

/** Values of `type` in the volume context, the same as in the Go driver. */
export const volumeTypes = {
  block: 'vSphere CNS Block Volume',
  file: 'vSphere CNS File Volume',
} as const;

/** Keys of the volume context and the publish context. Keys without a prefix come from the Go driver. */
export const contextKeys = {
  type: 'type',
  diskUuid: 'diskUUID',
  /** Publish context of a file share: `host:/path`. */
  accessPoint: 'Nfsv4AccessPoint',
  /** Volume context: path of the disk, from which csi-provisioner writes an in-tree PersistentVolume. */
  initialPath: 'initialvolumefilepath',
  /** Volume context: `true` if the volume was created empty, so that it has no data before its first use; `false` if it is a copy. */
  blank: 'vdo.vmware.com/blank',
  /** Publish context: size of the disk as vCenter reports it. */
  sizeBytes: 'vdo.vmware.com/size-bytes',
  /** Publish context: `true` if the disk was created empty and was never attached before. No longer meaningful after the node has used the disk. */
  firstUse: 'vdo.vmware.com/first-use',
} as const;
