/** Names that upstream and native drivers share, and that checks look for. */
export const driverNames = {
  csiDriver: 'csi.vsphere.vmware.com',
  inTreeProvisioner: 'kubernetes.io/vsphere-volume',
  credentialsSecret: 'vsphere-credentials',
  loginGuard: 'vsphere-login-guard',
  clusterId: 'vsphere-csi-cluster-id',
  configMap: 'vsphere-config',
  configKey: 'vsphere.conf',
  /** Of the upstream storage driver. */
  upstreamNamespace: 'vmware-system-csi',
  driverLabel: 'vdo.vmware.com/driver',
} as const;
