/**
 * The names that several packages share: the operator renders an object, a driver writes it, vdoctl reads it. They are persisted
 * in clusters, so a rename is a migration. Names that only one package uses stay in that package, and those of Kubernetes' own
 * kinds in packages/kube.
 */

/** Namespaces, workloads and objects. Those of the upstream manifests are kept. */
export const names = {
  /** Operator, credentials and native drivers live here. */
  namespace: 'vmware-system-vdo',
  /** Where the upstream storage driver lives: its sidecars' Leases are there, and ours hold the same ones. */
  upstreamCsiNamespace: 'vmware-system-csi',
  /** Where the parts of Kubernetes itself live, and the upstream cloud controller manager with them. */
  systemNamespace: 'kube-system',

  /** Image of every program, without registry and tag. */
  image: 'vdo/vdo',
  /** Deployment and service account; also the Lease and the field manager of the operator. */
  operator: 'vdo-operator',
  /** ServiceAccount, ClusterRole and binding of those who may read /metrics of the programs, and nothing else. */
  metricsReader: 'vdo-metrics-reader',
  /** ClusterRole that lets it read where volumes lie. */
  inventoryReader: 'vdo-inventory-reader',
  /** Secret with a certificate for their metrics, of type kubernetes.io/tls; each makes its own without it. */
  metricsTlsSecret: 'vdo-metrics-tls',
  cpi: 'vsphere-cloud-controller-manager',
  csiController: 'vsphere-csi-controller',
  csiNode: 'vsphere-csi-node',
  snapshotController: 'snapshot-controller',
  /** Deployment and service account of the pod that tries whether images can be pulled. */
  imageProbe: 'vdo-image-probe',
  /** Deployment of the operator that this one succeeds. */
  upstreamOperator: 'vdo-controller-manager',
  /** What Kubernetes calls a program like our CPI: in component labels, service accounts and the Lease. */
  cloudControllerManager: 'cloud-controller-manager',

  /** ConfigMap that both native drivers read. */
  configMap: 'vsphere-config',
  configKey: 'vsphere.conf',
  configFolder: '/etc/cloud',
  credentialsSecret: 'vsphere-credentials',
  /** The same for a native driver with a separate account. */
  cpiConfigMap: 'vsphere-config-cpi',
  cpiCredentials: 'vsphere-credentials-cpi',
  csiConfigMap: 'vsphere-config-csi',
  csiCredentials: 'vsphere-credentials-csi',
  /** Where the programs store what must survive a restart: logins that vCenter rejected, nodes that were deleted. */
  loginGuard: 'vsphere-login-guard',
  /** ConfigMap with the ID under which volumes are registered, with the name that the upstream driver uses. */
  csiClusterId: 'vsphere-csi-cluster-id',
  csiClusterIdKey: 'clusterID',
  /** ConfigMap with the results of full syncs of the storage driver. */
  csiSyncReport: 'vsphere-csi-sync',
  /** A key in it: whether another cluster was seen with the same ID. */
  csiHeartbeatKey: 'clusterHeartbeat',
  /** ConfigMap with the releases that the operator tried. */
  releaseHistory: 'vdo-releases',
  /** ConfigMap with what the operator has applied, including the UIDs. */
  inventory: 'vdo-inventory',
  /** The same for the pod network, which remains when the drivers are removed. */
  cniInventory: 'vdo-cni-inventory',
  /** ConfigMap with the last good matrix. */
  keptMatrix: 'vdo-matrix',
  /** ConfigMap with the last readable spec, which the drivers use. */
  keptSpec: 'vdo-spec',

  /** In CSIDriver, StorageClass.provisioner and PersistentVolume.spec.csi.driver. */
  csiDriver: 'csi.vsphere.vmware.com',
  /** The volume plugin that was part of Kubernetes; the CSI driver serves its volumes now. */
  inTreeProvisioner: 'kubernetes.io/vsphere-volume',
  /** Of node.spec.providerID. */
  providerIdPrefix: 'vsphere://',
} as const;

/** Configuration of the upstream drivers that ours do not use. */
export const upstreamNames = {
  /** With the accounts of the cloud controller manager. */
  cpiSecret: 'vsphere-cloud-secret',
  csiConfigSecret: 'vsphere-config-secret',
  csiConfigKey: 'csi-vsphere.conf',
} as const;

/** Groups of the APIs that are installed with the drivers. */
export const apiGroups = {
  vdo: 'vdo.vmware.com',
  /** Objects in which the upstream storage driver stores its state. */
  cns: 'cns.vmware.com',
} as const;

/** Of our custom resources. */
export const vdoApiVersion = `${apiGroups.vdo}/v1beta1`;

/** Leases. Each loop holds the same one as its upstream counterpart, so that ours and theirs never both act. */
export const leaseNames = {
  cpi: names.cloudControllerManager,
  provisioner: 'csi-vsphere-vmware-com',
  attacher: 'external-attacher-leader-csi-vsphere-vmware-com',
  resizer: 'external-resizer-csi-vsphere-vmware-com',
  snapshotter: 'external-snapshotter-leader-csi-vsphere-vmware-com',
  syncer: 'vsphere-syncer',
  snapshotController: 'snapshot-controller-leader',
} as const;

