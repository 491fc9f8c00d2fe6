import { annotationKeys } from '@vdo/config/names';
import type { NodeCondition, PersistentVolume, PersistentVolumeClaim, Pod } from '@vdo/kube/types/core';
import type { VolumeSnapshot } from '@vdo/kube/types/snapshots';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { AttachmentFact, Operation, Step } from '../rows/volume-row.ts';
import type { AttachTimes } from './step-times.ts';
import { given, millis, type VolumeIntentFact } from './volume-facts.ts';

const withError = (message: string | undefined) => (message ? { error: message } : {});

/** Steps by name, with what is known of those that are done. */
const stepsOf = (
  ...steps: readonly (readonly [name: string, atMs?: number | undefined, task?: string | undefined])[]
) => steps.map(([name, atMs, task]): Step => ({ name, ...given({ atMs, task }) }));

/** `Task:task-42`, as intents have it. */
const taskName = (task: string | undefined): string | undefined => task?.split(':').at(-1);

/** A claim without a volume, with what the storage controller recorded when it started the task in vCenter. */
export const creation = (
  claim: PersistentVolumeClaim,
  intent: VolumeIntentFact | undefined,
  /** Of a claim that waits for a pod: when the first one was created. */
  wantedMs = 0,
): Operation => {
  const sinceMs = Math.max(millis(claim.metadata.creationTimestamp) ?? 0, wantedMs);
  const { task, askedAt } = intent?.spec ?? {};
  return {
    what: 'create',
    steps: stepsOf(['requested', sinceMs], ['task', task ? millis(askedAt) : undefined, taskName(task)], ['created']),
    done: task ? 2 : 1,
    sinceMs,
  };
};

/** The task that the storage controller recorded, unless its attempt has failed since. */
export const attachTask = ({ metadata, status }: VolumeAttachment): Step | undefined => {
  const [task = '', at] = metadata.annotations?.[annotationKeys.attachTask]?.split(' ') ?? [];
  const atMs = millis(at);
  const failedMs = millis(status?.attachError?.time) ?? 0;
  return task === '' || atMs === undefined || atMs < failedMs ? undefined : { name: 'task', atMs, task };
};

export const attachmentFact = (attachment: VolumeAttachment, times: AttachTimes = new Map()): AttachmentFact => {
  const { metadata, spec, status } = attachment;
  const leaving = millis(metadata.deletionTimestamp);
  const error = leaving === undefined ? status?.attachError?.message : status?.detachError?.message;
  const state = leaving !== undefined ? 'detaching' : status?.attached ? 'attached' : 'attaching';
  const asked = millis(metadata.creationTimestamp) ?? 0;
  const attached = state === 'attached' ? times.get(metadata.uid ?? '') : undefined;
  return { node: spec.nodeName, state, sinceMs: leaving ?? attached ?? asked, ...withError(error) };
};

export const attachmentOperation = (attachment: VolumeAttachment): readonly Operation[] => {
  const { node, state, sinceMs, error } = attachmentFact(attachment);
  if (state === 'attached') return [];
  const shared = { sinceMs, on: node, ...withError(error) };
  if (state === 'detaching')
    return [{ what: 'detach', steps: stepsOf(['requested', sinceMs], ['detached']), done: 1, ...shared }];
  const task = attachTask(attachment);
  const steps = [...stepsOf(['requested', sinceMs]), task ?? { name: 'task' }, ...stepsOf(['attached'], ['mounted'])];
  return [{ what: 'attach', steps, done: task ? 2 : 1, ...shared }];
};

/** The disk is attached, and the kubelet still prepares the volumes: the containers have not started. */
export const mounting = (
  pod: Pod,
  attachments: readonly VolumeAttachment[],
  times: AttachTimes = new Map(),
): readonly Operation[] => {
  const attached = attachments.find(
    ({ spec, status, metadata }) =>
      spec.nodeName === pod.spec.nodeName && status?.attached && metadata.deletionTimestamp === undefined,
  );
  const started = pod.status?.conditions?.find(({ type }) => type === 'PodReadyToStartContainers');
  if (!attached || pod.status?.phase !== 'Pending' || started?.status !== 'False') return [];
  const askedMs = millis(attached.metadata.creationTimestamp) ?? 0;
  const attachedMs = times.get(attached.metadata.uid ?? '');
  const sinceMs = Math.max(attachedMs ?? askedMs, millis(pod.metadata.creationTimestamp) ?? 0);
  const steps = [
    ...stepsOf(['requested', askedMs]),
    attachTask(attached) ?? { name: 'task' },
    ...stepsOf(['attached', attachedMs], ['mounted']),
  ];
  return [{ what: 'mount', steps, done: 3, sinceMs, on: attached.spec.nodeName }];
};

const holds = (conditions: readonly NodeCondition[] | undefined, type: string): NodeCondition | undefined =>
  conditions?.find((condition) => condition.type === type && condition.status === 'True');

export const expansion = ({ status }: PersistentVolumeClaim): readonly Operation[] => {
  const asked = holds(status?.conditions, 'Resizing');
  const onNode = holds(status?.conditions, 'FileSystemResizePending');
  const resizing = onNode ?? asked;
  if (!resizing) return [];
  const sinceMs = millis(resizing.lastTransitionTime) ?? 0;
  const steps = stepsOf(
    ['requested', millis(asked?.lastTransitionTime)],
    ['disk', millis(onNode?.lastTransitionTime)],
    ['file system'],
  );
  return [{ what: 'expand', steps, done: onNode ? 2 : 1, sinceMs }];
};

export const deletion = ({ metadata, spec, status }: PersistentVolume): readonly Operation[] => {
  const asked = millis(metadata.deletionTimestamp);
  const released = status?.phase === 'Released' && spec.persistentVolumeReclaimPolicy === 'Delete';
  if (asked === undefined && !released) return [];
  const sinceMs = asked ?? millis(status?.lastPhaseTransitionTime) ?? 0;
  const steps = stepsOf(['requested', sinceMs], ['deleted']);
  return [{ what: 'delete', steps, done: 1, sinceMs, ...withError(status?.message) }];
};

export const snapshotting = ({ metadata, status }: VolumeSnapshot): readonly Operation[] => {
  if (status?.readyToUse) return [];
  const sinceMs = millis(metadata.creationTimestamp) ?? 0;
  const steps = stepsOf(['requested', sinceMs], ['taken', millis(status?.creationTime)], ['ready']);
  const done = status?.creationTime ? 2 : 1;
  return [{ what: 'snapshot', steps, done, sinceMs, on: metadata.name ?? '', ...withError(status?.error?.message) }];
};
