import { type Input, make, type Value } from '../wire/schema.ts';
import {
  CnsBlockBackingDetails,
  type CnsContainerCluster as CnsContainerClusterType,
  CnsKubernetesEntityMetadata,
  CnsNFSAccessControlSpec,
  type CnsQueryFilter as CnsQueryFilterType,
  CnsSnapshotVolumeSource,
  type CnsVolumeCreateSpec,
  type CnsVolumeMetadata as CnsVolumeMetadataType,
  type CnsVolume as CnsVolumeType,
  CnsVSANFileCreateSpec,
  CnsVsanFileShareBackingDetails,
} from '../wire/types/cns.ts';
import { CnsVolumeCreateResult, type CnsVolumeOperationResult } from '../wire/types/cns-results.ts';
import { VirtualMachineDefinedProfileSpec } from '../wire/types/vm-device.ts';
import { wireTypes } from '../wire/wire-types.ts';
import type {
  CnsContainerCluster,
  CnsCreateBlockSpec,
  CnsCreateFileSpec,
  CnsEntityMetadata,
  CnsQueryFilter,
  CnsRegisterSpec,
  CnsVolume,
  MetadataUpdate,
  NetPermission,
  SnapshotSource,
  VolumeOnVm,
} from './cns-types.ts';

export type CreateSpec = Input<Value<typeof CnsVolumeCreateSpec>>;

const clusterSpec = (cluster: CnsContainerCluster): Input<Value<typeof CnsContainerClusterType>> => ({
  clusterType: 'KUBERNETES',
  clusterId: cluster.clusterId,
  vSphereUser: cluster.vSphereUser,
  clusterFlavor: 'VANILLA',
  clusterDistribution: cluster.distribution,
});

const entitySpec = (entity: CnsEntityMetadata & { readonly remove?: boolean }, clusterId: string) =>
  make(CnsKubernetesEntityMetadata, {
    entityName: entity.name,
    labels: Object.entries(entity.labels ?? {}).map(([key, value]) => ({ key, value })),
    delete: entity.remove ?? false,
    clusterId,
    entityType: entity.kind,
    namespace: entity.namespace,
    referredEntity: (entity.references ?? []).map(({ kind, name, namespace }) => ({
      entityType: kind,
      entityName: name,
      namespace,
      clusterId,
    })),
  });

const metadataOf = (
  cluster: CnsContainerCluster,
  entities: MetadataUpdate['entities'],
): Input<Value<typeof CnsVolumeMetadataType>> => ({
  containerCluster: clusterSpec(cluster),
  entityMetadata: entities.map((entity) => entitySpec(entity, cluster.clusterId)),
  containerClusterArray: [clusterSpec(cluster)],
});

/** A storage policy in the format of CNS; none if no policy is set. */
export const profileSpecs = (policyId: string | undefined) =>
  policyId === undefined ? [] : [make(VirtualMachineDefinedProfileSpec, { profileId: policyId })];

/** A new block volume. */
export const createSpec = (spec: CnsCreateBlockSpec): CreateSpec => ({
  name: spec.name,
  volumeType: 'BLOCK',
  datastores: [...spec.datastores],
  metadata: metadataOf(spec.cluster, spec.metadata ?? []),
  backingObjectDetails: make(CnsBlockBackingDetails, { capacityInMb: spec.capacityMb }),
  profile: profileSpecs(spec.storagePolicyId),
});

/** A block volume with the content of a snapshot. */
export const fromSnapshotSpec = (spec: CnsCreateBlockSpec & { readonly source: SnapshotSource }): CreateSpec => ({
  ...createSpec(spec),
  volumeSource: make(CnsSnapshotVolumeSource, {
    volumeId: { id: spec.source.volumeId },
    snapshotId: { id: spec.source.snapshotId },
  }),
});

const permissionSpec = ({ ips, access, rootSquash }: NetPermission) => ({
  ips,
  permissions: access,
  allowRoot: !rootSquash,
});

/** Changes of the access rules of a share: the list has a base type, and each entry is for one address or network. */
export const accessSpecs = (volumeId: string, permissions: readonly NetPermission[], remove: boolean) => [
  {
    volumeId: { id: volumeId },
    accessControlSpecList: permissions.map((permission) =>
      make(CnsNFSAccessControlSpec, { netPermission: permissionSpec(permission), delete: remove }),
    ),
  },
];

/** A file share on vSAN. */
export const fileSpec = (spec: CnsCreateFileSpec): CreateSpec => ({
  name: spec.name,
  volumeType: 'FILE',
  datastores: [...spec.datastores],
  metadata: metadataOf(spec.cluster, spec.metadata ?? []),
  backingObjectDetails: make(CnsVsanFileShareBackingDetails, { capacityInMb: spec.capacityMb }),
  profile: profileSpecs(spec.storagePolicyId),
  createSpec: make(CnsVSANFileCreateSpec, {
    softQuotaInMb: spec.capacityMb,
    permission: spec.netPermissions.map(permissionSpec),
  }),
});

