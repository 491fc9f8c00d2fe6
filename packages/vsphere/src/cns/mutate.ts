import type { FinishedTask } from '../tasks/pending-tasks.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import type { MoRef } from '../wire/moref.ts';
import type { CnsMutationOptions } from './cns-types.ts';

/** Sends a storage mutation: the fence is checked last before it leaves, the task is told as soon as it is known. */
export const mutate = async (
  send: () => Promise<MoRef>,
  tasks: TaskWaiter,
  options: CnsMutationOptions,
): Promise<FinishedTask> => {
  options.fence.assertHeld();
  const task = await send();
  await options.onTask?.(task);
  return tasks.wait(task, options);
};
