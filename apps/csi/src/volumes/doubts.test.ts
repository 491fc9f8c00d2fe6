import type { Clock } from '@vdo/base/clock';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import type { RecentTasks, TaskFate } from '@vdo/vsphere/tasks/recent-tasks';
import { moref } from '@vdo/vsphere/wire/moref';
import { describe, expect, test } from 'vitest';
import { createDoubts } from './doubts.ts';

const kind = /createvolume/;
const signal = new AbortController().signal;

/** Another may have sent a request before now. */
const met = (clock: Clock) => ({ metMs: clock.monotonicMs(), mayBeForgotten: false });

/** A vCenter that has these tasks. */
const setUp = () => {
  const clock = createVirtualClock();
  const running = new Set<string>();
  const forgotten = new Set<string>();
  let renewedMs: number | undefined;
  const fateOf = (task: string): TaskFate => {
    if (forgotten.has(task)) return 'forgotten';
    return running.has(task) ? 'under way' : 'ended';
  };
  const tasks: RecentTasks = {
    underWay: async () => [...running].map((task) => moref('Task', task)),
    fatesOf: async (asked) => asked.map(({ value }) => fateOf(value)),
    forgottenUntilMs: async () => renewedMs,
  };
  const doubts = createDoubts({ clock });
  const ask = (options: { readonly key?: string; readonly forgotten?: boolean } = {}) =>
    doubts.mayStillHappen({ key: 'a', tasks, kind, forgotten: false, ...options }, { signal });
  const restart = () => {
    renewedMs = clock.monotonicMs();
    running.clear();
  };
  return { clock, running, forgotten, doubts, ask, restart };
};

describe('what became of a request is not known', () => {
  test('while a proxy may still hold it', async () => {
    const { clock, doubts, ask } = setUp();
    doubts.inherit('a', met(clock));
    await clock.advance(59_000);
    expect(await ask()).toBe(true);
    await clock.advance(2_000);
    expect(await ask()).toBe(false);
  });

  test('for six minutes after a vCenter restarted that may have forgotten its task before anybody looked', async () => {
    const { clock, doubts, ask, restart } = setUp();
    doubts.inherit('a', met(clock));
    await clock.advance(70_000);
    restart();
    expect(await ask()).toBe(true);
    await clock.advance(359_000);
    expect(await ask()).toBe(true);
    await clock.advance(2_000);
    expect(await ask()).toBe(false);
  });

  test('no longer than ever if vCenter restarted before', async () => {
    const { clock, doubts, ask, restart } = setUp();
    restart();
    await clock.advance(1_000);
    doubts.begin('a', { askedMs: clock.monotonicMs() });
    await clock.advance(61_000);
    expect(await ask()).toBe(false);
  });

  test.each([
    ['after this process had sent it', true],
    ['and another may have sent it before', false],
  ])('if vCenter restarted before it was known to be in doubt, %s', async (_name, isOwn) => {
    const { clock, doubts, ask, restart } = setUp();
    await clock.advance(40_000);
    restart();
    await clock.advance(10_000);
    if (isOwn) doubts.begin('a', { askedMs: 0 });
    else doubts.inherit('a', met(clock));
    await clock.advance(61_000);
    expect(await ask()).toBe(true);
    await clock.advance(288_000);
    expect(await ask()).toBe(true);
    await clock.advance(2_000);
    expect(await ask()).toBe(false);
  });

  test('for six minutes from when it was met, if vCenter may have forgotten it and nobody is left to tell', async () => {
    const { clock, doubts, ask } = setUp();
    await clock.advance(100_000);
    doubts.inherit('a', { metMs: 0, mayBeForgotten: true });
    await clock.advance(259_000);
    expect(await ask()).toBe(true);
    await clock.advance(2_000);
    expect(await ask()).toBe(false);
  });

  test('from the last of several that this process sent', async () => {
    const { clock, doubts, ask } = setUp();
    doubts.begin('a', { askedMs: 0 });
    await clock.advance(50_000);
    doubts.begin('a', { askedMs: 50_000 });
    await clock.advance(59_000);
    expect(await ask()).toBe(true);
    await clock.advance(2_000);
    expect(await ask()).toBe(false);
  });

  test('as long as a task runs that may be its own, however long that takes', async () => {
    const { clock, running, ask } = setUp();
    running.add('task-1');
    expect(await ask()).toBe(true);
    await clock.advance(300_000);
    expect(await ask()).toBe(true);
    running.delete('task-1');
    expect(await ask()).toBe(false);
  });

  test('if its task began in the last moment before the first look that counts', async () => {
    const { clock, running, doubts, ask } = setUp();
    doubts.inherit('a', met(clock));
    await clock.advance(61_000);
    running.add('task-1');
    expect(await ask()).toBe(true);
  });

  test('for some minutes after vCenter forgot a task that may be its own', async () => {
    const { clock, running, forgotten, ask } = setUp();
    running.add('task-1');
    await ask();
    running.delete('task-1');
    forgotten.add('task-1');
    await clock.advance(61_000);
    expect(await ask()).toBe(true);
    await clock.advance(359_000);
    expect(await ask()).toBe(true);
    await clock.advance(2_000);
    expect(await ask()).toBe(false);
  });

  test('for some minutes after vCenter forgot the noted task, counted once', async () => {
    const { clock, ask } = setUp();
    expect(await ask({ forgotten: true })).toBe(true);
    await clock.advance(300_000);
    expect(await ask({ forgotten: true })).toBe(true);
    await clock.advance(61_000);
    expect(await ask({ forgotten: true })).toBe(false);
  });
});

describe('what became of a request is known', () => {
  test('although tasks of others begin after it could not arrive any more', async () => {
    const { clock, running, ask } = setUp();
    await ask();
    await clock.advance(61_000);
    expect(await ask()).toBe(false);
    running.add('task-of-another');
    expect(await ask()).toBe(false);
  });

  test('for each request by itself', async () => {
    const { clock, doubts, ask } = setUp();
    doubts.inherit('a', met(clock));
    await clock.advance(61_000);
    expect(await ask({ key: 'b' })).toBe(true);
    expect(await ask({ key: 'a' })).toBe(false);
  });

  test('and what another sent does not get younger by being met again, unless it was settled', async () => {
    const { clock, doubts, ask } = setUp();
    doubts.inherit('a', met(clock));
    await clock.advance(61_000);
    doubts.inherit('a', met(clock));
    expect(await ask()).toBe(false);
    doubts.settle('a');
    expect(await ask()).toBe(true);
  });
});
