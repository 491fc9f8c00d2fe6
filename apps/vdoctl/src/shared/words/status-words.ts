import type { HealthWord } from '@vdo/config/api/health';
import type { ConditionType } from '@vdo/config/api/vsphere-drivers-status';

interface Word {
  readonly meaning: string;
  readonly remedy: string;
  readonly commands?: readonly string[];
}

const fine = 'No action needed.';
const wait = 'Wait. The status is updated automatically.';
const inStatus = ['vdoctl status'];

/** The health in `vdoctl status`, worst first. */
export const healthWordMeanings: Readonly<Record<HealthWord, Word>> = {
  ActionRequired: {
    meaning: 'The operator needs your help to continue: the condition Stalled is True. Running drivers keep running.',
    remedy: 'Follow the message in the first lines of the status.',
    commands: inStatus,
  },
  Unavailable: {
    meaning: 'A driver is not available: volumes cannot be created or attached, or nodes are not initialized.',
    remedy: 'Check which pods are not ready, and why. The check csi/workloads-ready covers the pods of both drivers.',
    commands: ['vdoctl doctor --only csi/workloads-ready,node', 'vdoctl events'],
  },
  Degraded: {
    meaning: 'The drivers run, but something that they need is not working, or a health check fails.',
    remedy: 'Each failing check is listed with its remedy.',
    commands: ['vdoctl status', 'vdoctl doctor'],
  },
  Progressing: {
    meaning: 'A release is being installed or rolled out, and its deadline has not passed.',
    remedy: wait,
    commands: ['vdoctl status --watch'],
  },
  Attention: {
    meaning: 'No check fails, but some give a warning or could not run.',
    remedy: 'Read the warnings: these settings work now but will cause problems later.',
    commands: inStatus,
  },
  Healthy: { meaning: 'The drivers run as specified, and no check fails or gives a warning.', remedy: fine },
  Removing: {
    meaning: 'The VSphereDrivers resource is being deleted, and the drivers with it.',
    remedy: 'If this takes long, the message shows what blocks it, such as volumes that still exist.',
    commands: inStatus,
  },
  Absent: {
    meaning: 'The cluster has no VSphereDrivers resource.',
    remedy: 'Install the operator, then create the resource.',
    commands: ['vdoctl install', 'vdoctl configure'],
  },
};

export const conditionMeanings: Readonly<Record<ConditionType, Word>> = {
  Ready: {
    meaning: 'True while the drivers run as specified and are available. GitOps tools wait for this condition.',
    remedy: 'If it is False, the message shows what is missing.',
    commands: ['vdoctl status -o wide'],
  },
  Available: {
    meaning: 'True while every driver is available. It stays True during a normal upgrade.',
    remedy:
      'If it is False, pods of a driver are not ready. The check csi/workloads-ready covers the pods of both drivers.',
    commands: ['vdoctl doctor --only csi/workloads-ready,node', 'vdoctl events'],
  },
  Progressing: {
    meaning: 'True while a release is being installed or rolled out.',
    remedy: wait,
    commands: ['vdoctl status --watch'],
  },
  Degraded: {
    meaning: 'True while something that the drivers need is not working, or a health check fails.',
    remedy: 'The message shows the worst failing check and its remedy.',
    commands: ['vdoctl status'],
  },
  Upgradeable: {
    meaning: 'True if there is no known blocker for an upgrade to another minor release.',
    remedy: 'If it is False, fix the problem in the message before you upgrade.',
    commands: ['vdoctl upgrade --dry-run'],
  },
  Stalled: {
    meaning: 'True while the operator needs your help to continue, for example because a password is wrong.',
    remedy: 'Follow its message.',
    commands: inStatus,
  },
  VCenterReachable: {
    meaning: 'True while every vCenter answers over a trusted connection.',
    remedy: 'If it is False, check name, port, certificate and network.',
    commands: ['vdoctl doctor --only vcenter'],
  },
  CredentialsValid: {
    meaning: 'True while every vCenter accepts the account of its Secret.',
    remedy:
      'Correct the Secret: the operator tries it at once. If you corrected the password only in vCenter, the operator tries again after 15 minutes, so that the account is not locked.',
    commands: ['vdoctl doctor --only credentials'],
  },
  PrivilegesSufficient: {
    meaning: 'True while the account has every privilege that the drivers need.',
    remedy: 'If it is False, grant what is missing.',
    commands: ['vdoctl doctor --only privileges'],
  },
  NodesInitialized: {
    meaning: 'True when the cloud controller manager has found the VM of every node.',
    remedy: 'If it is False, check which node has no VM.',
    commands: ['vdoctl nodes'],
  },
  StorageReady: {
    meaning: 'True while volumes can be created, attached and mounted.',
    remedy: 'If it is False, check the pods of the storage driver.',
    commands: ['vdoctl doctor --only csi,storage'],
  },
};

