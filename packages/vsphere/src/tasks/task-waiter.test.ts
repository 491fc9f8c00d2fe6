import { createSeededRandom } from '@vdo/base/random';
import { describe, expect, it } from 'vitest';
import { ScriptedFault } from '../testing/scripted-sdk.ts';
import { createScriptedSession } from '../testing/scripted-session.ts';
import {
  createFilter,
  createListView,
  createPropertyCollector,
  destroyPropertyCollector,
  destroyView,
  modifyListView,
  retrievePropertiesEx,
  waitForUpdatesEx,
} from '../wire/methods/property.ts';
import { type MoRef, moref } from '../wire/moref.ts';
import { make } from '../wire/schema.ts';
import { TaskInfo } from '../wire/types/task.ts';
import { createTaskWaiter } from './task-waiter.ts';

const task = (i: number) => moref('Task', `task-${i}`);
const taskInfo = (ref: MoRef, state: string, error?: string) =>
  make(TaskInfo, {
    key: ref.value,
    task: ref,
    name: 'Create',
    descriptionId: 'CnsCreateVolume',
    state,
    cancelled: false,
    cancelable: false,
    queueTime: new Date(0),
    eventChainId: 1,
    reason: { $type: 'TaskReasonSystem' },
    ...(error ? { error: { fault: { $type: error }, localizedMessage: 'said' } } : {}),
  });

