import { fenced } from '../soap/fenced.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import type { FinishedTask } from '../tasks/pending-tasks.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import type { MoRef } from '../wire/moref.ts';
import type { CnsMutationOptions } from './cns-types.ts';

/** Sends a storage mutation: the fence is checked right before each request, and the task is passed on as soon as it is known. */
export const mutate = async (
  send: (sending: CallOptions) => Promise<MoRef>,
  tasks: TaskWaiter,
  options: CnsMutationOptions,
): Promise<FinishedTask> => {
  const task = await send(fenced(options));
  await options.onTask?.(task);
  return tasks.wait(task, options);
};
