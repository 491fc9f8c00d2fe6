import type { CheckReason } from './check-reason.ts';

const recreateClass =
  'The parameters of a StorageClass cannot be changed. Save the class to a file, correct it, and replace the class: kubectl replace --force -f FILE. Existing volumes are not affected.';

/** Reasons of the checks about storage and snapshots. */
export const storageReasons: Readonly<Record<string, CheckReason>> = {
  SnapshotCrdTooOld: {
    checks: ['csi/snapshot-crds'],
    meaning: 'A snapshot CRD does not serve version v1, which the storage driver uses.',
    remedy: 'Set spec.csi.snapshots.install to true, or install the current CRDs of the external-snapshotter project.',
  },
  SnapshotCrdMissing: {
    checks: ['csi/snapshot-crds'],
    meaning: 'spec.csi.snapshots is set, but a snapshot CRD does not exist.',
    remedy: 'Set spec.csi.snapshots.install to true, or install the CRDs of the external-snapshotter project.',
  },
  InTreeVolumesLeft: {
    checks: ['storage/in-tree-volumes-left'],
    meaning:
      'PersistentVolumes belong to the in-tree provider, which Kubernetes no longer has, and the storage driver does not serve them. They cannot be mounted.',
    remedy: 'Set spec.csi.inTreeMigration to true.',
  },
  AttachStuck: {
    checks: ['storage/attach-stuck'],
    meaning: 'A volume has waited longer than six minutes to be attached. The pod that uses it does not start.',
    remedy:
      'The message contains the error from vCenter. See also node/disk-slots, privileges/node-vms and storage/datastore-shared.',
  },
  DetachStuck: {
    checks: ['storage/attach-stuck'],
    meaning: 'A volume has waited longer than six minutes to be detached. Its pod cannot start on another node.',
    remedy:
      'Check that the node VM has no snapshot (node/vm-snapshot). If the node has failed permanently, shut down its VM, then set the out-of-service taint as the status shows.',
  },
  ClassMissing: {
    checks: ['storage/storage-classes'],
    meaning: 'A StorageClass of spec.csi.storageClasses does not exist.',
    remedy: 'The operator creates it in its next pass. If it does not, its log shows why.',
    commands: ['vdoctl logs operator --since 10m'],
  },
  DatastoreUnknown: {
    checks: ['storage/storage-classes'],
    meaning: 'The parameter datastoreurl of a StorageClass names a datastore that no host of a node mounts.',
    remedy: `Correct the URL; govc datastore.info shows the URL of each datastore. ${recreateClass}`,
  },
  SeveralDefaultClasses: {
    checks: ['storage/storage-classes'],
    meaning: 'Several StorageClasses are the default. A claim without a class gets the newest one.',
    remedy: 'Keep one of them, and remove the annotation from the others. The classes need not be replaced.',
    commands: ['kubectl annotate sc NAME storageclass.kubernetes.io/is-default-class-'],
  },
  UnknownParameter: {
    checks: ['storage/storage-classes'],
    meaning: 'A StorageClass has a parameter that the storage driver does not know. Its claims stay pending.',
    remedy: `Remove the parameter. ${recreateClass}`,
  },
  DatastoreAlmostFull: {
    checks: ['storage/free-space'],
    meaning: 'A datastore has less than 10 % free space.',
    remedy: 'Enlarge the datastore, or move volumes and VMs to another one.',
    commands: ['vdoctl doctor --only storage/free-space,storage/orphan-volumes'],
  },
  DatastoreFull: {
    checks: ['storage/free-space'],
    meaning: 'A datastore has less than 1 % free space. VMs stop and writes to volumes fail.',
    remedy: 'Enlarge the datastore, or move volumes and VMs to another one.',
    commands: ['vdoctl doctor --only storage/free-space,storage/orphan-volumes'],
  },
  DatastoreInMaintenance: {
    checks: ['storage/datastore-accessible'],
    meaning: 'A datastore is in maintenance mode. No new volumes are created there; existing ones keep working.',
    remedy: 'Exit maintenance mode: govc datastore.maintenance.exit NAME.',
  },
  DatastoreInaccessible: {
    checks: ['storage/datastore-accessible'],
    meaning: 'A datastore is not accessible. Its volumes cause I/O errors, and no new ones are created there.',
    remedy: 'Check the storage connection of the hosts that lost it: adapters, paths, the NFS server.',
  },
  NoSharedDatastore: {
    checks: ['storage/datastore-shared'],
    meaning:
      'No usable datastore is mounted by the hosts of all nodes, or of all nodes of a zone. No volume can be created.',
    remedy: 'Mount a datastore on all hosts that run nodes, or divide the nodes into zones with spec.topology.',
  },
  PolicyMissing: {
    checks: ['storage/policy-exists'],
    meaning:
      'A StorageClass uses a storage policy that does not exist, or that the account cannot see. Its claims stay pending.',
    remedy:
      'Create the policy, or set another one in the StorageClass. govc storage.policy.ls lists the policies; the privilege StorageProfile.View shows them.',
  },
  PolicyWithoutDatastore: {
    checks: ['storage/policy-compatible'],
    meaning: 'No datastore that the nodes share satisfies a storage policy. Claims of its classes stay pending.',
    remedy: 'Tag a shared datastore as the policy requires (govc storage.policy.info NAME), or change the policy.',
  },
  ClusterIdChanged: {
    checks: ['storage/cluster-id-unique'],
    meaning: 'spec.csi.clusterId is not the ID under which the volumes of this cluster are registered in vCenter.',
    remedy: 'Set spec.csi.clusterId back to the ID that the message names.',
  },
  ClusterIdIsServer: {
    checks: ['storage/cluster-id-unique'],
    meaning:
      'The cluster ID is the name of the vCenter server. The upstream VDO used this ID for every cluster of a vCenter, so that several clusters may have it.',
    remedy:
      'No action is needed if this is the only cluster of the vCenter. Otherwise give every other cluster its own ID: see docs/guides/disaster-recovery.md#two-clusters-under-one-id.',
  },
  ClusterIdShared: {
    checks: ['storage/cluster-id-unique'],
    meaning: 'Another cluster uses the cluster ID of this one. VDO deletes and detaches nothing meanwhile.',
    remedy:
      'Stop the drivers of the copy, or give it its own ID: see docs/guides/disaster-recovery.md#two-clusters-under-one-id.',
  },
  OrphanVolumes: {
    checks: ['storage/orphan-volumes'],
    meaning:
      'vCenter has volumes of this cluster that have no PersistentVolume. They use space; VDO does not delete them.',
    remedy: 'Find out whether this or another cluster needs them.',
    commands: ['vdoctl volumes --orphans', 'vdoctl doctor --only storage/orphan-volumes,storage/cluster-id-unique'],
  },
  VolumeInaccessible: {
    checks: ['storage/volume-health'],
    meaning: 'vCenter reports that a volume is not accessible. Pods that use it get I/O errors.',
    remedy:
      'Check its datastore (storage/datastore-accessible), and on vSAN its objects: Monitor, vSAN, Virtual Objects.',
  },
  VolumeDegraded: {
    checks: ['storage/volume-health'],
    meaning: 'vCenter reports that a volume has lost redundancy. It still works, but the next failure may stop it.',
    remedy: 'Check its datastore, and on vSAN its objects: Monitor, vSAN, Virtual Objects.',
  },
  FileClusterMissing: {
    checks: ['storage/file-clusters'],
    meaning: 'spec.csi.fileVolumes.clusters names a cluster whose vSAN datastore the nodes do not reach.',
    remedy:
      'Correct the name in spec.csi.fileVolumes.clusters, or mount the vSAN datastore of that cluster on the hosts of the nodes.',
  },
  FileServiceDisabled: {
    checks: ['storage/file-clusters'],
    meaning: 'The vSAN file service of a cluster in spec.csi.fileVolumes.clusters is disabled.',
    remedy: 'Enable the file service in the vSphere Client: the cluster, Configure, vSAN, Services, File Service.',
  },
  VolumeNonCompliant: {
    checks: ['storage/volume-compliance'],
    meaning: 'Volumes do not satisfy their storage policy. The message counts them and names the first.',
    remedy:
      'Repair the datastore, apply the policy again in the vSphere Client, or move the volumes to a datastore that satisfies it.',
    commands: ['vdoctl volumes'],
  },
  PreferredNowhere: {
    checks: ['storage/preferred-datastores'],
    meaning: 'A tag prefers a datastore in a region or zone in which no node is. The tag has no effect.',
    remedy: 'Attach a tag with the name of a region or zone of the nodes, and remove the one without effect.',
  },
  PreferredNotShared: {
    checks: ['storage/preferred-datastores'],
    meaning:
      'A tag prefers a datastore that not all nodes of the region or zone reach. Volumes go to other datastores.',
    remedy: 'Mount the datastore on the hosts of all nodes there, or remove the tag.',
  },
};
