import { VdoError } from '@vdo/base/vdo-error';
import type { Node } from '@vdo/kube/types/core';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { hasTaint, isReady, shutdownTaint } from './taints.ts';

/** What is known about the VM of a node that is not ready. */
export type Sighting =
  /** It exists. */
  | { readonly state: 'present'; readonly powerState: VmFacts['powerState'] }
  /** A vCenter did not answer, or something else kept us from knowing. */
  | { readonly state: 'unknown'; readonly error: VdoError }
  /** Every vCenter answered, and none finds it by its UUID in either byte order. */
  | { readonly state: 'missing'; readonly reference: ReferenceState };

/** Whether the reference under which the VM was last seen proves that it is gone. */
export type ReferenceState =
  /** vCenter says that no such object exists, and we may still read the folder it was in. */
  | { readonly proof: 'gone' }
  /** The VM is there, but the search does not see it: moved out of the configured datacenters, or its UUID changed. */
  | { readonly proof: 'exists' }
  /** vCenter hides what we may not read; then "not found" means nothing. */
  | { readonly proof: 'none'; readonly because: string };

export type Fate =
  | { readonly action: 'keep' }
  | { readonly action: 'taint' }
  | { readonly action: 'untaint' }
  /** The node stays, and somebody should know why. */
  | { readonly action: 'report'; readonly problem: VdoError }
  /** Proven gone once; look again then. */
  | { readonly action: 'confirm'; readonly afterMs: number }
  | { readonly action: 'delete' };

export interface FateQuestion {
  readonly node: Node;
  /** Undefined for a node that is ready: nobody asked. */
  readonly sighting: Sighting | undefined;
  /** When it was first proven gone, without a contrary sign since; undefined at the first time. */
  readonly goneSinceMs: number | undefined;
  readonly nowMs: number;
  readonly confirmAfterMs: number;
}

const unproven = (name: string, because: string): VdoError =>
  new VdoError({
    code: 'NodeGoneUnproven',
    message: `node ${name} is not ready and its VM is not found, but that does not prove that the VM is gone: ${because}; the node is kept`,
    remedy: `If the VM is really gone: kubectl delete node ${name}. Otherwise give the vSphere user System.Read on the VM's folder, or add its datacenter to vsphere.conf.`,
    details: { node: name },
  });

const exists =
  'vCenter still knows it under its old reference, so it lies outside the configured datacenters, has another UUID now, or may not be read by the user';

/** The VM is proven gone, but the budget of deletions is used up. */
export const deletionPaused = (name: string): VdoError =>
  new VdoError({
    code: 'NodeDeletionPaused',
    message: `the VM of node ${name} is gone, but too many nodes were removed within the last hour: the node is kept for now`,
    remedy: `If so many VMs were deleted on purpose: kubectl delete node ${name}, or wait, the node is removed within the next hours. Otherwise find out who deletes VMs.`,
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
 * What becomes of a node. It is deleted only if it is not ready and its VM was proven gone twice, some time apart; whatever
 * is uncertain keeps it. A VM that exists but does not run gives the shutdown taint, which goes when the node is ready.
 */
export const decideFate = (question: FateQuestion): Fate => {
  const { node, sighting } = question;
  const tainted = hasTaint(node, shutdownTaint);
  if (isReady(node)) return { action: tainted ? 'untaint' : 'keep' };
  if (sighting?.state === 'missing') return fateOfMissing(question, sighting.reference);
  if (sighting?.state === 'present' && sighting.powerState !== 'poweredOn' && !tainted) return { action: 'taint' };
  return { action: 'keep' };
};
