import { createVirtualClock } from '@vdo/base/virtual-clock';
import { type MoRef, moref } from '@vdo/vsphere/wire/moref';
import { describe, expect, it } from 'vitest';
import { createObjectStore } from '../state/object-store.ts';
import type { InventoryReader } from './inventory-reader.ts';
import { createPropertyCollector, type UpdateBatch } from './property-collector.ts';
import type { FilterSpec } from './property-filter.ts';

const vm = (id: number): MoRef => moref('VirtualMachine', `vm-${id}`);
const view = moref('ListView', 'view-1');

const watchView: FilterSpec = {
  propSet: [{ type: 'VirtualMachine', pathSet: ['name', 'runtime.powerState'] }],
  objectSet: [{ obj: view, skip: true, selectSet: [{ type: 'ListView', path: 'view' }] }],
};

const setup = (count: number, hidden: ReadonlySet<string> = new Set()) => {
  const clock = createVirtualClock();
  const store = createObjectStore();
  const vms = Array.from({ length: count }, (_, i) => vm(i + 1));
  for (const ref of vms) store.put(ref, { name: ref.value, runtime: { powerState: 'poweredOn' } });
  store.put(view, { view: vms });
  const reader: InventoryReader = {
    version: store.version,
    accessVersion: () => 0,
    changedSince: store.changedSince,
    get: store.get,
    canRead: (ref) => !hidden.has(ref.value),
    subscribe: store.subscribe,
  };
  const collector = createPropertyCollector({
    ref: moref('PropertyCollector', 'pc'),
    reader,
    clock,
    allOf: () => ['name', 'runtime'],
    maxObjectUpdates: 100,
  });
  return { clock, store, vms, collector };
};

const reported = (batch: UpdateBatch | undefined) =>
  batch?.filters.flatMap(({ changes }) =>
    changes.map(({ kind, ref, changes: values }) => [kind, ref.value, Object.fromEntries(values)]),
  );

