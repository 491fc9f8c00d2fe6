import type { NodeCondition, PersistentVolume, PersistentVolumeClaim, Pod } from '@vdo/kube/types/core';
import type { VolumeSnapshot } from '@vdo/kube/types/snapshots';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { AttachmentFact, Operation } from '../rows/volume-row.ts';
import { millis, type VolumeIntentFact } from './volume-facts.ts';

const steps = {
  create: ['asked', 'task', 'created'],
  attach: ['asked', 'attached', 'mounted'],
  detach: ['asked', 'detached'],
  expand: ['asked', 'disk', 'file system'],
  delete: ['asked', 'deleted'],
  snapshot: ['asked', 'ready'],
} as const;

const withError = (message: string | undefined) => (message ? { error: message } : {});

/** A claim without a volume, with what the storage controller noted when it asked vCenter. */
export const creation = (claim: PersistentVolumeClaim, intent: VolumeIntentFact | undefined): Operation => ({
  what: 'create',
  steps: steps.create,
  done: intent ? (intent.spec.task ? 2 : 1) : 0,
  sinceMs: millis(claim.metadata.creationTimestamp) ?? 0,
});

export const attachmentFact = ({ metadata, spec, status }: VolumeAttachment): AttachmentFact => {
  const leaving = millis(metadata.deletionTimestamp);
  const error = leaving === undefined ? status?.attachError?.message : status?.detachError?.message;
  const state = leaving !== undefined ? 'detaching' : status?.attached ? 'attached' : 'attaching';
  return {
    node: spec.nodeName,
    state,
    sinceMs: leaving ?? millis(metadata.creationTimestamp) ?? 0,
    ...withError(error),
  };
};

export const attachmentOperation = ({ node, state, sinceMs, error }: AttachmentFact): readonly Operation[] => {
  if (state === 'attached') return [];
  const what = state === 'attaching' ? 'attach' : 'detach';
  return [{ what, steps: steps[what], done: 1, sinceMs, on: node, ...withError(error) }];
};

/** The disk is attached; the kubelet has not started the containers yet because it still prepares the volumes. */
export const mounting = (pod: Pod, attachments: readonly AttachmentFact[]): readonly Operation[] => {
  const attached = attachments.find(({ node, state }) => node === pod.spec.nodeName && state === 'attached');
  const started = pod.status?.conditions?.find(({ type }) => type === 'PodReadyToStartContainers');
  if (!attached || pod.status?.phase !== 'Pending' || started?.status !== 'False') return [];
  const sinceMs = Math.max(attached.sinceMs, millis(pod.metadata.creationTimestamp) ?? 0);
  return [{ what: 'mount', steps: steps.attach, done: 2, sinceMs, on: attached.node }];
};

const holds = (conditions: readonly NodeCondition[] | undefined, type: string): NodeCondition | undefined =>
  conditions?.find((condition) => condition.type === type && condition.status === 'True');

export const expansion = ({ status }: PersistentVolumeClaim): readonly Operation[] => {
  const onNode = holds(status?.conditions, 'FileSystemResizePending');
  const resizing = onNode ?? holds(status?.conditions, 'Resizing');
  if (!resizing) return [];
  const sinceMs = millis(resizing.lastTransitionTime) ?? 0;
  return [{ what: 'expand', steps: steps.expand, done: onNode ? 2 : 1, sinceMs }];
};

export const deletion = ({ metadata, spec, status }: PersistentVolume): readonly Operation[] => {
  const asked = millis(metadata.deletionTimestamp);
  const released = status?.phase === 'Released' && spec.persistentVolumeReclaimPolicy === 'Delete';
  if (asked === undefined && !released) return [];
  const sinceMs = asked ?? millis(status?.lastPhaseTransitionTime) ?? 0;
  return [{ what: 'delete', steps: steps.delete, done: 1, sinceMs, ...withError(status?.message) }];
};

export const snapshotting = ({ metadata, status }: VolumeSnapshot): readonly Operation[] =>
  status?.readyToUse
    ? []
    : [
        {
          what: 'snapshot',
          steps: steps.snapshot,
          done: 1,
          sinceMs: millis(metadata.creationTimestamp) ?? 0,
          on: metadata.name ?? '',
          ...withError(status?.error?.message),
        },
      ];
