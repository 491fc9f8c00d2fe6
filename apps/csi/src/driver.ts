import { names } from '@vdo/config/names';

/** Name of the driver: in CSIDriver, StorageClass.provisioner and PersistentVolume.spec.csi.driver. */
export const driverName = names.csiDriver;

/** Version of this program, reported by GetPluginInfo. */
export const driverVersion = '0.1.0';

/** A disk for one node, or a file share for many. */
export type VolumeKind = 'block' | 'file';

/** Values of `type` in the volume context, as the Go driver writes and reads them. */
export const volumeTypes = {
  block: 'vSphere CNS Block Volume',
  file: 'vSphere CNS File Volume',
} as const;

/** Keys of the volume context and the publish context. Those without a prefix are the Go driver's. */
export const contextKeys = {
  type: 'type',
  diskUuid: 'diskUUID',
  /** Publish context of a file share: `host:/path`. */
  accessPoint: 'Nfsv4AccessPoint',
  /** Volume context: where the disk is, for csi-provisioner to write an in-tree PersistentVolume. */
  initialPath: 'initialvolumefilepath',
  /** Volume context: `true` if nobody can have written to the volume before its first use, `false` if it is a copy. */
  blank: 'vdo.vmware.com/blank',
  /** Publish context: size of the disk by vCenter. */
  sizeBytes: 'vdo.vmware.com/size-bytes',
  /** Publish context: `true` if the disk was made empty and was never attached before. Says nothing any more once the node has used it. */
  firstUse: 'vdo.vmware.com/first-use',
} as const;