describe('createPropertyCollector', () => {
  it('first reports every object, then only changes', async () => {
    const { collector, store } = setup(2);
    collector.addFilter(moref('PropertyFilter', 'f'), watchView);
    const first = await collector.wait({ version: '', maxWaitMs: 0 });
    expect(reported(first)).toEqual([
      ['enter', 'vm-1', { name: 'vm-1', 'runtime.powerState': 'poweredOn' }],
      ['enter', 'vm-2', { name: 'vm-2', 'runtime.powerState': 'poweredOn' }],
    ]);
    store.update(vm(2), { 'runtime.powerState': 'poweredOff' });
    const second = await collector.wait({ version: first?.version ?? '', maxWaitMs: 0 });
    expect(reported(second)).toEqual([['modify', 'vm-2', { 'runtime.powerState': 'poweredOff' }]]);
  });

  it('returns nothing when nothing changes within the wait', async () => {
    const { collector, clock } = setup(1);
    collector.addFilter(moref('PropertyFilter', 'f'), watchView);
    const first = await collector.wait({ version: '' });
    const waiting = collector.wait({ version: first?.version ?? '', maxWaitMs: 5_000 });
    await clock.advance(4_999);
    const early = await Promise.race([waiting.then(() => 'answered'), Promise.resolve('waiting')]);
    expect(early).toBe('waiting');
    await clock.advance(1);
    expect(await waiting).toBeUndefined();
    expect(clock.pending()).toBe(0);
  });

  it('wakes a waiting client when something it watches changes, not for other properties', async () => {
    const { collector, store } = setup(1);
    collector.addFilter(moref('PropertyFilter', 'f'), watchView);
    const first = await collector.wait({ version: '' });
    const waiting = collector.wait({ version: first?.version ?? '' });
    store.update(vm(1), { 'guest.ipAddress': '192.0.2.1' });
    store.update(vm(1), { name: 'renamed' });
    expect(reported(await waiting)).toEqual([['modify', 'vm-1', { name: 'renamed' }]]);
  });

  it('limits a reply to one hundred objects and continues with the rest', async () => {
    const { collector } = setup(250);
    collector.addFilter(moref('PropertyFilter', 'f'), watchView);
    const sizes: [number | undefined, boolean | undefined][] = [];
    let version = '';
    for (let i = 0; i < 3; i++) {
      const batch = await collector.wait({ version, maxWaitMs: 0 });
      sizes.push([batch?.filters[0]?.changes.length, batch?.truncated]);
      version = batch?.version ?? '';
    }
    expect(sizes).toEqual([
      [100, true],
      [100, true],
      [50, false],
    ]);
    expect(await collector.wait({ version, maxWaitMs: 0 })).toBeUndefined();
  });

  it('follows the list: objects enter, leave and disappear', async () => {
    const { collector, store } = setup(2);
    collector.addFilter(moref('PropertyFilter', 'f'), watchView);
    const first = await collector.wait({ version: '' });
    store.put(vm(3), { name: 'vm-3' });
    store.update(view, { view: [vm(2), vm(3)] });
    const second = await collector.wait({ version: first?.version ?? '' });
    expect(reported(second)).toEqual([
      ['enter', 'vm-3', { name: 'vm-3' }],
      ['leave', 'vm-1', {}],
    ]);
    store.remove(vm(2));
    expect(reported(await collector.wait({ version: second?.version ?? '' }))).toEqual([['leave', 'vm-2', {}]]);
  });

  it('reports a property that became unset', async () => {
    const { collector, store } = setup(1);
    collector.addFilter(moref('PropertyFilter', 'f'), watchView);
    const first = await collector.wait({ version: '' });
    store.update(vm(1), { runtime: {} });
    const second = await collector.wait({ version: first?.version ?? '' });
    expect(reported(second)).toEqual([['modify', 'vm-1', { 'runtime.powerState': undefined }]]);
  });

  it('repeats the last reply to a client that lost it, and refuses versions that it never returned', async () => {
    const { collector, store } = setup(1);
    collector.addFilter(moref('PropertyFilter', 'f'), watchView);
    const first = await collector.wait({ version: '' });
    store.update(vm(1), { name: 'a' });
    const second = await collector.wait({ version: first?.version ?? '' });
    expect(await collector.wait({ version: first?.version ?? '' })).toEqual(second);
    await expect(collector.wait({ version: '77' })).rejects.toThrow('version is not valid');
  });

  it('starts again with the empty version', async () => {
    const { collector } = setup(1);
    collector.addFilter(moref('PropertyFilter', 'f'), watchView);
    await collector.wait({ version: '' });
    expect(reported(await collector.wait({ version: '' }))).toHaveLength(1);
  });

  it('ends a wait on cancel and on abort, leaving no timer', async () => {
    const { collector, clock } = setup(0);
    const cancelled = collector.wait({ version: '', maxWaitMs: 60_000 });
    const abort = new AbortController();
    const aborted = collector.wait({ version: '', maxWaitMs: 60_000, signal: abort.signal });
    const outcomes = Promise.allSettled([cancelled, aborted]);
    abort.abort();
    collector.cancel();
    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    expect(clock.pending()).toBe(0);
  });

  it('does not reach hidden objects by traversal, and denies those named directly', async () => {
    const { collector } = setup(2, new Set(['vm-1']));
    collector.addFilter(moref('PropertyFilter', 'f'), watchView);
    collector.addFilter(moref('PropertyFilter', 'g'), { ...watchView, objectSet: [{ obj: vm(1) }] });
    const batch = await collector.wait({ version: '' });
    expect(batch?.filters.map(({ changes }) => changes.map(({ ref, denied }) => [ref.value, denied]))).toEqual([
      [['vm-2', []]],
      [['vm-1', ['name', 'runtime.powerState']]],
    ]);
  });

  it('reports once that a named object does not exist, and reports it when it appears', async () => {
    const { collector, store } = setup(0);
    collector.addFilter(moref('PropertyFilter', 'f'), { ...watchView, objectSet: [{ obj: vm(9) }] });
    const first = await collector.wait({ version: '', maxWaitMs: 0 });
    expect(first?.filters).toMatchObject([{ changes: [], missing: [vm(9)] }]);
    expect(await collector.wait({ version: first?.version ?? '', maxWaitMs: 0 })).toBeUndefined();
    store.put(vm(9), { name: 'late' });
    expect(reported(await collector.wait({ version: first?.version ?? '' }))).toEqual([
      ['enter', 'vm-9', { name: 'late' }],
    ]);
  });

  it('follows named selections through nested folders of any depth', async () => {
    const { collector, store, vms } = setup(1);
    const folder = (id: number) => moref('Folder', `group-${id}`);
    store.put(folder(1), { name: 'root', childEntity: [folder(2)] });
    store.put(folder(2), { name: 'loop', childEntity: [folder(1), ...vms] });
    collector.addFilter(moref('PropertyFilter', 'f'), {
      propSet: [{ type: 'ManagedEntity', pathSet: ['name'] }],
      objectSet: [
        {
          obj: folder(1),
          selectSet: [{ name: 'down', type: 'Folder', path: 'childEntity', selectSet: [{ name: 'down' }] }],
        },
      ],
    });
    expect(reported(await collector.wait({ version: '' }))?.map(([, id]) => id)).toEqual([
      'group-1',
      'group-2',
      'vm-1',
    ]);
  });
});
