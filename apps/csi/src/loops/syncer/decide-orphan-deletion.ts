import type { Volume } from '../../volumes/volume.ts';

/** What is known about a volume without a PersistentVolume whose deletion a person has requested. */
export interface OrphanFacts {
  readonly volume: Volume | undefined;
  readonly clusterId: string;
  readonly hasPersistentVolume: boolean;
  readonly snapshots: number;
  /** Undefined: vCenter returned no information about the disk. */
  readonly disk: { readonly createdAtMs: number; readonly consumers: readonly string[] } | undefined;
  readonly nowMs: number;
}

const dayMs = 86_400_000;
const minAgeMs = 7 * dayMs;

/** Why an orphan must not be deleted; undefined if it may be deleted. In case of doubt it is kept. */
export const whyKeepVolume = (facts: OrphanFacts): string | undefined => {
  const { volume, clusterId, disk, nowMs } = facts;
  if (!volume) return 'no vCenter has it';
  if (facts.hasPersistentVolume) return 'a PersistentVolume has it';
  if (volume.clusterIds.length !== 1 || volume.clusterIds[0] !== clusterId)
    return `it belongs to ${volume.clusterIds.length === 0 ? 'no cluster' : `cluster ${volume.clusterIds.join(', ')}`}, but this is cluster ${clusterId}`;
  if (facts.snapshots > 0) return `it has ${facts.snapshots} snapshots`;
  if (!disk) return 'vCenter does not report its age and its users';
  if (disk.consumers.length > 0) return `it is attached to ${disk.consumers.join(', ')}`;
  if (nowMs - disk.createdAtMs < minAgeMs)
    return `it is ${Math.floor((nowMs - disk.createdAtMs) / dayMs)} days old; only orphans older than 7 days are deleted`;
  return undefined;
};

/** The same for a snapshot. */
export const whyKeepSnapshot = (facts: {
  readonly volume: Volume | undefined;
  readonly clusterId: string;
  readonly hasContent: boolean;
  readonly createdAtMs: number | undefined;
  readonly nowMs: number;
}): string | undefined => {
  const { volume, clusterId, createdAtMs, nowMs } = facts;
  if (!volume || createdAtMs === undefined) return 'no vCenter has it';
  if (facts.hasContent) return 'a VolumeSnapshotContent has it';
  if (volume.clusterIds.length !== 1 || volume.clusterIds[0] !== clusterId)
    return `its volume does not belong to this cluster alone (${volume.clusterIds.join(', ') || 'none'})`;
  if (nowMs - createdAtMs < minAgeMs)
    return `it is ${Math.floor((nowMs - createdAtMs) / dayMs)} days old; only orphans older than 7 days are deleted`;
  return undefined;
};
