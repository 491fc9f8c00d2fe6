import { silentLogger } from '@vdo/base/logger';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { moref } from '@vdo/vsphere/wire/moref';
import { expect, it } from 'vitest';
import { createTaskNote } from './task-note.ts';

const task = moref('Task', 'task-1');

const setUp = (write: (value: string) => Promise<unknown> = async () => {}, assertHeld = () => {}) => {
  const clock = createVirtualClock();
  const written: string[] = [];
  const note = createTaskNote({
    write: (value) => {
      written.push(value);
      return write(value);
    },
    name: 'a',
    clock,
    fence: { assertHeld },
    logger: silentLogger,
  });
  return { clock, written, note };
};

it('names the task and when vCenter accepted it, once it has taken a second', async () => {
  const { clock, written, note } = setUp();
  const accepted = new Date(clock.now()).toISOString();
  note.onTask(task);
  await clock.advance(900);
  expect(written).toEqual([]);
  await clock.advance(100);
  expect(written).toEqual([`task-1 ${accepted}`]);
});

it('writes nothing of what has ended', async () => {
  const { clock, written, note } = setUp();
  note.onTask(task);
  await note.settle();
  await clock.advance(5_000);
  expect(written).toEqual([]);
});

it('does not fail an attachment that it cannot write to', async () => {
  const { clock, written, note } = setUp(async () => {
    throw new Error('conflict');
  });
  note.onTask(task);
  await clock.advance(1_000);
  await note.settle();
  expect(written).toHaveLength(1);
});

it('writes nothing once the Lease is lost', async () => {
  const { clock, written, note } = setUp(
    async () => {},
    () => {
      throw new Error('the Lease is lost');
    },
  );
  note.onTask(task);
  await clock.advance(1_000);
  await note.settle();
  expect(written).toEqual([]);
});

it('settles only when the write under way has ended', async () => {
  let end = () => {};
  const { clock, note } = setUp(() => new Promise<void>((resolve) => (end = resolve)));
  note.onTask(task);
  await clock.advance(1_000);
  let settled = false;
  const settling = note.settle().then(() => {
    settled = true;
  });
  await clock.advance(1_000);
  expect(settled).toBe(false);
  end();
  await settling;
});
