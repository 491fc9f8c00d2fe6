import { type Input, make, type Value } from '../wire/schema.ts';
import {
  CnsBlockBackingDetails,
  type CnsContainerCluster as CnsContainerClusterType,
  CnsKubernetesEntityMetadata,
  type CnsQueryFilter as CnsQueryFilterType,
  type CnsVolumeCreateSpec,
  type CnsVolume as CnsVolumeType,
} from '../wire/types/cns.ts';
import { VirtualMachineDefinedProfileSpec } from '../wire/types/vm-device.ts';
import type {
  CnsContainerCluster,
  CnsCreateBlockSpec,
  CnsEntityMetadata,
  CnsQueryFilter,
  CnsVolume,
} from './cns-client.ts';

export const clusterSpec = (cluster: CnsContainerCluster): Input<Value<typeof CnsContainerClusterType>> => ({
  clusterType: 'KUBERNETES',
  clusterId: cluster.clusterId,
  vSphereUser: cluster.vSphereUser,
  clusterFlavor: 'VANILLA',
  clusterDistribution: cluster.distribution,
});

export const entitySpec = (entity: CnsEntityMetadata, clusterId: string) =>
  make(CnsKubernetesEntityMetadata, {
    entityName: entity.name,
    labels: Object.entries(entity.labels ?? {}).map(([key, value]) => ({ key, value })),
    delete: false,
    clusterId,
    entityType: entity.kind,
    namespace: entity.namespace,
  });

/** A storage policy as CNS takes it; none if no policy is named. */
export const profileSpecs = (policyId: string | undefined) =>
  policyId === undefined ? [] : [make(VirtualMachineDefinedProfileSpec, { profileId: policyId })];

export const createSpec = (spec: CnsCreateBlockSpec): Input<Value<typeof CnsVolumeCreateSpec>> => {
  const cluster = clusterSpec(spec.cluster);
  return {
    name: spec.name,
    volumeType: 'BLOCK',
    datastores: [...spec.datastores],
    metadata: {
      containerCluster: cluster,
      entityMetadata: (spec.metadata ?? []).map((entity) => entitySpec(entity, spec.cluster.clusterId)),
      containerClusterArray: [cluster],
    },
    backingObjectDetails: make(CnsBlockBackingDetails, { capacityInMb: spec.capacityMb }),
    profile: profileSpecs(spec.storagePolicyId),
  };
};

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

/** A volume as CNS sends it → as the programs use it. */
export const toVolume = (volume: Value<typeof CnsVolumeType>): CnsVolume => ({
  id: volume.volumeId.id,
  name: volume.name ?? '',
  type: volume.volumeType === 'FILE' ? 'FILE' : 'BLOCK',
  datastoreUrl: volume.datastoreUrl ?? '',
  capacityMb: volume.backingObjectDetails?.capacityInMb ?? 0n,
  healthStatus: volume.healthStatus,
  storagePolicyId: volume.storagePolicyId,
  containerClusterIds: clusterIds(volume),
});
