import { VdoError } from '@vdo/base/vdo-error';
import { faultError } from '../soap/fault-error.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import type { Value } from '../wire/schema.ts';
import type { TaskInfo } from '../wire/types/task.ts';

type Fault = { readonly $type: string; readonly [field: string]: unknown };

/** The error of a failed task. Faults with their own error code keep it; the others become VCenterTaskFailed. */
export const taskError = (server: string, info: Value<typeof TaskInfo>): VdoError => {
  const { error } = info;
  const call = info.descriptionId === '' ? 'a task' : info.descriptionId;
  const fault = error?.fault as Fault | undefined;
  const message = error?.localizedMessage ?? '';
  const translated = faultError(fault, message, { server, call });
  if (translated.code !== 'VCenterFault') return translated;
  const object = info.entityName ?? (info.entity ? morefKey(info.entity) : 'vCenter');
  return new VdoError({
    code: 'VCenterTaskFailed',
    message: `task ${info.task.value} (${call}) on ${object} of vCenter ${server} failed with ${fault?.$type ?? 'a fault'}${message === '' ? '' : `: ${message}`}`,
    remedy: 'See the task in vCenter (Monitor → Tasks) for its full message. The operation is retried automatically.',
    details: { ...translated.details, task: info.task.value },
  });
};

/** vCenter removes finished tasks after a while, and all tasks when it restarts. Their work may be done, or may still continue. */
export const taskGone = (server: string, task: MoRef): VdoError =>
  new VdoError({
    code: 'VCenterTaskForgotten',
    message: `vCenter ${server} no longer has the task ${task.value}`,
    remedy: 'No action needed: the driver checks whether the task took effect, and retries if it did not.',
    details: { fault: 'ManagedObjectNotFound', object: morefKey(task) },
  });
