/** Names that the operator, the drivers and people rely on. Those of the upstream manifests are kept. */
export const names = {
  /** Operator, credentials and native drivers live here. */
  namespace: 'vmware-system-vdo',
  operator: 'vdo-operator',
  /** Where the upstream storage driver lives: its sidecars' Leases are there, and ours hold the same ones. */
  csiLeaseNamespace: 'vmware-system-csi',
  cpiLeaseNamespace: 'kube-system',
  cpiLease: 'cloud-controller-manager',
  configMap: 'vsphere-config',
  configKey: 'vsphere.conf',
  configFolder: '/etc/cloud',
  credentialsSecret: 'vsphere-credentials',
  /** Where the programs remember what must outlive a restart: logins that vCenter rejected, nodes that were deleted. */
  loginGuard: 'vsphere-login-guard',
  cpi: 'vsphere-cloud-controller-manager',
  csiController: 'vsphere-csi-controller',
  csiNode: 'vsphere-csi-node',
  csiDriver: 'csi.vsphere.vmware.com',
  /** ConfigMap with the id under which volumes are registered, as the upstream driver names it. */
  csiClusterId: 'vsphere-csi-cluster-id',
  /** ConfigMap with what full syncs of the storage driver found. */
  csiSyncReport: 'vsphere-csi-sync',
  snapshotController: 'snapshot-controller',
  snapshotControllerLease: 'snapshot-controller-leader',
} as const;

/** Names of the upstream manifests that ours do not share. */
export const upstreamNames = {
  cpiAccount: 'cloud-controller-manager',
  cpiRole: 'system:cloud-controller-manager',
  cpiReaderBinding: 'servicecatalog.k8s.io:apiserver-authentication-reader',
  cpiConfig: 'vsphere-cloud-config',
  cpiSecret: 'vsphere-cloud-secret',
  csiConfigSecret: 'vsphere-config-secret',
  csiConfigKey: 'csi-vsphere.conf',
  csiFeatures: 'internal-feature-states.csi.vsphere.vmware.com',
  csiControllerRole: 'vsphere-csi-controller-role',
  csiControllerBinding: 'vsphere-csi-controller-binding',
  csiNodeRole: 'vsphere-csi-node-cluster-role',
  csiNodeBinding: 'vsphere-csi-node-cluster-role-binding',
  csiNodeLocalRole: 'vsphere-csi-node-role',
  csiNodeLocalBinding: 'vsphere-csi-node-binding',
} as const;

/** Leases that the upstream sidecars hold, one per loop. */
export const csiLeases = [
  'csi-vsphere-vmware-com',
  'external-attacher-leader-csi-vsphere-vmware-com',
  'external-resizer-csi-vsphere-vmware-com',
  'external-snapshotter-leader-csi-vsphere-vmware-com',
  'vsphere-syncer',
] as const;

/** The layouts this package renders. */
export const knownLayouts: readonly string[] = ['native-cpi-1', 'native-csi-1', 'upstream-cpi-1', 'upstream-csi-1'];