/** Reasons of conditions and events that are neither error codes nor reasons of checks. */
export const reasonMeanings: Readonly<Record<string, Word>> = {
  AsExpected: { meaning: 'Everything is as expected.', remedy: fine },
  NotApplicable: {
    meaning: 'The check does not apply to this cluster, for example because spec.csi is absent.',
    remedy: fine,
  },
  DependsOnFailure: {
    meaning: 'The check could not run because of another problem.',
    remedy: 'Fix the failing check; this check then runs again.',
    commands: inStatus,
  },
  PlatformManaged: {
    meaning: 'The platform, such as OpenShift, manages this driver; the operator does not change it.',
    remedy: fine,
  },
  NotManaged: { meaning: 'The spec does not ask for this driver.', remedy: fine },
  NotChecked: { meaning: 'The checks have not run yet.', remedy: wait },
  DriversRunning: { meaning: 'Every driver is available.', remedy: fine },
  DriverReady: { meaning: 'The storage driver is ready.', remedy: fine },
  AllReady: { meaning: 'Every driver runs as specified.', remedy: fine },
  UpToDate: { meaning: 'Nothing is being rolled out.', remedy: fine },
  DriftRepaired: {
    meaning: 'Somebody else changed or deleted an object of the drivers, and the operator restored it.',
    remedy:
      'The event shows the object, the fields and who changed them. To change something permanently, change the spec of VSphereDrivers.',
    commands: ['vdoctl events'],
  },
  RollingOut: {
    meaning: 'Pods of a driver are being replaced, or are not ready yet.',
    remedy: wait,
    commands: ['vdoctl status --watch'],
  },
  Initializing: { meaning: 'Nodes wait for the cloud controller manager.', remedy: wait, commands: ['vdoctl nodes'] },
  AllInitialized: { meaning: 'Every node is initialized.', remedy: fine },
  Reachable: { meaning: 'Every vCenter answers.', remedy: fine },
  LoginSucceeded: { meaning: 'Every vCenter accepts its account.', remedy: fine },
  Installing: { meaning: 'The drivers are being installed.', remedy: wait },
  Installed: { meaning: 'A driver was installed.', remedy: fine },
  NotInstalled: {
    meaning: 'A driver that the spec asks for is not installed yet.',
    remedy: 'See the conditions Progressing and Stalled.',
    commands: ['vdoctl status'],
  },
  Upgrading: {
    meaning: 'A driver is being upgraded. Reason of the condition Progressing while this lasts.',
    remedy: wait,
    commands: ['vdoctl status --watch'],
  },
  UpgradeStarted: {
    meaning: 'The upgrade of a driver has begun. Reason of an event.',
    remedy: wait,
    commands: ['vdoctl status --watch'],
  },
  UpgradeCompleted: { meaning: 'An upgrade is complete: all pods of the new release are ready.', remedy: fine },
  UpgradeFailed: {
    meaning: 'An upgraded driver did not become ready in time.',
    remedy: 'The operator restores the last good release; the event shows what failed.',
    commands: ['vdoctl events'],
  },
  UpgradeRolledBack: {
    meaning: 'An upgrade failed and was rolled back. It is not tried again until the matrix or the spec changes.',
    remedy: 'Check why the release did not become ready.',
    commands: ['vdoctl events', 'vdoctl upgrade --dry-run'],
  },
  ReleaseRolledBack: {
    meaning: 'This release was rolled back before and is not selected again.',
    remedy: 'Wait for a newer release, or change the spec.',
    commands: ['vdoctl upgrade --dry-run'],
  },
  RollbackStarted: { meaning: 'The operator rolls back to the last good release.', remedy: wait },
  RollbackCompleted: {
    meaning:
      'The last good release runs again, and all its pods are ready. The release that failed is not tried again until the matrix or the spec changes.',
    remedy: 'The event UpgradeFailed shows why it did not become ready.',
    commands: ['vdoctl events', 'vdoctl upgrade --dry-run'],
  },
  UpgradeBlocked: {
    meaning: 'A failing check blocks an upgrade.',
    remedy: 'Fix the problem in the message.',
    commands: ['vdoctl status'],
  },
  ReleaseAvailable: {
    meaning: 'A newer compatible release exists, but the update policy does not install it automatically.',
    remedy: 'Upgrade when it suits you.',
    commands: ['vdoctl upgrade --dry-run'],
  },
  OutsideWindow: { meaning: 'An upgrade waits for the maintenance window.', remedy: wait },
  ImagesPending: {
    meaning: 'A change of the distribution waits until a node has pulled all images of the new drivers.',
    remedy: wait,
  },
  WaitsForLease: {
    meaning:
      'The storage driver waits for a Lease. Its holder no longer answers, but no kubelet has reported that it ended, so it may still run. The Lease expires automatically.',
    remedy: wait,
  },
  ChecksPending: { meaning: 'An upgrade waits for the checks to run.', remedy: wait },
  WaitsForOtherDriver: { meaning: 'An upgrade waits until the other driver is ready.', remedy: wait },
  MatrixUntrusted: {
    meaning: 'The compatibility matrix is not signed by a trusted key and is not used.',
    remedy: 'Publish a signed matrix, or add its key to spec.updates.trustedKeys.',
    commands: ['vdoctl doctor --only versions'],
  },
  LeftBehind: {
    meaning:
      'An uninstall kept objects that hold data or belong to others, such as PersistentVolumes, StorageClasses in use and CRDs. The event lists them.',
    remedy:
      'No action needed. Before you delete one of them yourself, make sure that no volume or application needs it.',
    commands: ['vdoctl events'],
  },
  FullSyncNotTriggered: {
    meaning:
      'The number in spec.triggerSyncID of the TriggerCsiFullSync object is not the next one, so no full sync was started.',
    remedy: 'Set it to the number that the event shows, or request a full sync with vdoctl.',
    commands: ['vdoctl volumes sync'],
  },
  FullSyncStopped: {
    meaning:
      'More than 10 % of the PersistentVolumes are missing since the last comparison with vCenter. Until they are back, the driver still sends metadata of volumes to vCenter, but removes none and does not search for orphans.',
    remedy:
      'If the cluster was restored from a backup, restore the missing objects: see docs/guides/disaster-recovery.md. If the present number is correct, run the command in the event: the driver then accepts it.',
    commands: ['vdoctl events', 'vdoctl explain VolumesMissing'],
  },
  OrphansFound: {
    meaning: 'vCenter has volumes of this cluster that no PersistentVolume refers to. They are not changed.',
    remedy: 'Check whether they are still needed.',
    commands: ['vdoctl volumes', 'vdoctl explain storage/orphan-volumes'],
  },
  NodeTopologyChanged: {
    meaning: 'The vSphere tags that apply to a node VM no longer match the labels of its Node.',
    remedy: 'See the check topology/labels-match.',
    commands: ['vdoctl doctor --only topology'],
  },
  VolumeNotRegistered: {
    meaning: 'A statically provisioned volume could not be registered with vCenter.',
    remedy: 'The event shows the reason.',
    commands: ['vdoctl events'],
  },
  VolumeConditionNormal: { meaning: 'vCenter reports that the volume is accessible again.', remedy: fine },
  VolumeConditionAbnormal: {
    meaning: 'vCenter reports that the volume is not accessible.',
    remedy: 'Check its datastore.',
    commands: ['vdoctl doctor --only storage'],
  },
  Accessible: { meaning: 'The volume is accessible.', remedy: fine },
  Inaccessible: {
    meaning: 'The volume is not accessible.',
    remedy: 'Check its datastore.',
    commands: ['vdoctl doctor --only storage'],
  },
  ProvisioningSucceeded: { meaning: 'A volume was created for the claim.', remedy: fine },
  ProvisioningFailed: {
    meaning: 'No volume could be created for the claim. The driver tries again.',
    remedy: 'The event shows the reason.',
    commands: ['vdoctl events', 'vdoctl doctor --only storage'],
  },
  VolumeFailedDelete: {
    meaning: 'The volume of a deleted claim could not be deleted. The driver tries again.',
    remedy: 'The event shows the reason.',
    commands: ['vdoctl events'],
  },
  VolumeResizeFailed: {
    meaning: 'The volume could not be enlarged. The driver tries again.',
    remedy: 'The event shows the reason.',
    commands: ['vdoctl events'],
  },
  FileSystemResizeRequired: {
    meaning: 'The disk is larger; its file system grows when a pod mounts it.',
    remedy: 'Start a pod that uses the claim, if none runs.',
  },
  VolumeModifySuccessful: { meaning: 'The volume has its new storage policy.', remedy: fine },
  VolumeModifyFailed: {
    meaning: 'The storage policy of the volume could not be changed. The driver tries again.',
    remedy: 'The event shows the reason.',
    commands: ['vdoctl events'],
  },
  SnapshotCreated: { meaning: 'A snapshot was taken.', remedy: fine },
  SnapshotReady: { meaning: 'A snapshot is ready; volumes can be created from it.', remedy: fine },
  SnapshotDeletePending: {
    meaning: 'The snapshot is being deleted and cannot be used.',
    remedy: 'Take a new snapshot.',
  },
  SnapshotContentMissing: {
    meaning: 'The VolumeSnapshotContent that the snapshot is bound to does not exist.',
    remedy: 'Restore the VolumeSnapshotContent, or take a new snapshot.',
    commands: ['kubectl get volumesnapshotcontents'],
  },
  SnapshotContentMismatch: {
    meaning: 'The VolumeSnapshotContent that the snapshot refers to belongs to another driver or volume.',
    remedy: 'Correct the name in the snapshot.',
    commands: ['kubectl get volumesnapshotcontents'],
  },
  SnapshotContentMisbound: {
    meaning: 'The VolumeSnapshotContent is bound to another snapshot.',
    remedy: 'Use another VolumeSnapshotContent in the snapshot.',
    commands: ['kubectl get volumesnapshotcontents'],
  },
  SnapshotMisbound: {
    meaning: 'The snapshot and its VolumeSnapshotContent do not refer to each other.',
    remedy: 'Correct the names in one of them.',
    commands: ['kubectl get volumesnapshots -A', 'kubectl get volumesnapshotcontents'],
  },
  SnapshotDeleteError: {
    meaning: 'The snapshot could not be deleted in vCenter. The driver tries again.',
    remedy: 'The event shows the reason.',
    commands: ['vdoctl events'],
  },
  SnapshotCreationFailed: {
    meaning: 'The snapshot could not be taken. The driver tries again.',
    remedy: 'The event shows the reason.',
    commands: ['vdoctl events'],
  },
  SnapshotContentCreationFailed: {
    meaning: 'The VolumeSnapshotContent of a snapshot could not be created.',
    remedy: 'The event shows the reason.',
    commands: ['vdoctl events'],
  },
  SnapshotContentCheckandUpdateFailed: {
    meaning: 'The state of a snapshot could not be read from vCenter.',
    remedy: 'The event shows the reason.',
    commands: ['vdoctl events'],
  },
  Synced: {
    meaning: 'The cloud controller manager has set addresses, labels and provider ID of the Node.',
    remedy: fine,
  },
  DeletingNode: {
    meaning: 'VDO has proven that the VM of the Node no longer exists, so the Node is deleted.',
    remedy: fine,
  },
  Forbidden: {
    meaning: 'An admission policy of VDO refused the change, because it would lose data or break running workloads.',
    remedy: 'The error message shows what to do first.',
  },
  Invalid: {
    meaning: 'An admission policy of VDO refused the object, because it contains an invalid value.',
    remedy: 'Correct the field in the message.',
  },
  CreatingSnapshot: { meaning: 'A snapshot is being taken.', remedy: wait },
};
