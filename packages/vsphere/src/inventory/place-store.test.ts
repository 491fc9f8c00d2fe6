import { silentLogger } from '@vdo/base/logger';
import { describe, expect, it } from 'vitest';
import { moref } from '../wire/moref.ts';
import type { PlaceChange } from './node-places.ts';
import { createPlaceStore } from './place-store.ts';

const [h1, h2] = [moref('HostSystem', 'host-1'), moref('HostSystem', 'host-2')];
const [cluster, root] = [moref('ClusterComputeResource', 'domain-c1'), moref('Folder', 'group-d1')];
const ds = moref('Datastore', 'datastore-1');
const assign = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).map(([name, val]) => ({ name, op: 'assign' as const, val }));
const mount = (key: typeof h1, accessible: boolean) => ({ key, mountInfo: { accessMode: 'readWrite', accessible } });

const setup = () => {
  const store = createPlaceStore('vc.example', silentLogger);
  const changes: PlaceChange[] = [];
  store.onChange((change) => changes.push(change));
  return { store, changes };
};

describe('places of nodes', () => {
  it('are not told when they enter, but when they change', () => {
    const { store, changes } = setup();
    store.change(h1, assign({ name: 'esx1', 'runtime.connectionState': 'connected', datastore: [ds] }));
    expect(changes).toEqual([]);
    store.change(h1, assign({ 'runtime.connectionState': 'notResponding' }));
    store.change(h1, assign({ 'runtime.connectionState': 'notResponding' }));
    const facts = { server: 'vc.example', ref: h1, name: 'esx1', maintenance: false, datastores: [ds] };
    const before = { ...facts, connection: 'connected' };
    expect(changes).toEqual([{ kind: 'host', before, after: { ...facts, connection: 'notResponding' } }]);
  });

  it('tell which hosts lost a datastore', () => {
    const { store, changes } = setup();
    store.change(ds, assign({ name: 'nfs', 'summary.accessible': true, host: [mount(h1, true), mount(h2, true)] }));
    store.change(ds, assign({ host: [mount(h1, true), mount(h2, false)] }));
    expect(changes).toMatchObject([{ before: { writableHosts: [h1, h2] }, after: { writableHosts: [h1] } }]);
  });

  it('take maintenance of a datastore from its mode, which may go away', () => {
    const { store } = setup();
    store.change(ds, assign({ 'summary.maintenanceMode': 'enteringMaintenance' }));
    expect(store.datastore(ds)?.maintenance).toBe(true);
    store.change(ds, [{ name: 'summary.maintenanceMode', op: 'remove', val: undefined }]);
    expect(store.datastore(ds)?.maintenance).toBe(false);
  });

  it('that a new watch does not tell again are forgotten', () => {
    const { store, changes } = setup();
    for (const host of [h1, h2]) store.change(host, assign({ name: host.value }));
    store.begin();
    store.change(h1, assign({ name: 'host-1' }));
    expect(store.hosts()).toHaveLength(2);
    store.settle();
    expect(store.hosts().map(({ ref }) => ref)).toEqual([h1]);
    expect(changes).toEqual([]);
  });

  it('go with the last VM that ran there, and what is above them is none of them', () => {
    const { store } = setup();
    store.change(h1, assign({ name: 'esx1' }));
    store.remove(h1);
    store.change(root, assign({ name: 'f' }));
    expect([store.host(h1), store.hosts(), store.datastores()]).toEqual([undefined, [], []]);
    store.remove(root);
    expect(store.ancestor(root)).toBeUndefined();
  });

  it('are told when something above them is renamed or moved', () => {
    const { store, changes } = setup();
    store.change(cluster, assign({ name: 'c%2f1', parent: root }));
    expect([store.ancestor(cluster)?.name, changes]).toEqual(['c/1', []]);
    store.change(cluster, assign({ name: 'c2' }));
    store.change(cluster, assign({ parent: moref('Folder', 'other') }));
    expect(changes).toMatchObject([
      { kind: 'ancestor', before: { name: 'c/1', parent: root }, after: { name: 'c2', parent: root } },
      { kind: 'ancestor', after: { parent: { value: 'other' } } },
    ]);
  });

  it('know what is above them only while the watch is up to date, and only if it goes up to the root', () => {
    const { store } = setup();
    const reportChange = () => {
      store.change(h1, assign({ name: 'esx1', parent: cluster }));
      store.change(cluster, assign({ name: 'c1', parent: root }));
    };
    reportChange();
    store.change(root, assign({ name: 'root' }));
    expect(store.ancestors([h1])).toBeUndefined();
    store.settle();
    expect([...(store.ancestors([h1, cluster])?.values() ?? [])].map(({ name }) => name)).toEqual([
      'esx1',
      'c1',
      'root',
    ]);
    expect(store.ancestors([h2])).toBeUndefined();
    store.end();
    expect(store.ancestors([h1])).toBeUndefined();
    store.begin();
    reportChange();
    store.settle();
    expect(store.ancestors([h1])).toBeUndefined();
  });

  it('survive a listener that fails', () => {
    const { store, changes } = setup();
    const failing = createPlaceStore('vc.example', silentLogger);
    failing.onChange(() => {
      throw new Error('listener');
    });
    for (const one of [store, failing]) {
      one.change(h1, assign({ name: 'a' }));
      one.change(h1, assign({ name: 'b' }));
    }
    expect(changes).toHaveLength(1);
    expect(failing.host(h1)?.name).toBe('b');
  });
});
