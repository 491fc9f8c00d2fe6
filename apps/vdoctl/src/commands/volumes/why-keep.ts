import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';

/** The facts about a volume that the user wants to delete. */
export interface CleanupFacts {
  /** Undefined: no vCenter has it. */
  readonly volume: CnsVolume | undefined;
  readonly clusterId: string;
  readonly persistentVolume: string | undefined;
  readonly snapshots: number;
  /** Undefined: vCenter did not report the disk. */
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

/** Why a volume must not be deleted; undefined if it may. If in doubt, it is kept. */
export const whyKeep = (facts: CleanupFacts): KeepReason | undefined => {
  const { volume, clusterId, disk, nowMs, snapshots } = facts;
  if (!volume) return { rule: 'not-found', reason: 'no vCenter has it' };
  if (facts.persistentVolume !== undefined)
    return { rule: 'has-persistent-volume', reason: `PersistentVolume ${facts.persistentVolume} uses it` };
  const owners = volume.containerClusterIds;
  if (owners.length !== 1 || owners[0] !== clusterId) {
    const whose = owners.length === 0 ? 'no cluster' : owners.join(', ');
    return { rule: 'other-cluster', reason: `it belongs to ${whose}; this cluster is ${clusterId}` };
  }
  // This cluster does not use it, but after a restore another cluster may have the same cluster ID.
  const [user] = volume.entities ?? [];
  if (user)
    return {
      rule: 'used-elsewhere',
      reason: `vCenter lists ${user.kind.toLowerCase().replaceAll('_', ' ')} ${user.name} as its user, which is not in this cluster: another cluster may have the same cluster ID`,
    };
  if (snapshots > 0)
    return { rule: 'has-snapshots', reason: `it has ${snapshots} snapshot${snapshots === 1 ? '' : 's'}` };
  if (!disk) return { rule: 'disk-unknown', reason: 'vCenter does not report its age and its users' };
  if (disk.consumers.length > 0) return { rule: 'attached', reason: `it is attached to ${disk.consumers.join(', ')}` };
  const days = (nowMs - disk.createdAtMs) / dayMs;
  // A wrong clock must not make a disk old: a creation time in the future does not prove an age either.
  if (!(days >= minAgeDays))
    return {
      rule: 'too-young',
      reason: `it is ${Math.max(0, Math.floor(days))} days old; it must be at least ${minAgeDays} days old`,
    };
  return undefined;
};
