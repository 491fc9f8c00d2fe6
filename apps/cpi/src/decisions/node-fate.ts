import { VdoError } from '@vdo/base/vdo-error';
import type { Node } from '@vdo/kube/types/core';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { hasTaint, isReady, shutdownTaint } from './taints.ts';

/** What is known about the VM of a node that is not ready. */
export type Sighting =
  /** It exists. */
  | { readonly state: 'present'; readonly powerState: VmFacts['powerState'] }
  /** Not known, for example because a vCenter did not answer. */
  | { readonly state: 'unknown'; readonly error: VdoError }
  /** Every vCenter answered, and none finds it by its UUID in either byte order. */
  | { readonly state: 'missing'; readonly reference: ReferenceState };

/** Whether the managed object reference under which the VM was last seen proves that it is gone. */
export type ReferenceState =
  /** vCenter reports that no such object exists, and the user may still read the folder that the VM was in. */
  | { readonly proof: 'gone' }
  /** The VM exists, but the search does not find it: it was moved out of the configured datacenters, or its UUID changed. */
  | { readonly proof: 'exists' }
  /** vCenter hides objects that the user may not read, so "not found" proves nothing. */
  | { readonly proof: 'none'; readonly because: string };

export type Fate =
  | { readonly action: 'keep' }
  | { readonly action: 'taint' }
  | { readonly action: 'untaint' }
  /** The Node is kept, and the reason is reported. */
  | { readonly action: 'report'; readonly problem: VdoError }
  /** Proven gone once; to be checked again at that time. */
  | { readonly action: 'confirm'; readonly afterMs: number }
  | { readonly action: 'delete' };

export interface FateQuestion {
  readonly node: Node;
  /** Undefined for a node that is ready, because no search is needed then. */
  readonly sighting: Sighting | undefined;
  /** When it was first proven gone, with no contrary result since then. Undefined the first time. */
  readonly goneSinceMs: number | undefined;
  readonly nowMs: number;
  readonly confirmAfterMs: number;
}

const unproven = (name: string, because: string): VdoError =>
  new VdoError({
    code: 'NodeGoneUnproven',
    message: `node ${name} is not ready and its VM was not found, but this does not prove that the VM was deleted: ${because}. The Node is kept`,
    remedy: `If the VM was deleted: kubectl delete node ${name}. Otherwise grant the vSphere user System.Read on the VM's folder, or add its datacenter to vsphere.conf.`,
    details: { node: name },
  });

const exists =
  'vCenter still has an object with its managed object reference, so the VM was moved out of the configured datacenters, has a new UUID, or the user may not read it';

/** The VM is proven gone, but the budget of deletions is used up. */
export const deletionPaused = (name: string): VdoError =>
  new VdoError({
    code: 'NodeDeletionPaused',
    message: `the VM of node ${name} no longer exists, but too many Nodes were deleted within the last hour. The Node is kept for now`,
    remedy: `If the VMs were deleted on purpose: kubectl delete node ${name}, or wait; the Node is deleted within the next hours. Otherwise find out who deletes the VMs.`,
    details: { node: name },
  });

const fateOfMissing = (question: FateQuestion, reference: ReferenceState): Fate => {
  const name = question.node.metadata.name ?? '';
  if (reference.proof === 'exists') return { action: 'report', problem: unproven(name, exists) };
  if (reference.proof === 'none') return { action: 'report', problem: unproven(name, reference.because) };
  const { goneSinceMs, nowMs, confirmAfterMs } = question;
  const sureAtMs = (goneSinceMs ?? nowMs) + confirmAfterMs;
  if (goneSinceMs === undefined || nowMs < sureAtMs) return { action: 'confirm', afterMs: sureAtMs - nowMs };
  return { action: 'delete' };
};

/**
 * Decides what to do with a Node. It is deleted only if it is not ready and its VM was proven gone twice, some time apart. If
 * anything is uncertain, it is kept. If the VM exists but is not running, the Node gets the shutdown taint until it is ready.
 */
export const decideFate = (question: FateQuestion): Fate => {
  const { node, sighting } = question;
  const tainted = hasTaint(node, shutdownTaint);
  if (isReady(node)) return { action: tainted ? 'untaint' : 'keep' };
  if (sighting?.state === 'missing') return fateOfMissing(question, sighting.reference);
  if (sighting?.state === 'present' && sighting.powerState !== 'poweredOn' && !tainted) return { action: 'taint' };
  return { action: 'keep' };
};
