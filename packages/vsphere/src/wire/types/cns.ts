import { array, boolean, defineType, enumeration, int, long, optional, ref, string } from '../schema.ts';
import { KeyValue } from './common.ts';
import { VirtualMachineProfileSpec } from './vm-device.ts';

export const CnsVolumeId = defineType('CnsVolumeId', {
  id: string,
});

export const CnsEntityMetadata = defineType(
  'CnsEntityMetadata',
  {
    entityName: string,
    labels: array(KeyValue),
    delete: optional(boolean),
    clusterId: optional(string),
  },
  { open: true },
);

export const CnsKubernetesEntityReference = defineType('CnsKubernetesEntityReference', {
  entityType: string,
  entityName: string,
  namespace: optional(string),
  clusterId: optional(string),
});

export const CnsKubernetesEntityMetadata = defineType(
  'CnsKubernetesEntityMetadata',
  {
    entityType: string,
    namespace: optional(string),
    referredEntity: array(CnsKubernetesEntityReference),
  },
  { extends: CnsEntityMetadata },
);

export const CnsContainerCluster = defineType('CnsContainerCluster', {
  clusterType: string,
  clusterId: string,
  vSphereUser: string,
  clusterFlavor: optional(string),
  clusterDistribution: optional(string),
  delete: optional(boolean),
});

export const CnsVolumeMetadata = defineType('CnsVolumeMetadata', {
  containerCluster: CnsContainerCluster,
  entityMetadata: array(CnsEntityMetadata),
  containerClusterArray: array(CnsContainerCluster),
});

export const CnsBackingObjectDetails = defineType(
  'CnsBackingObjectDetails',
  {
    capacityInMb: optional(long),
  },
  { open: true },
);

export const CnsBlockBackingDetails = defineType(
  'CnsBlockBackingDetails',
  {
    backingDiskId: optional(string),
    backingDiskUrlPath: optional(string),
    backingDiskPath: optional(string),
    backingDiskObjectId: optional(string),
    aggregatedSnapshotCapacityInMb: optional(long),
  },
  { extends: CnsBackingObjectDetails },
);

export const CnsFileBackingDetails = defineType(
  'CnsFileBackingDetails',
  {
    backingFileId: optional(string),
  },
  { extends: CnsBackingObjectDetails },
);

export const CnsVsanFileShareBackingDetails = defineType(
  'CnsVsanFileShareBackingDetails',
  {
    name: optional(string),
    accessPoints: array(KeyValue),
  },
  { extends: CnsFileBackingDetails },
);

export const CnsBaseCreateSpec = defineType('CnsBaseCreateSpec', {}, { open: true });

export const CnsFileCreateSpec = defineType('CnsFileCreateSpec', {}, { extends: CnsBaseCreateSpec });

export const VsanFileShareNetPermission = defineType('VsanFileShareNetPermission', {
  ips: string,
  permissions: optional(enumeration('xsd:string', 'READ_ONLY', 'READ_WRITE', 'NO_ACCESS')),
  allowRoot: optional(boolean),
});

export const CnsVSANFileCreateSpec = defineType(
  'CnsVSANFileCreateSpec',
  {
    softQuotaInMb: optional(long),
    permission: array(VsanFileShareNetPermission),
  },
  { extends: CnsFileCreateSpec },
);

export const CnsVolumeSource = defineType('CnsVolumeSource', {}, { open: true });

export const CnsSnapshotId = defineType('CnsSnapshotId', {
  id: string,
});

export const CnsSnapshotVolumeSource = defineType(
  'CnsSnapshotVolumeSource',
  {
    volumeId: optional(CnsVolumeId),
    snapshotId: optional(CnsSnapshotId),
    linkedClone: optional(boolean),
  },
  { extends: CnsVolumeSource },
);

