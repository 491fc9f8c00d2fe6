import type { Metrics } from '@vdo/base/metrics';
import type { TaskWaiter } from './task-waiter.ts';

/** Counts the tasks that this process waits for. */
export const measureTasks = (tasks: TaskWaiter, metrics: Metrics, server: string): TaskWaiter => {
  const inFlight = metrics.gauge<'server'>({
    name: 'vdo_vcenter_tasks_in_flight',
    help: 'Tasks of vCenter that this process waits for.',
    labels: ['server'],
  });
  let count = 0;
  const change = (by: number): void => {
    count += by;
    inFlight.set({ server }, count);
  };
  change(0);
  return {
    ...tasks,
    wait: async (task, options) => {
      change(1);
      try {
        return await tasks.wait(task, options);
      } finally {
        change(-1);
      }
    },
  };
};
