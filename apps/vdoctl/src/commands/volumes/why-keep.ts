import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';

/** What is known of a volume that somebody wants deleted. */
export interface CleanupFacts {
  /** Undefined: no vCenter has it. */
  readonly volume: CnsVolume | undefined;
  readonly clusterId: string;
  readonly persistentVolume: string | undefined;
  readonly snapshots: number;
  /** Undefined: vCenter did not tell about the disk. */
  readonly disk: { readonly createdAtMs: number; readonly consumers: readonly string[] } | undefined;
  readonly nowMs: number;
}

export const keepRules = [
  'not-found',
  'has-persistent-volume',
  'other-cluster',
  'used-elsewhere',
  'has-snapshots',
  'disk-unknown',
  'attached',
  'too-young',
] as const;

export interface KeepReason {
  readonly rule: (typeof keepRules)[number];
  readonly reason: string;
}

const dayMs = 86_400_000;
const minAgeDays = 7;

/** Why a volume must not be deleted; undefined if it may. In doubt it stays. */
export const whyKeep = (facts: CleanupFacts): KeepReason | undefined => {
  const { volume, clusterId, disk, nowMs, snapshots } = facts;
  if (!volume) return { rule: 'not-found', reason: 'no vCenter has it' };
  if (facts.persistentVolume !== undefined)
    return { rule: 'has-persistent-volume', reason: `PersistentVolume ${facts.persistentVolume} has it` };
  const owners = volume.containerClusterIds;
  if (owners.length !== 1 || owners[0] !== clusterId) {
    const whose = owners.length === 0 ? 'no cluster' : owners.join(', ');
    return { rule: 'other-cluster', reason: `it belongs to ${whose}; this cluster is ${clusterId}` };
  }
  // Of this cluster nobody has it: after a restore another one may have the same id.
  const [user] = volume.entities ?? [];
  if (user)
    return {
      rule: 'used-elsewhere',
      reason: `vCenter names ${user.kind.toLowerCase().replaceAll('_', ' ')} ${user.name} for it, which this cluster does not have: another may have the same id`,
    };
  if (snapshots > 0)
    return { rule: 'has-snapshots', reason: `it has ${snapshots} snapshot${snapshots === 1 ? '' : 's'}` };
  if (!disk) return { rule: 'disk-unknown', reason: 'vCenter does not tell how old it is and who uses it' };
  if (disk.consumers.length > 0) return { rule: 'attached', reason: `it is attached to ${disk.consumers.join(', ')}` };
  const days = (nowMs - disk.createdAtMs) / dayMs;
  // A clock that stands wrong must not make a disk old: that it is from the future is no proof of age either.
  if (!(days >= minAgeDays))
    return {
      rule: 'too-young',
      reason: `it is ${Math.max(0, Math.floor(days))} days old, and at least ${minAgeDays} are wanted`,
    };
  return undefined;
};
