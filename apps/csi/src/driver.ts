/** Name of the driver: in CSIDriver, StorageClass.provisioner and PersistentVolume.spec.csi.driver. */
export const driverName = 'csi.vsphere.vmware.com';

/** Version of this program, reported by GetPluginInfo. */
export const driverVersion = '0.1.0';

/** Values of `type` in the volume context, as the Go driver writes and reads them. */
export const volumeTypes = {
  block: 'vSphere CNS Block Volume',
  file: 'vSphere CNS File Volume',
} as const;
