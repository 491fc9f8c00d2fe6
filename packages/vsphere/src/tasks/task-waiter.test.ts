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

const until = async (house: ReturnType<typeof setup>, condition: () => boolean) => {
  for (let i = 0; i < 100 && !condition(); i++) await house.settle();
  expect(condition()).toBe(true);
};

describe('waiting for tasks', () => {
  it('takes one view and one long poll for all of them', async () => {
    const house = setup();
    for (const i of [1, 2, 3]) house.start(i);
    const waits = [1, 2, 3].map((i) => house.tasks.wait(task(i)));
    await until(house, () => house.watched.size === 3 && house.sdk.count('WaitForUpdatesEx') === 1);
    expect(house.sdk.count('ModifyListView')).toBe(1);
    await house.finish(2, 'success');
    await expect(waits[1]).resolves.toMatchObject({ state: 'success', task: task(2) });
    await house.finish(1, 'success');
    await house.finish(3, 'success');
    await Promise.all(waits);
    expect(house.sdk.count('CreateListView')).toBe(1);
    house.tasks.close();
  });

  it('looks once at all tasks that end soon, and needs no view for them', async () => {
    const house = setup();
    for (const i of [1, 2, 3]) house.start(i, 'success');
    const waits = Promise.all([1, 2, 3].map((i) => house.tasks.wait(task(i))));
    await house.settle();
    expect((await waits).map(({ state }) => state)).toEqual(['success', 'success', 'success']);
    expect(house.sdk.count('RetrievePropertiesEx')).toBe(1);
    expect(house.sdk.count('CreateListView')).toBe(0);
    house.tasks.close();
  });

  it('looks a second time before it takes a task into the view', async () => {
    const house = setup();
    house.start(1);
    const wait = house.tasks.wait(task(1));
    await until(house, () => house.sdk.count('RetrievePropertiesEx') === 1);
    house.start(1, 'success');
    await until(house, () => house.sdk.count('RetrievePropertiesEx') === 2);
    await expect(wait).resolves.toMatchObject({ state: 'success' });
    expect(house.sdk.count('CreateListView')).toBe(0);
    house.tasks.close();
  });

  it('serves several waiters of one task', async () => {
    const house = setup();
    house.start(1);
    const waits = [house.tasks.wait(task(1)), house.tasks.wait(task(1))];
    await until(house, () => house.watched.has('task-1') && house.sdk.count('WaitForUpdatesEx') === 1);
    await house.finish(1, 'success');
    expect(await Promise.all(waits)).toHaveLength(2);
    house.tasks.close();
  });

  it.each([
    ['NoPermission', 'VCenterPermissionDenied'],
    ['NoDiskSpace', 'DatastoreFull'],
  ])('throws what the task failed with: %s is %s', async (fault, code) => {
    const house = setup();
    house.start(1, 'error', fault);
    const failed = expect(house.tasks.wait(task(1))).rejects.toMatchObject({ code, details: { fault } });
    await house.settle();
    await failed;
    house.tasks.close();
  });

  it('says that vCenter forgot a task', async () => {
    const house = setup();
    const failed = expect(house.tasks.wait(task(9))).rejects.toMatchObject({ code: 'VCenterTaskForgotten' });
    await house.settle();
    await failed;
    house.tasks.close();
  });

  it('goes on after the session was lost, with a new view', async () => {
    const house = setup();
    house.start(1);
    const wait = house.tasks.wait(task(1));
    await until(house, () => house.sdk.count('WaitForUpdatesEx') === 1);
    await house.breakWait(new ScriptedFault({ $type: 'ManagedObjectNotFound' }));
    await house.clock.advance(1_000);
    await until(house, () => house.sdk.count('CreateListView') === 2 && house.sdk.count('WaitForUpdatesEx') === 2);
    await house.finish(1, 'success');
    await expect(wait).resolves.toMatchObject({ state: 'success' });
    house.tasks.close();
  });

  it('fails all waiters with an error that only a person can cure', async () => {
    const house = setup();
    house.start(1);
    const wait = house.tasks.wait(task(1));
    const failed = expect(wait).rejects.toMatchObject({ code: 'VCenterPermissionDenied' });
    await until(house, () => house.sdk.count('WaitForUpdatesEx') === 1);
    await house.breakWait(new ScriptedFault({ $type: 'NoPermission' }));
    await failed;
    house.tasks.close();
  });

  it('forgets a task whose only waiter gave up', async () => {
    const house = setup();
    house.start(1);
    house.start(2);
    const stop = new AbortController();
    const wait = house.tasks.wait(task(1), { signal: stop.signal });
    await until(house, () => house.watched.has('task-1'));
    stop.abort(new Error('gave up'));
    await expect(wait).rejects.toThrow('gave up');
    const next = house.tasks.wait(task(2));
    await until(house, () => house.watched.has('task-2'));
    expect(house.watched.has('task-1')).toBe(false);
    await house.finish(2, 'success');
    await next;
    house.tasks.close();
  });

  it('ends with the connection', async () => {
    const house = setup();
    house.start(1);
    const wait = house.tasks.wait(task(1));
    await until(house, () => house.watched.has('task-1'));
    house.tasks.close();
    await expect(wait).rejects.toMatchObject({ code: 'Cancelled' });
    await expect(house.tasks.wait(task(2))).rejects.toMatchObject({ code: 'Cancelled' });
  });
});
