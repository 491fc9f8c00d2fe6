import type { Clock } from '@vdo/base/clock';
import { effectOf, isVdoError, VdoError } from '@vdo/base/vdo-error';
import { cnsTaskKinds } from '@vdo/vsphere/tasks/cns-task-kinds';
import { createDoubts } from './doubts.ts';
import type { LocatedNode } from './node-locator.ts';

/** What a leader before may have asked vCenter for. */
export interface Inherited {
  /** When this process took over, by the monotonic clock. */
  readonly metMs: number;
  /** The disk was never seen attached: its attachment may be under way, also if vCenter has forgotten that. */
  readonly mayBeForgotten: boolean;
  /** The request may not even have reached vCenter yet. Else only what vCenter is seen to be at counts. */
  readonly mayArrive: boolean;
}

/** Knows for which disks vCenter may still be at work, so that what is seen of them now is no proof of what will be. */
export interface AttachDoubts {
  /** Notes that a leader before may have asked for a disk to be attached or detached, and nobody knows how that ended. */
  inherit(volumeId: string, nodeId: string, request: Inherited): void;
  /**
   * Notes that vCenter was asked for one of both and answered with this error, if that leaves open how it ended. `askedMs`: when it was
   * asked, by the monotonic clock.
   */
  noteFailure(volumeId: string, nodeId: string, failure: { readonly error: unknown; readonly askedMs: number }): void;
  /** Whether the disk may still come to the VM, or be taken off it. To be asked before it is looked for or detached there. */
  mayStillCome(
    disk: { readonly volumeId: string; readonly nodeId: string | undefined },
    node: LocatedNode,
    options: { readonly signal: AbortSignal },
  ): Promise<boolean>;
  /** Whether there is any doubt. */
  hasAny(): boolean;
}

/** Says that the disk is off the VM now, and that what was asked before may still come about. */
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
