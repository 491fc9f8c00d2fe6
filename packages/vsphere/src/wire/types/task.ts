import { anyType, array, boolean, dateTime, defineType, enumeration, int, optional, ref, string } from '../schema.ts';
import { KeyAnyValue, LocalizableMessage } from './common.ts';
import { LocalizedMethodFault } from './faults.ts';

export const TaskReason = defineType('TaskReason', {}, { open: true });

export const TaskReasonUser = defineType(
  'TaskReasonUser',
  {
    userName: string,
  },
  { extends: TaskReason },
);

export const TaskReasonSystem = defineType('TaskReasonSystem', {}, { extends: TaskReason });

export const TaskReasonSchedule = defineType(
  'TaskReasonSchedule',
  {
    name: string,
    scheduledTask: ref,
  },
  { extends: TaskReason },
);

export const TaskReasonAlarm = defineType(
  'TaskReasonAlarm',
  {
    alarmName: string,
    alarm: ref,
    entityName: string,
    entity: ref,
  },
  { extends: TaskReason },
);

export const TaskInfo = defineType('TaskInfo', {
  key: string,
  task: ref,
  description: optional(LocalizableMessage),
  name: optional(string),
  descriptionId: string,
  entity: optional(ref),
  entityName: optional(string),
  locked: array(ref),
  state: enumeration('TaskInfoState', 'queued', 'running', 'success', 'error'),
  cancelled: boolean,
  cancelable: boolean,
  error: optional(LocalizedMethodFault),
  result: optional(anyType),
  progress: optional(int),
  progressDetails: array(KeyAnyValue),
  reason: TaskReason,
  queueTime: dateTime,
  startTime: optional(dateTime),
  completeTime: optional(dateTime),
  eventChainId: int,
  changeTag: optional(string),
  parentTaskKey: optional(string),
  rootTaskKey: optional(string),
  activationId: optional(string),
});
