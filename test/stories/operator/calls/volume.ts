import type { PersistentVolume } from '@vdo/kube/types/core';

/** A volume of our storage driver, as the cluster knows it. */
export const volume = (index: number): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: `pv-${index}` },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: `h-${index}` },
  },
});
