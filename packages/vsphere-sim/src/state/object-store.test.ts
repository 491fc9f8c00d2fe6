import { moref, morefKey } from '@vdo/vsphere/wire/moref';
import { describe, expect, it } from 'vitest';
import { createObjectStore } from './object-store.ts';

const vm = (id: number) => moref('VirtualMachine', `vm-${id}`);

describe('createObjectStore', () => {
  it('returns the objects that changed after a version, each once', () => {
    const store = createObjectStore();
    store.put(vm(1), { name: 'a' });
    store.put(vm(2), { name: 'b' });
    const known = store.version();
    store.update(vm(2), { name: 'c' });
    store.update(vm(2), { name: 'd' });
    store.remove(vm(1));
    expect([...(store.changedSince(known) ?? [])]).toEqual([vm(2), vm(1)].map(morefKey));
    expect(store.changedSince(store.version())?.size).toBe(0);
  });

  it('reports when a version is too old', () => {
    const store = createObjectStore({ history: 2 });
    store.put(vm(1), { n: 0 });
    for (let n = 1; n < 10; n++) store.update(vm(1), { n });
    expect(store.changedSince(0)).toBeUndefined();
    expect(store.changedSince(store.version() - 1)?.size).toBe(1);
  });

  it('writes several paths as one change, and none when nothing differs', () => {
    const store = createObjectStore();
    store.put(vm(1), { runtime: { powerState: 'poweredOn' } });
    const known = store.version();
    store.update(vm(1), { 'runtime.powerState': 'poweredOff', name: 'x' });
    expect(store.version()).toBe(known + 1);
    store.update(vm(1), { 'runtime.powerState': 'poweredOff' });
    expect(store.version()).toBe(known + 1);
  });

  it('ignores updates of objects that were deleted', () => {
    const store = createObjectStore();
    store.update(vm(9), { name: 'late' });
    expect(store.get(vm(9))).toBeUndefined();
  });

  it('completes repeated properties on every write', () => {
    const store = createObjectStore({ complete: (_ref, tree) => ({ ...tree, summary: { name: tree['name'] } }) });
    store.put(vm(1), { name: 'a' });
    store.update(vm(1), { name: 'b' });
    expect(store.get(vm(1))?.properties).toEqual({ name: 'b', summary: { name: 'b' } });
  });

  it('notifies subscribers until they unsubscribe', () => {
    const store = createObjectStore();
    const seen: string[] = [];
    const leave = store.subscribe((ref) => seen.push(ref.value));
    store.put(vm(1), {});
    leave();
    store.put(vm(2), {});
    expect(seen).toEqual(['vm-1']);
  });
});