export const CnsVolumeCreateSpec = defineType('CnsVolumeCreateSpec', {
  name: string,
  volumeType: string,
  volumeId: optional(CnsVolumeId),
  datastores: array(ref),
  metadata: optional(CnsVolumeMetadata),
  backingObjectDetails: CnsBackingObjectDetails,
  profile: array(VirtualMachineProfileSpec),
  activeClusters: array(ref),
  createSpec: optional(CnsBaseCreateSpec),
  volumeSource: optional(CnsVolumeSource),
});

export const CnsVolumeMetadataUpdateSpec = defineType('CnsVolumeMetadataUpdateSpec', {
  volumeId: CnsVolumeId,
  metadata: CnsVolumeMetadata,
});

export const CnsVolumeExtendSpec = defineType('CnsVolumeExtendSpec', {
  volumeId: CnsVolumeId,
  capacityInMb: long,
});

export const CnsVolumeAttachDetachSpec = defineType('CnsVolumeAttachDetachSpec', {
  volumeId: CnsVolumeId,
  vm: ref,
  diskMode: optional(string),
  sharing: optional(string),
  controllerKey: optional(int),
  unitNumber: optional(int),
  backingTypeName: optional(string),
  volumeEncrypted: optional(boolean),
});

export const CnsVolume = defineType('CnsVolume', {
  volumeId: CnsVolumeId,
  datastoreUrl: optional(string),
  name: optional(string),
  volumeType: optional(string),
  storagePolicyId: optional(string),
  metadata: optional(CnsVolumeMetadata),
  backingObjectDetails: optional(CnsBackingObjectDetails),
  complianceStatus: optional(string),
  datastoreAccessibilityStatus: optional(string),
  healthStatus: optional(string),
});

export const CnsCursor = defineType('CnsCursor', {
  offset: long,
  limit: long,
  totalRecords: optional(long),
});

export const CnsQueryFilter = defineType(
  'CnsQueryFilter',
  {
    volumeIds: array(CnsVolumeId),
    names: array(string),
    containerClusterIds: array(string),
    storagePolicyId: optional(string),
    datastores: array(ref),
    labels: array(KeyValue),
    complianceStatus: optional(string),
    datastoreAccessibilityStatus: optional(string),
    cursor: optional(CnsCursor),
    healthStatus: optional(string),
  },
  { open: true },
);

export const CnsKubernetesQueryFilter = defineType(
  'CnsKubernetesQueryFilter',
  {
    namespaces: array(string),
    podNames: array(string),
    pvcNames: array(string),
    pvNames: array(string),
  },
  { extends: CnsQueryFilter },
);

export const CnsQuerySelection = defineType('CnsQuerySelection', {
  names: array(string),
});

export const CnsQueryResult = defineType('CnsQueryResult', {
  volumes: array(CnsVolume),
  cursor: optional(CnsCursor),
});

export const CnsVolumeRelocateSpec = defineType(
  'CnsVolumeRelocateSpec',
  {
    volumeId: CnsVolumeId,
    datastore: ref,
    profile: array(VirtualMachineProfileSpec),
  },
  { open: true },
);

export const CnsBlockVolumeRelocateSpec = defineType(
  'CnsBlockVolumeRelocateSpec',
  {},
  { extends: CnsVolumeRelocateSpec },
);

export const CnsVolumePolicyReconfigSpec = defineType('CnsVolumePolicyReconfigSpec', {
  volumeId: CnsVolumeId,
  profile: array(VirtualMachineProfileSpec),
});

export const CnsAccessControlSpec = defineType('CnsAccessControlSpec', {}, { open: true });

/** For one address or network. */
export const CnsNFSAccessControlSpec = defineType(
  'CnsNFSAccessControlSpec',
  {
    netPermission: VsanFileShareNetPermission,
    delete: optional(boolean),
  },
  { extends: CnsAccessControlSpec },
);

export const CnsVolumeACLConfigureSpec = defineType('CnsVolumeACLConfigureSpec', {
  volumeId: CnsVolumeId,
  accessControlSpecList: array(CnsAccessControlSpec),
});
