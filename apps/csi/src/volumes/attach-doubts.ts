import type { Clock } from '@vdo/base/clock';
import { effectOf, isVdoError, VdoError } from '@vdo/base/vdo-error';
import { cnsTaskKinds } from '@vdo/vsphere/tasks/cns-task-kinds';
import { createDoubts } from './doubts.ts';
import type { LocatedNode } from './node-locator.ts';

/** What an earlier leader may have requested from vCenter. */
export interface Inherited {
  /** When this process became leader, by the monotonic clock. */
  readonly metMs: number;
  /** The disk was never seen attached: it may be being attached, even if vCenter no longer has the task. */
  readonly mayBeForgotten: boolean;
  /** The request may not have reached vCenter yet. Otherwise only the tasks that vCenter lists are considered. */
  readonly mayArrive: boolean;
}

/** Knows for which disks an operation may still run in vCenter. What is seen of such a disk now does not prove its later state. */
export interface AttachDoubts {
  /** Records that an earlier leader may have requested to attach or detach a disk, with unknown outcome. */
  inherit(volumeId: string, nodeId: string, request: Inherited): void;
  /**
   * Records that a request to attach or detach failed with this error, if the error leaves the outcome open. `askedMs`: when the request was
   * sent, by the monotonic clock.
   */
  noteFailure(volumeId: string, nodeId: string, failure: { readonly error: unknown; readonly askedMs: number }): void;
  /** Whether the disk may still be attached to the VM or detached from it. Must be called before the disk is searched for or detached there. */
  mayStillCome(
    disk: { readonly volumeId: string; readonly nodeId: string | undefined },
    node: LocatedNode,
    options: { readonly signal: AbortSignal },
  ): Promise<boolean>;
  /** Whether there is any doubt. */
  hasAny(): boolean;
}

/** Says that the disk is not attached to the VM now, but an earlier request may still take effect. */
export const stillComing = (volumeId: string, vm: string): VdoError =>
  new VdoError({
    code: 'VolumeBusy',
    message: `an earlier request to attach volume ${volumeId} to VM ${vm} or to detach it may still be running in vCenter: the reply was lost`,
    remedy: 'No action needed: the driver checks again until that request has ended.',
    details: { isComing: true },
  });

export const isStillComing = (error: unknown): boolean =>
  error instanceof VdoError && error.details?.['isComing'] === true;

export const createAttachDoubts = (deps: { readonly clock: Clock }): AttachDoubts => {
  const doubts = createDoubts(deps);
  const nodesOf = new Map<string, Set<string>>();
  const forgotten = new Set<string>();
  const keyOf = (volumeId: string, nodeId: string): string => `${volumeId} ${nodeId}`;

  const mayComeTo = async (volumeId: string, nodeId: string, { vcenter }: LocatedNode, signal: AbortSignal) => {
    const key = keyOf(volumeId, nodeId);
    const question = { key, tasks: vcenter.tasks, kind: cnsTaskKinds.attachOrDetach, forgotten: forgotten.has(key) };
    if (await doubts.mayStillHappen(question, { signal })) return true;
    doubts.settle(key);
    forgotten.delete(key);
    const others = nodesOf.get(volumeId);
    others?.delete(nodeId);
    if (others?.size === 0) nodesOf.delete(volumeId);
    return false;
  };

  const note = (volumeId: string, nodeId: string): string => {
    const nodes = nodesOf.get(volumeId) ?? new Set();
    nodesOf.set(volumeId, nodes.add(nodeId));
    return keyOf(volumeId, nodeId);
  };

  return {
    inherit: (volumeId, nodeId, request) => doubts.inherit(note(volumeId, nodeId), request),
    noteFailure: (volumeId, nodeId, { error, askedMs }) => {
      if (effectOf(error) !== 'unknown') return;
      const key = note(volumeId, nodeId);
      doubts.begin(key, { askedMs });
      if (isVdoError(error, 'VCenterTaskForgotten')) forgotten.add(key);
    },
    mayStillCome: async ({ volumeId, nodeId }, node, { signal }) => {
      const doubtful = [...(nodesOf.get(volumeId) ?? [])].filter((one) => nodeId === undefined || one === nodeId);
      const answers = await Promise.all(doubtful.map((one) => mayComeTo(volumeId, one, node, signal)));
      return answers.includes(true);
    },
    hasAny: () => nodesOf.size > 0,
  };
};
