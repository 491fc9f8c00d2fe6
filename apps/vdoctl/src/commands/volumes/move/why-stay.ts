import type { PersistentVolume } from '@vdo/kube/types/core';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { DatastoreFacts } from '@vdo/vsphere/inventory/placement';

/** What decides whether a volume may be moved to a datastore. */
export interface MoveFacts {
  /** Undefined: no vCenter has it. */
  readonly volume: CnsVolume | undefined;
  readonly clusterId: string;
  /** Undefined: the vCenter of the volume has no such datastore. */
  readonly target: DatastoreFacts | undefined;
  /** Space on the target that volumes before it in the plan will take. */
  readonly reservedBytes: bigint;
  readonly snapshots: number;
  /** The VMs that use the disk; undefined if vCenter does not report it. */
  readonly consumers: readonly string[] | undefined;
  readonly holders: readonly PersistentVolume[];
  /** Nodes to which a VolumeAttachment of it belongs. */
  readonly attachedTo: readonly string[];
  /** VMs of nodes that may use the volume and whose hosts do not mount the target. */
  readonly unreachedBy: readonly string[];
  /** Why the target does not satisfy the storage policy of the volume; undefined if it does. */
  readonly policyProblem: string | undefined;
  /** What the account lacks, such as `Datastore.AllocateSpace on fast`. */
  readonly missingPrivileges: readonly string[];
  /** What the vCenter lacks for it, as a sentence; undefined if nothing. */
  readonly lack: string | undefined;
}

export const stayRules = [
  'not-found',
  'other-cluster',
  'file-volume',
  'in-tree',
  'no-such-datastore',
  'already-there',
  'vcenter-too-old',
  'has-snapshots',
  'attached',
  'disk-unknown',
  'target-unavailable',
  'not-reachable',
  'policy',
  'privilege',
  'no-space',
] as const;

export interface StayReason {
  readonly rule: (typeof stayRules)[number];
  readonly reason: string;
}

const mib = 1024n ** 2n;
const gib = (bytes: bigint): string => `${bytes / 1024n ** 3n} GiB`;

const judgeVolume = (facts: MoveFacts, volume: CnsVolume): StayReason | undefined => {
  const { clusterId, holders, snapshots, consumers, attachedTo } = facts;
  const owners = volume.containerClusterIds;
  if (owners.length !== 1 || owners[0] !== clusterId)
    return {
      rule: 'other-cluster',
      reason: `it belongs to ${owners.join(', ') || 'no cluster'}; this cluster is ${clusterId}`,
    };
  if (volume.type === 'FILE')
    return { rule: 'file-volume', reason: 'vCenter moves block volumes only, and this is a file volume' };
  const byPath = holders.find(({ spec }) => spec.csi?.volumeHandle !== volume.id);
  if (byPath)
    return {
      rule: 'in-tree',
      reason: `PersistentVolume ${byPath.metadata.name} refers to it by its path, which would change`,
    };
  if (snapshots > 0)
    return { rule: 'has-snapshots', reason: `it has ${snapshots} snapshot${snapshots === 1 ? '' : 's'}` };
  if (attachedTo.length > 0)
    return { rule: 'attached', reason: `it is attached to ${attachedTo.join(', ')}: stop its pods first` };
  if (!consumers) return { rule: 'disk-unknown', reason: 'vCenter does not report which VMs use it' };
  if (consumers.length > 0)
    return { rule: 'attached', reason: `it is attached to ${consumers.join(', ')}: stop its pods first` };
  return undefined;
};

const judgeTarget = (facts: MoveFacts, volume: CnsVolume, target: DatastoreFacts): StayReason | undefined => {
  const { unreachedBy, policyProblem, missingPrivileges, reservedBytes } = facts;
  if (!target.accessible || target.maintenance || target.suspended) {
    const state = target.maintenance ? 'in maintenance mode' : target.accessible ? 'suspended' : 'not accessible';
    return { rule: 'target-unavailable', reason: `datastore ${target.name} is ${state}` };
  }
  if (unreachedBy.length > 0)
    return {
      rule: 'not-reachable',
      reason: `datastore ${target.name} is not mounted on the host of ${unreachedBy.slice(0, 5).join(', ')}, where its pods may run`,
    };
  if (policyProblem !== undefined)
    return { rule: 'policy', reason: `datastore ${target.name} does not satisfy its storage policy: ${policyProblem}` };
  if (missingPrivileges.length > 0)
    return { rule: 'privilege', reason: `the account lacks ${missingPrivileges.join(', ')}` };
  const needed = volume.capacityMb * mib;
  const free = target.freeBytes - reservedBytes;
  if (free < needed)
    return {
      rule: 'no-space',
      reason: `it has ${gib(needed)}, but ${gib(free > 0n ? free : 0n)} are free on ${target.name}${reservedBytes > 0n ? ' after the volumes before it' : ''}`,
    };
  return undefined;
};

/** Why a volume is not moved; undefined if it may be. If in doubt, it stays. */
export const whyStay = (facts: MoveFacts): StayReason | undefined => {
  const { volume, target, lack } = facts;
  if (!volume) return { rule: 'not-found', reason: 'no vCenter has it' };
  if (!target) return { rule: 'no-such-datastore', reason: 'its vCenter has no such datastore' };
  if (target.url === volume.datastoreUrl) return { rule: 'already-there', reason: `it is on ${target.name} already` };
  if (lack !== undefined) return { rule: 'vcenter-too-old', reason: lack };
  return judgeVolume(facts, volume) ?? judgeTarget(facts, volume, target);
};