/** The names of our programs in the events they record: `source.component` and `reportingComponent`. */
export const eventComponents = {
  operator: names.operator,
  /** Like the controller of the upstream cloud provider. */
  cpi: 'cloud-node-controller',
  /** Like the upstream syncer. */
  csi: names.csiDriver,
  snapshotController: names.snapshotController,
} as const;

/** DaemonSets that identify a pod network. */
export const cniDaemonSets = {
  antrea: 'antrea-agent',
  calico: 'calico-node',
  cilium: 'cilium',
  flannel: 'kube-flannel-ds',
  ovnKubernetes: 'ovnkube-node',
  ncp: 'nsx-node-agent',
} as const;

/** The Service that every cluster has for its API server. */
export const apiServerService = { namespace: 'default', name: 'kubernetes' } as const;

/** The Service of the cluster's DNS: of Kubernetes, and of OpenShift. */
export const dnsServiceNames = {
  kubernetes: 'kube-dns',
  openShift: 'dns-default',
} as const;

export const labelKeys = {
  partOf: 'app.kubernetes.io/part-of',
  version: 'app.kubernetes.io/version',
  /** `cpi` or `csi`, on every object of a driver that the operator created. */
  driver: 'vdo.vmware.com/driver',
  /** `native` or `upstream`. */
  distribution: 'vdo.vmware.com/distribution',
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  /** Label and taint of nodes that run the control plane. */
  controlPlane: 'node-role.kubernetes.io/control-plane',
} as const;

/** Tag category by which a datastore is preferred in the topology segments that bear the name of the tag. The Go driver's name. */
export const preferredDatastoresCategory = 'cns.vmware.topology-preferred-datastores';

/** Prefix of a tag category: the node label for a tag of that category. */
export const topologyLabelPrefix = 'topology.csi.vmware.com/';

export const taintKeys = {
  /** The kubelet sets it with `--cloud-provider=external`; the cloud provider removes it when it has initialized the node. */
  uninitialized: 'node.cloudprovider.kubernetes.io/uninitialized',
  notReady: 'node.kubernetes.io/not-ready',
} as const;

export const annotationKeys = {
  /** On a CRD of ours: the hash of its schema. */
  definition: 'vdo.vmware.com/definition',
  /** On the resource: a new value makes the operator run all checks at once. */
  runChecks: 'vdo.vmware.com/run-checks',
  /** On the resource, with the value `true`: drivers that another tool manages are taken over. */
  adopt: 'vdo.vmware.com/adopt',
  /** On the resource, with any value: volumes may lose their driver or their vCenter. */
  allowRemoval: 'vdo.vmware.com/allow-removal',
  /** On a claim: the node for which the scheduler wants the volume. */
  selectedNode: 'volume.kubernetes.io/selected-node',
  /** On a volume of an in-tree plugin: the CSI driver that serves it now. */
  migratedTo: 'pv.kubernetes.io/migrated-to',
  /** On a PersistentVolume: the instanceUuid of the vCenter that has its disk. */
  vcenterInstance: 'vdo.vmware.com/vcenter-instance',
  /** On a PersistentVolume: the last attempt to delete its disk. */
  deletionAttempt: 'vdo.vmware.com/deletion-attempt',
  /** On a VolumeAttachment: the last attempt to detach its disk. */
  detachAttempt: 'vdo.vmware.com/detach-attempt',
  defaultStorageClass: 'storageclass.kubernetes.io/is-default-class',
  /** On a VolumeAttachment: what is attached, for a PersistentVolume that is gone when it is to be detached. */
  volumeHandle: 'vdo.vmware.com/volume-handle',
  /** On a PersistentVolume: the uid of the VolumeAttachment with which its disk was attached for the first time. */
  firstAttachment: 'vdo.vmware.com/first-attachment',
  /** On a Lease: the term after which its holder left nothing under way. Counts only as long as nobody has held it since. */
  settledTerm: 'vdo.vmware.com/settled-term',
  /** On a VolumeAttachment: the addresses that were let into the file share for it. */
  shareAddresses: 'vdo.vmware.com/share-addresses',
  /** On a VolumeAttachment: what its Node named as its addresses when the file share had let in exactly those of the node. */
  shareAddressesOf: 'vdo.vmware.com/share-addresses-of',
  /** On a VolumeAttachment: the task of vCenter that attaches its disk, and when vCenter accepted it, if that takes longer. For people. */
  attachTask: 'vdo.vmware.com/attach-task',
} as const;

export const finalizers = {
  /** On the resource, while drivers of it run. */
  drivers: 'vdo.vmware.com/drivers',
} as const;

/** Keys of StorageClass parameters that Kubernetes and its sidecars give a meaning to. */
export const parameterKeys = {
  prefix: 'csi.storage.k8s.io/',
  fileSystem: 'csi.storage.k8s.io/fstype',
} as const;
