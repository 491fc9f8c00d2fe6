import { createVirtualClock } from '@vdo/base/virtual-clock';
import { expect, test } from 'vitest';
import { moref } from '../wire/moref.ts';
import { createPendingTasks, type FinishedTask } from './pending-tasks.ts';

const task = moref('Task', 'task-7');
const infoOf = (state: 'running' | 'success', queuedMs: number): FinishedTask => ({
  key: task.value,
  task,
  descriptionId: 'com.vmware.cns.tasks.createvolume',
  locked: [],
  state,
  cancelled: false,
  cancelable: false,
  progressDetails: [],
  queueTime: new Date(queuedMs),
  eventChainId: 1,
  reason: { $type: 'TaskReasonSystem' },
});

const setUp = async () => {
  const clock = createVirtualClock();
  await clock.advance(1_000);
  const pending = createPendingTasks('vc', clock);
  return { pending, waiting: pending.wait(task, { isNew: () => undefined }) };
};

test('a task that was seen before the session was lost is known again after it', async () => {
  const { pending, waiting } = await setUp();
  pending.observe(task, infoOf('running', 5), undefined);
  pending.observe(task, infoOf('success', 5), 2_000);
  expect(await waiting).toMatchObject({ state: 'success' });
});

test('a session that was lost before the task began says nothing about it', async () => {
  const { pending, waiting } = await setUp();
  pending.observe(task, infoOf('success', 5), 900);
  expect(await waiting).toMatchObject({ state: 'success' });
});

test.each([
  ['was queued at another time', [5, 6], undefined],
  ['was first seen after the session was lost', [5], 2_000],
])('a task that %s may be another with its number', async (_name, queued, renewedMs) => {
  const { pending, waiting } = await setUp();
  waiting.catch(() => {});
  for (const queuedMs of queued.slice(0, -1)) pending.observe(task, infoOf('running', queuedMs), undefined);
  pending.observe(task, infoOf('success', queued.at(-1) ?? 0), renewedMs);
  await expect(waiting).rejects.toMatchObject({ code: 'VCenterTaskForgotten' });
});