const backingSpec = (backing: CnsRegisterSpec['backing']) => {
  if ('fileId' in backing) return make(CnsVsanFileShareBackingDetails, { backingFileId: backing.fileId });
  const disk = 'diskId' in backing ? { backingDiskId: backing.diskId } : { backingDiskUrlPath: backing.diskUrlPath };
  return make(CnsBlockBackingDetails, disk);
};

/** An existing disk or share. */
export const registerSpec = ({ name, backing, cluster, metadata }: CnsRegisterSpec): CreateSpec => ({
  name,
  volumeType: 'fileId' in backing ? 'FILE' : 'BLOCK',
  metadata: metadataOf(cluster, metadata ?? []),
  backingObjectDetails: backingSpec(backing),
});

export const metadataSpec = ({ volumeId, cluster, entities }: MetadataUpdate) => ({
  volumeId: { id: volumeId },
  metadata: metadataOf(cluster, entities),
});

export const attachSpec = ({ volumeId, vm }: VolumeOnVm) => ({ volumeId: { id: volumeId }, vm });

export const filterSpec = (
  filter: CnsQueryFilter,
  cursor: { readonly offset: bigint; readonly limit: bigint },
): Input<Value<typeof CnsQueryFilterType>> => ({
  volumeIds: filter.volumeIds?.map((id) => ({ id })),
  names: filter.names,
  containerClusterIds: filter.clusterIds,
  cursor,
});

const clusterIds = ({ metadata }: Value<typeof CnsVolumeType>): readonly string[] => [
  ...new Set(
    [metadata?.containerCluster, ...(metadata?.containerClusterArray ?? [])].flatMap((one) => one?.clusterId ?? []),
  ),
];

const entities = ({ metadata }: Value<typeof CnsVolumeType>): NonNullable<CnsVolume['entities']> =>
  (metadata?.entityMetadata ?? []).flatMap((entity) => {
    if (!wireTypes.is(entity, CnsKubernetesEntityMetadata)) return [];
    const { entityType, entityName: name, namespace, labels, referredEntity } = entity;
    // 6.7 Update 3 sends it once for all of them.
    const clusterId = entity.clusterId ?? metadata?.containerCluster.clusterId ?? '';
    return [
      {
        kind: entityType as CnsEntityMetadata['kind'],
        name,
        clusterId,
        ...(namespace ? { namespace } : {}),
        labels: Object.fromEntries(labels.map(({ key, value }) => [key, value])),
        references: referredEntity.map((one) => ({
          kind: one.entityType as CnsEntityMetadata['kind'],
          name: one.entityName,
          ...(one.namespace ? { namespace: one.namespace } : {}),
        })),
      },
    ];
  });

const objectIdOf = ({ backingObjectDetails: backing }: Value<typeof CnsVolumeType>): Pick<CnsVolume, 'diskObjectId'> =>
  wireTypes.is(backing, CnsBlockBackingDetails) && backing.backingDiskObjectId
    ? { diskObjectId: backing.backingDiskObjectId }
    : {};

/** A volume as CNS sends it → as the programs use it. */
export const toVolume = (volume: Value<typeof CnsVolumeType>): CnsVolume => ({
  ...objectIdOf(volume),
  id: volume.volumeId.id,
  name: volume.name ?? '',
  type: volume.volumeType === 'FILE' ? 'FILE' : 'BLOCK',
  datastoreUrl: volume.datastoreUrl ?? '',
  capacityMb: volume.backingObjectDetails?.capacityInMb ?? 0n,
  healthStatus: volume.healthStatus,
  ...(volume.complianceStatus === undefined ? {} : { complianceStatus: volume.complianceStatus }),
  storagePolicyId: volume.storagePolicyId,
  containerClusterIds: clusterIds(volume),
  diskPath: wireTypes.is(volume.backingObjectDetails, CnsBlockBackingDetails)
    ? volume.backingObjectDetails.backingDiskPath
    : undefined,
  entities: entities(volume),
});

/** The new volume according to request and result; undefined if they do not contain enough. */
export const volumeOfResult = (
  spec: CnsCreateBlockSpec,
  result: Value<typeof CnsVolumeOperationResult>,
): CnsVolume | undefined => {
  if (result.fault || !result.volumeId || !wireTypes.is(result, CnsVolumeCreateResult)) return undefined;
  // Candidates on which the creation failed may come first.
  const datastore = result.placementResults.find(({ placementFaults }) => placementFaults.length === 0)?.datastore;
  const datastoreUrl = datastore && spec.datastoreUrls?.get(datastore.value);
  if (datastoreUrl === undefined) return undefined;
  return {
    id: result.volumeId.id,
    name: spec.name,
    type: 'BLOCK',
    datastoreUrl,
    capacityMb: spec.capacityMb,
    healthStatus: undefined,
    storagePolicyId: spec.storagePolicyId,
    containerClusterIds: [spec.cluster.clusterId],
  };
};
