export interface CheckReason {
  /** IDs of the checks that give the reason. */
  readonly checks: readonly string[];
  /** One sentence. */
  readonly meaning: string;
  /** Where the remedy of the check does not fit this reason. */
  readonly remedy?: string;
  readonly commands?: readonly string[];
}

const by = (check: string, meaning: string): CheckReason => ({ checks: [check], meaning });

const privilegeChecks = ['root', 'node-vms', 'datastores', 'file-services'].map((name) => `privileges/${name}`);

/** Reasons of checks. Reasons that are error codes are explained as such. */
export const checkReasons: Readonly<Record<string, CheckReason>> = {
  ClusterDnsFails: by('cluster/dns-resolves-vcenter', 'The cluster DNS does not resolve the name of a vCenter.'),
  CniNotReady: by('cluster/cni-ready', 'The pod network of a node is not ready.'),
  PodSecurityForbids: by('cluster/admission-allows', 'Pod security admission rejects the pods of the drivers.'),
  AdmissionForbids: by('cluster/admission-allows', 'The API server rejects the pods of the drivers.'),
  AccountLockoutNear: by('credentials/lockout-risk', 'So many logins were rejected that vCenter may lock the account.'),
  RotationPending: by(
    'credentials/rotation-pending',
    'The Secret was changed, but the drivers still use the old account.',
  ),
  TrailingLineBreak: {
    checks: ['credentials/secret-keys'],
    meaning: 'A value in the Secret ends with a line break.',
    remedy: 'Write the value with printf or echo -n, not echo. To remove the line break from the Secret:',
    commands: ['vdoctl doctor --fix --only credentials'],
  },
  UserNameWithoutDomain: by('credentials/username-domain', 'The user name in the Secret has no domain.'),
  NotRegistered: by('csi/node-registered', 'The storage driver is not registered with the kubelet of a node.'),
  SnapshotCrdTooOld: by('csi/snapshot-crds', 'A CRD of volume snapshots is too old.'),
  SnapshotCrdMissing: by('csi/snapshot-crds', 'A CRD of volume snapshots is not installed.'),
  TopologyKeysMissing: by('csi/topology-keys', 'The storage driver registered a node without its topology keys.'),
  ForeignManager: by('csi/foreign-manager', 'Another tool also manages the drivers.'),
  NodeNotReady: by('csi/workloads-ready', 'A pod of a driver is not ready because its node is not Ready.'),
  Starting: by('csi/workloads-ready', 'Pods of a driver are starting.'),
  NodeIpNotOnVm: by('node/addresses', 'The internal address of a node does not belong to its VM.'),
  HostTooOld: by('node/esxi-version', 'A node VM runs on an ESXi host that is too old for the drivers.'),
  UuidDuplicate: by('node/uuid-duplicate', 'Two VMs have the same BIOS UUID.'),
  UuidMismatch: by('node/uuid-match', 'A node reports another BIOS UUID than the VM with its name.'),
  VmOutsideDatacenters: by('node/vm-moved', 'A node VM is in a datacenter that is not configured.'),
  ProviderIdMismatch: by('node/provider-id', 'The provider ID of a Node refers to another VM.'),
  ProviderIdMissing: by('node/provider-id', 'A Node has no provider ID.'),
  UninitializedTaintStuck: by('node/taint-stuck', 'A Node still has the taint uninitialized, so it runs no pods.'),
  ConsolidationNeeded: {
    checks: ['node/vm-snapshot'],
    meaning: 'A snapshot of a node VM was not removed completely.',
    remedy: 'Consolidate the disks in the vSphere Client: select the VM, Snapshots, Consolidate.',
    commands: ['vdoctl doctor --only node/vm-snapshot'],
  },
  DiskUuidDisabled: by('node/disk-enable-uuid', 'disk.EnableUUID of a node VM is not TRUE.'),
  FewDiskSlots: by('node/disk-slots', 'Few disks can still be attached to a node VM.'),
  HardwareTooOld: by('node/hardware-version', 'The hardware version of a node VM is too old.'),
  NoDiskSlots: by('node/disk-slots', 'No more disks can be attached to a node VM.'),
  NoParavirtualController: by('node/disk-slots', 'A node VM has no paravirtual SCSI controller.'),
  ToolsNotRunning: by('node/tools-running', 'VMware Tools are not running in a node VM.'),
  VmHasSnapshot: by('node/vm-snapshot', 'A node VM has a snapshot, so volumes cannot be detached from it.'),
  AncestorHidden: by('privileges/ancestors-readable', 'The account cannot read an object above a node VM.'),
  ExcessPrivilege: by('privileges/excess-privilege', 'The account has privileges that the drivers do not need.'),
  PrivilegeMissing: {
    checks: privilegeChecks,
    meaning: 'The account lacks a privilege. The message names it and the object.',
    remedy: 'Create and assign all roles that the drivers need, with an administrator account:',
    commands: ['vdoctl vsphere user apply ACCOUNT --user ADMINISTRATOR'],
  },
  InTreeVolumesLeft: by(
    'storage/in-tree-volumes-left',
    'PersistentVolumes still belong to the removed in-tree provider.',
  ),
  AttachStuck: by('storage/attach-stuck', 'A volume has waited for more than six minutes to be attached.'),
  DetachStuck: by('storage/attach-stuck', 'A volume has waited for more than six minutes to be detached.'),
  ClassMissing: {
    checks: ['storage/storage-classes'],
    meaning: 'A StorageClass in spec.csi.storageClasses does not exist.',
    remedy: 'The operator creates it in its next pass. If it does not, its log shows why.',
    commands: ['vdoctl logs operator --since 10m'],
  },
  DatastoreUnknown: {
    checks: ['storage/storage-classes'],
    meaning: 'A StorageClass names a datastore that no host of a node mounts.',
    remedy:
      'Correct datastoreurl in a new version of the class, or mount the datastore on the hosts of the nodes. `govc datastore.info` shows the URL of each datastore.',
    commands: ['vdoctl doctor --only storage/storage-classes'],
  },
  SeveralDefaultClasses: {
    checks: ['storage/storage-classes'],
    meaning: 'Several StorageClasses are marked as default; Kubernetes uses the newest.',
    remedy: 'Keep only one default: remove the annotation from the other classes.',
    commands: ['kubectl annotate sc NAME storageclass.kubernetes.io/is-default-class-'],
  },
  UnknownParameter: by(
    'storage/storage-classes',
    'A StorageClass has a parameter that the storage driver does not know.',
  ),
  DatastoreAlmostFull: by('storage/free-space', 'A datastore has less than 10 % free space.'),
  DatastoreFull: by('storage/free-space', 'A datastore has almost no free space.'),
  DatastoreInMaintenance: by('storage/datastore-accessible', 'A datastore is in maintenance mode.'),
  DatastoreInaccessible: by('storage/datastore-accessible', 'A datastore is not accessible.'),
  NoSharedDatastore: by('storage/datastore-shared', 'The hosts of the nodes share no datastore.'),
  PolicyMissing: by('storage/policy-exists', 'A StorageClass uses a storage policy that does not exist.'),
  PolicyWithoutDatastore: by(
    'storage/policy-compatible',
    'No datastore that the nodes share satisfies a storage policy.',
  ),
  ClusterIdChanged: {
    checks: ['storage/cluster-id-unique'],
    meaning: 'spec.csi.clusterId is not the ID under which the volumes are registered.',
    remedy:
      'Set spec.csi.clusterId back to the ID under which the volumes are registered: the check shows the command.',
    commands: ['vdoctl doctor --only storage/cluster-id-unique'],
  },
  ClusterIdIsServer: {
    checks: ['storage/cluster-id-unique'],
    meaning: 'The cluster ID is the name of the vCenter, as upstream VDO set it.',
    remedy:
      'No action is needed if this is the only cluster of that vCenter. Otherwise give every other cluster its own ID: docs/guides/disaster-recovery.md.',
    commands: ['vdoctl doctor --only storage/cluster-id-unique'],
  },
  ClusterIdShared: by('storage/cluster-id-unique', 'Another cluster uses the same cluster ID.'),
  OrphanVolumes: by('storage/orphan-volumes', 'Volumes of this cluster have no PersistentVolume.'),
  VolumeInaccessible: by('storage/volume-health', 'A volume is not accessible.'),
  VolumeDegraded: by(
    'storage/volume-health',
    'A volume is degraded: its data has less redundancy than its policy requires.',
  ),
  CategoryMissing: by('topology/categories-exist', 'A vCenter lacks a tag category that spec.topology uses.'),
  LabelsDiffer: by('topology/labels-match', 'The topology labels of a Node differ from the tags above its VM.'),
  LabelsMissing: {
    checks: ['topology/labels-match'],
    meaning: 'A Node lacks the topology labels for the tags above its VM.',
    remedy:
      'The cloud controller manager sets them on nodes that it initializes. The check shows the command that sets them on this node.',
    commands: ['vdoctl doctor --only topology/labels-match'],
  },
  TagAmbiguous: by(
    'topology/tags-in-ancestry',
    'A node VM has several tags of one category above it; one is expected.',
  ),
  TagMissing: by('topology/tags-in-ancestry', 'No object above a node VM has a tag of a topology category.'),
  CertificateExpired: by('vcenter/cert-expiry', 'The certificate of a vCenter has expired.'),
  CertificateExpiresSoon: by('vcenter/cert-expiry', 'The certificate of a vCenter expires within 30 days.'),
  CertificateNotVerified: by(
    'vcenter/insecure-mode',
    'tls.insecure is set: the certificate of a vCenter is not verified.',
  ),
  ClockSkew: by('vcenter/clock-skew', 'The clocks of a vCenter and of the operator differ too much.'),
  VCenterSlow: by('vcenter/latency', 'A vCenter answers slowly.'),
  ReplyUnreadable: by('vcenter/readable-replies', 'Values in replies of a vCenter cannot be read and are ignored.'),
  VCenterUntried: by(
    'vcenter/version-in-matrix',
    'The version that the vCenter reports is older than the drivers support, but is used.',
  ),
  SessionLeak: by('vcenter/session-leak', 'The account has too many sessions in a vCenter.'),
  VCenterVersionUnsupported: by(
    'vcenter/version-in-matrix',
    'The selected drivers do not support the version of a vCenter.',
  ),
  KubeletSkew: by('versions/kubelet-skew', 'The version of a kubelet does not fit that of the API server.'),
  KubernetesTooNew: {
    checks: ['versions/cpi-skew', 'versions/csi-range'],
    meaning: 'A driver does not support the Kubernetes version of the cluster yet.',
    remedy:
      'Upgrade the driver: a newer compatibility matrix may list a release that supports this Kubernetes version.',
    commands: ['vdoctl upgrade --dry-run'],
  },
  KubernetesTooOld: {
    checks: ['versions/cpi-skew', 'versions/csi-range'],
    meaning: 'A driver no longer supports the Kubernetes version of the cluster.',
    remedy: 'Upgrade Kubernetes, or set an older release of the driver in spec.updates.versions.',
    commands: ['vdoctl upgrade --dry-run -o wide'],
  },
  MatrixExpired: by('versions/matrix-age', 'The compatibility matrix has expired.'),
  VCenterFeatureMissing: by('vcenter/features', 'The spec uses a feature that a vCenter does not have.'),
  MatrixExpires: by('versions/matrix-age', 'The compatibility matrix expires within 30 days.'),
  MatrixStale: by('versions/matrix-age', 'The compatibility matrix is old, so newer releases are unknown.'),
  // Of the kubelet.
  ErrImagePull: by('versions/image-pull', 'A node could not pull an image.'),
  ImagePullBackOff: by(
    'versions/image-pull',
    'A node could not pull an image several times and waits before it tries again.',
  ),
  InvalidImageName: by('versions/image-pull', 'The name of an image is not valid.'),
  ErrImageNeverPull: by('versions/image-pull', 'An image is not on the node, and its pull policy is Never.'),
  RegistryUnavailable: by('versions/image-pull', 'A registry does not answer.'),
};
