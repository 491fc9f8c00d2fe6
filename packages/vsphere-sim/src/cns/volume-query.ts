import { morefKey } from '@vdo/vsphere/wire/moref';
import { type Input, make, type Value } from '@vdo/vsphere/wire/schema';
import {
  CnsBlockBackingDetails,
  type CnsQueryFilter,
  type CnsQueryResult,
  type CnsVolume,
  CnsVsanFileShareBackingDetails,
} from '@vdo/vsphere/wire/types/cns';
import type { ObjectStore } from '../state/object-store.ts';
import { readPath } from '../state/property-path.ts';
import type { Volume } from './volume-store.ts';

type Filter = Value<typeof CnsQueryFilter>;

const anyOrIn = (wanted: readonly string[], value: string | undefined): boolean =>
  wanted.length === 0 || (value !== undefined && wanted.includes(value));

const clustersOf = (volume: Volume): readonly string[] => {
  const { containerCluster, containerClusterArray } = volume.metadata ?? {};
  return [...(containerCluster ? [containerCluster] : []), ...(containerClusterArray ?? [])].map(
    ({ clusterId }) => clusterId,
  );
};

const hasLabel = (volume: Volume, labels: Filter['labels']): boolean =>
  (volume.metadata?.entityMetadata ?? [])
    .flatMap((entity) => entity.labels)
    .some((label) => labels.some(({ key, value }) => key === label.key && value === label.value));

/** All conditions of the filter must hold; an empty filter matches everything. */
const matchesFilter = (volume: Volume, filter: Filter): boolean =>
  anyOrIn(
    filter.volumeIds.map(({ id }) => id),
    volume.id,
  ) &&
  anyOrIn(filter.names, volume.name) &&
  (filter.containerClusterIds.length === 0 ||
    clustersOf(volume).some((id) => filter.containerClusterIds.includes(id))) &&
  anyOrIn(filter.datastores.map(morefKey), morefKey(volume.datastore)) &&
  anyOrIn(filter.storagePolicyId === undefined ? [] : [filter.storagePolicyId], volume.policyId) &&
  anyOrIn(filter.complianceStatus === undefined ? [] : [filter.complianceStatus], volume.compliance ?? 'compliant') &&
  anyOrIn(filter.healthStatus === undefined ? [] : [filter.healthStatus], volume.health) &&
  (filter.labels.length === 0 || hasLabel(volume, filter.labels));

/** vSAN keeps each disk as an object of its own; a VMFS or NFS datastore has files only. */
const objectIdOf = (volume: Volume, store: ObjectStore): { readonly backingDiskObjectId?: string } => {
  const type = readPath(store.get(volume.datastore)?.properties ?? {}, 'summary.type');
  return type === 'vsan' ? { backingDiskObjectId: volume.diskUuid } : {};
};

const backingOf = (volume: Volume, store: ObjectStore) =>
  volume.type === 'BLOCK'
    ? make(CnsBlockBackingDetails, {
        capacityInMb: volume.capacityMb,
        backingDiskId: volume.id,
        backingDiskPath: volume.path,
        ...objectIdOf(volume, store),
        aggregatedSnapshotCapacityInMb: BigInt(volume.snapshots.length) * volume.capacityMb,
      })
    : make(CnsVsanFileShareBackingDetails, {
        capacityInMb: volume.capacityMb,
        backingFileId: volume.id.replace(/^file:/, ''),
        name: volume.name,
        accessPoints: [{ key: 'NFSv4.1', value: `fileserver.example:/vsanfs/${volume.id.replace(/^file:/, '')}` }],
      });

/** A volume as CNS shows it. */
const toCnsVolume = (volume: Volume, store: ObjectStore): Input<Value<typeof CnsVolume>> => ({
  volumeId: { id: volume.id },
  datastoreUrl: readPath(store.get(volume.datastore)?.properties ?? {}, 'summary.url') as string | undefined,
  name: volume.name,
  volumeType: volume.type,
  storagePolicyId: volume.policyId ?? '',
  metadata: volume.metadata,
  backingObjectDetails: backingOf(volume, store),
  complianceStatus: volume.compliance ?? 'compliant',
  datastoreAccessibilityStatus: 'accessible',
  healthStatus: volume.health,
});

/** One page of the matching volumes; the cursor is the start of the next page. */
export const queryVolumes = (
  volumes: readonly Volume[],
  filter: Filter,
  options: { readonly store: ObjectStore; readonly paged: boolean },
): Input<Value<typeof CnsQueryResult>> => {
  const found = volumes.filter((volume) => matchesFilter(volume, filter));
  const offset = options.paged ? Number(filter.cursor?.offset ?? 0n) : 0;
  const limit = options.paged && filter.cursor ? Number(filter.cursor.limit) : found.length;
  const page = found.slice(offset, offset + limit);
  return {
    volumes: page.map((volume) => toCnsVolume(volume, options.store)),
    cursor: { offset: BigInt(offset + page.length), limit: BigInt(limit), totalRecords: BigInt(found.length) },
  };
};