/** A vCenter whose tasks finish when the test says so. */
const setup = () => {
  const { session, sdk, clock } = createScriptedSession();
  const states = new Map<string, { state: string; error?: string }>();
  const watched = new Set<string>();
  let changed: string[] = [];
  let waiting: (() => void) | undefined;
  let version = 0;
  let breakWith: unknown;
  const infoOf = (value: string) => {
    const { state = 'running', error } = states.get(value) ?? {};
    return taskInfo(moref('Task', value), state, error);
  };
  sdk
    .on(createListView, () => moref('ListView', `view-${sdk.count('CreateListView')}`))
    .on(destroyView, () => undefined)
    .on(createPropertyCollector, () => moref('PropertyCollector', 'own'))
    .on(destroyPropertyCollector, () => undefined)
    .on(createFilter, () => moref('PropertyFilter', 'f'))
    .on(modifyListView, ({ add = [], remove = [] }) => {
      for (const { value } of add) watched.add(value);
      for (const { value } of remove) watched.delete(value);
      return [];
    })
    .on(retrievePropertiesEx, ({ specSet }) => {
      const refs = specSet?.[0]?.objectSet?.map(({ obj }) => obj) ?? [];
      const missing = refs.find(({ value }) => !states.has(value));
      if (missing) throw new ScriptedFault({ $type: 'ManagedObjectNotFound', ...{ obj: missing } });
      return { objects: refs.map((obj) => ({ obj, propSet: [{ name: 'info', val: infoOf(obj.value) }] })) };
    })
    .on(waitForUpdatesEx, async (_args, { signal }) => {
      await new Promise<void>((resolve, reject) => {
        waiting = resolve;
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
      if (breakWith) {
        const error = breakWith;
        breakWith = undefined;
        throw error;
      }
      const objectSet = changed.map((value) => ({
        kind: 'modify',
        obj: moref('Task', value),
        changeSet: [{ name: 'info', op: 'assign', val: infoOf(value) }],
      }));
      changed = [];
      return { version: `${++version}`, filterSet: [{ filter: moref('PropertyFilter', 'f'), objectSet }] };
    });
  const tasks = createTaskWaiter({ session, clock, random: createSeededRandom(1) });
  const settle = () => clock.advance(100).then(() => clock.advance(0));
  return {
    sdk,
    clock,
    tasks,
    watched,
    settle,
    start: (i: number, state = 'running', error?: string) =>
      states.set(`task-${i}`, { state, ...(error ? { error } : {}) }),
    finish: async (i: number, state: string, error?: string) => {
      states.set(`task-${i}`, { state, ...(error ? { error } : {}) });
      changed.push(`task-${i}`);
      waiting?.();
      await settle();
    },
    breakWait: async (error: unknown) => {
      breakWith = error;
      waiting?.();
      await settle();
    },
  };
};

const until = async (testbed: ReturnType<typeof setup>, condition: () => boolean) => {
  for (let i = 0; i < 100 && !condition(); i++) await testbed.settle();
  expect(condition()).toBe(true);
};

describe('waiting for tasks', () => {
  it('takes one view and one long poll for all of them', async () => {
    const testbed = setup();
    for (const i of [1, 2, 3]) testbed.start(i);
    const waits = [1, 2, 3].map((i) => testbed.tasks.wait(task(i)));
    await until(testbed, () => testbed.watched.size === 3 && testbed.sdk.count('WaitForUpdatesEx') === 1);
    expect(testbed.sdk.count('ModifyListView')).toBe(1);
    await testbed.finish(2, 'success');
    await expect(waits[1]).resolves.toMatchObject({ state: 'success', task: task(2) });
    await testbed.finish(1, 'success');
    await testbed.finish(3, 'success');
    await Promise.all(waits);
    expect(testbed.sdk.count('CreateListView')).toBe(1);
    testbed.tasks.close();
  });

  it('looks once at all tasks that end soon, and needs no view for them', async () => {
    const testbed = setup();
    for (const i of [1, 2, 3]) testbed.start(i, 'success');
    const waits = Promise.all([1, 2, 3].map((i) => testbed.tasks.wait(task(i))));
    await testbed.settle();
    expect((await waits).map(({ state }) => state)).toEqual(['success', 'success', 'success']);
    expect(testbed.sdk.count('RetrievePropertiesEx')).toBe(1);
    expect(testbed.sdk.count('CreateListView')).toBe(0);
    testbed.tasks.close();
  });

  it('looks a second time before it takes a task into the view', async () => {
    const testbed = setup();
    testbed.start(1);
    const wait = testbed.tasks.wait(task(1));
    await until(testbed, () => testbed.sdk.count('RetrievePropertiesEx') === 1);
    testbed.start(1, 'success');
    await until(testbed, () => testbed.sdk.count('RetrievePropertiesEx') === 2);
    await expect(wait).resolves.toMatchObject({ state: 'success' });
    expect(testbed.sdk.count('CreateListView')).toBe(0);
    testbed.tasks.close();
  });

  it('serves several waiters of one task', async () => {
    const testbed = setup();
    testbed.start(1);
    const waits = [testbed.tasks.wait(task(1)), testbed.tasks.wait(task(1))];
    await until(testbed, () => testbed.watched.has('task-1') && testbed.sdk.count('WaitForUpdatesEx') === 1);
    await testbed.finish(1, 'success');
    expect(await Promise.all(waits)).toHaveLength(2);
    testbed.tasks.close();
  });

  it.each([
    ['NoPermission', 'VCenterPermissionDenied'],
    ['NoDiskSpace', 'DatastoreFull'],
  ])('throws what the task failed with: %s is %s', async (fault, code) => {
    const testbed = setup();
    testbed.start(1, 'error', fault);
    const failed = expect(testbed.tasks.wait(task(1))).rejects.toMatchObject({ code, details: { fault } });
    await testbed.settle();
    await failed;
    testbed.tasks.close();
  });

  it('says that vCenter forgot a task', async () => {
    const testbed = setup();
    const failed = expect(testbed.tasks.wait(task(9))).rejects.toMatchObject({ code: 'VCenterTaskForgotten' });
    await testbed.settle();
    await failed;
    testbed.tasks.close();
  });

  it('goes on after the session was lost, with a new view', async () => {
    const testbed = setup();
    testbed.start(1);
    const wait = testbed.tasks.wait(task(1));
    await until(testbed, () => testbed.sdk.count('WaitForUpdatesEx') === 1);
    await testbed.breakWait(new ScriptedFault({ $type: 'ManagedObjectNotFound' }));
    await testbed.clock.advance(1_000);
    await until(
      testbed,
      () => testbed.sdk.count('CreateListView') === 2 && testbed.sdk.count('WaitForUpdatesEx') === 2,
    );
    await testbed.finish(1, 'success');
    await expect(wait).resolves.toMatchObject({ state: 'success' });
    testbed.tasks.close();
  });

  it('fails all waiters with an error that only a person can cure', async () => {
    const testbed = setup();
    testbed.start(1);
    const wait = testbed.tasks.wait(task(1));
    const failed = expect(wait).rejects.toMatchObject({ code: 'VCenterPermissionDenied' });
    await until(testbed, () => testbed.sdk.count('WaitForUpdatesEx') === 1);
    await testbed.breakWait(new ScriptedFault({ $type: 'NoPermission' }));
    await failed;
    testbed.tasks.close();
  });

  it('forgets a task whose only waiter gave up', async () => {
    const testbed = setup();
    testbed.start(1);
    testbed.start(2);
    const stop = new AbortController();
    const wait = testbed.tasks.wait(task(1), { signal: stop.signal });
    await until(testbed, () => testbed.watched.has('task-1'));
    stop.abort(new Error('gave up'));
    await expect(wait).rejects.toThrow('gave up');
    const next = testbed.tasks.wait(task(2));
    await until(testbed, () => testbed.watched.has('task-2'));
    expect(testbed.watched.has('task-1')).toBe(false);
    await testbed.finish(2, 'success');
    await next;
    testbed.tasks.close();
  });

  it('ends with the connection', async () => {
    const testbed = setup();
    testbed.start(1);
    const wait = testbed.tasks.wait(task(1));
    await until(testbed, () => testbed.watched.has('task-1'));
    testbed.tasks.close();
    await expect(wait).rejects.toMatchObject({ code: 'Cancelled' });
    await expect(testbed.tasks.wait(task(2))).rejects.toMatchObject({ code: 'Cancelled' });
  });
});
