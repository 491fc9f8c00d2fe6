import { silentLogger } from '@vdo/base/logger';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { moref } from '@vdo/vsphere/wire/moref';
import { expect, it } from 'vitest';
import { createMemoryIntentStore } from './memory-intent-store.ts';
import { createTaskRecorder, type VolumeIntent } from './volume-intent.ts';

const intent: VolumeIntent = { name: 'pvc-1', server: 'vc', sizeMb: 1n, askedAtMs: 0 };
const task = moref('Task', 'task-1');

const setUp = () => {
  const clock = createVirtualClock();
  const kept = new Map<string, VolumeIntent>();
  const intents = createMemoryIntentStore(kept);
  const { signal } = new AbortController();
  return { clock, kept, intents, options: { intents, intent, clock, logger: silentLogger, signal } };
};

it('notes the task of an operation that takes long', async () => {
  const { clock, kept, options } = setUp();
  const recorder = createTaskRecorder(options);
  await recorder.onTask(task);
  await clock.advance(250);
  expect(kept.get('pvc-1')?.task).toEqual(task);
});

it('writes nothing for one that ends at once, nor after its end', async () => {
  const { clock, kept, options } = setUp();
  const recorder = createTaskRecorder(options);
  await recorder.onTask(task);
  await recorder.settle();
  await clock.advance(1000);
  expect(kept.size).toBe(0);
});

it('waits at the end for the write that is under way, so that the intent can be removed for good', async () => {
  const { clock, intents, options } = setUp();
  let written = () => {};
  const slow = { ...intents, put: () => new Promise<void>((resolve) => (written = resolve)) };
  const recorder = createTaskRecorder({ ...options, intents: slow });
  await recorder.onTask(task);
  await clock.advance(250);
  let settled = false;
  const settling = recorder.settle().then(() => {
    settled = true;
  });
  await clock.advance(1000);
  expect(settled).toBe(false);
  written();
  await settling;
});

it('goes on when the write fails', async () => {
  const { clock, intents, options } = setUp();
  const broken = { ...intents, put: () => Promise.reject(new Error('no')) };
  const recorder = createTaskRecorder({ ...options, intents: broken });
  await recorder.onTask(task);
  await clock.advance(250);
  await expect(recorder.settle()).resolves.toBeUndefined();
});

it('tries again while the operation runs, and not after its end', async () => {
  const { clock, kept, intents, options } = setUp();
  let failing = true;
  let tries = 0;
  const moody: typeof intents = {
    ...intents,
    put: async (...args) => {
      tries += 1;
      if (failing) throw new Error('no');
      return intents.put(...args);
    },
  };
  const recorder = createTaskRecorder({ ...options, intents: moody });
  await recorder.onTask(task);
  await clock.advance(1_000);
  expect(tries).toBe(2);
  failing = false;
  await clock.advance(1_000);
  expect(kept.get('pvc-1')?.task).toEqual(task);
  const ended = createTaskRecorder({ ...options, intents: { ...intents, put: () => Promise.reject(new Error('no')) } });
  await ended.onTask(task);
  await clock.advance(250);
  await ended.settle();
  await clock.advance(60_000);
  expect(tries).toBe(3);
});
