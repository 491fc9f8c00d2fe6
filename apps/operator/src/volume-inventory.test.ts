import { VdoError } from '@vdo/base/vdo-error';
import type { ClusterFacts } from '@vdo/checks/facts';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import { describe, expect, it } from 'vitest';
import { createVolumeInventory } from './volume-inventory.ts';

const ref = (type: string, value: string) => ({ type, value });
const volume = (id: string, change: Partial<CnsVolume> = {}): CnsVolume => ({
  id,
  name: `pvc-${id}`,
  type: 'BLOCK',
  datastoreUrl: 'ds:///one/',
  capacityMb: 1024n,
  healthStatus: 'green',
  storagePolicyId: undefined,
  containerClusterIds: ['c'],
  diskPath: `[one] ${id}.vmdk`,
  ...change,
});
const datastore = {
  ref: ref('Datastore', 'ds-1'),
  name: 'one',
  url: 'ds:///one/',
  type: 'VMFS',
  accessible: true,
  maintenance: false,
  capacityBytes: 100n,
  freeBytes: 40n,
};
const facts = (vcenter: object): ClusterFacts =>
  ({
    nowMs: 5,
    nodes: [{ node: { metadata: { name: 'n1' } }, vm: { server: 'vc1:443' }, slots: { used: 3, total: 60 } }],
    kube: { persistentVolumes: { value: { handles: new Map([['a', 'pv-a']]), inTree: [] } } },
    vcenters: [{ server: 'vc1:443', spec: { server: 'vc1' }, ...vcenter }],
  }) as unknown as ClusterFacts;
const host = { name: 'esx-1', version: '8.0.3', datastores: [datastore.ref] };
const places = { value: { hosts: new Map([['h', host]]), support: new Map(), datastores: [datastore] } };

describe('the inventory of volumes', () => {
  it('lists each once, although a run before was aborted in the middle', () => {
    const inventory = createVolumeInventory();
    inventory.onVolume(volume('a', { healthStatus: 'red' }), 'vc1:443');
    for (const one of [volume('a'), volume('b')]) inventory.onVolume(one, 'vc1:443');
    inventory.see(facts({ places, volumes: { value: { total: 2 } } }));
    const volumes = inventory.current().vcenters[0]?.volumes.map(({ id, health }) => [id, health]);
    expect(volumes).toEqual([
      ['a', 'green'],
      ['b', 'green'],
    ]);
  });

  it('is put together from what one run of the checks reads', () => {
    const inventory = createVolumeInventory();
    for (const one of [volume('a'), volume('lost', { healthStatus: 'red' }), volume('s', { type: 'FILE' })])
      inventory.onVolume(one, 'vc1:443');
    const policies = {
      value: [{ name: 'gold', classes: ['fast'], exists: true, compatible: ['one'], reasons: new Map() }],
    };
    inventory.see(facts({ places, policies, volumes: { value: { total: 3 } } }));
    expect(inventory.current().vcenters).toEqual([
      {
        vcenter: 'vc1',
        volumesAtMs: 5,
        placesAtMs: 5,
        problem: '',
        volumes: [
          { id: 'a', name: 'pvc-a', at: 0, mb: 1024, health: 'green', path: '[one] a.vmdk' },
          { id: 'lost', name: 'pvc-lost', at: 0, mb: 1024, health: 'red', path: '[one] lost.vmdk', isOrphan: true },
          {
            id: 's',
            name: 'pvc-s',
            isFile: true,
            at: 0,
            mb: 1024,
            health: 'green',
            path: '[one] s.vmdk',
            isOrphan: true,
          },
        ],
        datastores: [
          { name: 'one', url: 'ds:///one/', type: 'VMFS', capacity: 100, free: 40, problem: '', hosts: ['esx-1'] },
        ],
        hosts: [{ name: 'esx-1', version: '8.0.3' }],
        policies: [{ name: 'gold', exists: true, datastores: ['one'] }],
        slots: { n1: [3, 60] },
      },
    ]);
  });

  it('keeps what it knew, with its age, when vCenter does not answer or a run reads other things', () => {
    const inventory = createVolumeInventory();
    inventory.onVolume(volume('a'), 'vc1:443');
    inventory.see(facts({ places, volumes: { value: { total: 1 } } }));
    const error = new VdoError({ code: 'VCenterUnreachable', message: 'no answer', remedy: 'Wait.' });
    inventory.see({ ...facts({ volumes: { error } }), nowMs: 9 });
    inventory.see({ ...facts({}), nowMs: 10 });
    expect(inventory.current().vcenters).toMatchObject([
      { volumesAtMs: 5, problem: 'no answer. Wait.', volumes: [{ id: 'a' }], datastores: [{ name: 'one' }] },
    ]);
  });

  it('keeps each volume on its datastore when a run reads the datastores without the volumes', () => {
    const inventory = createVolumeInventory();
    inventory.onVolume(volume('a'), 'vc1:443');
    inventory.see(facts({ places, volumes: { value: { total: 1 } } }));
    const datastores = (...urls: string[]) =>
      facts({ places: { value: { ...places.value, datastores: urls.map((url) => ({ ...datastore, url })) } } });
    inventory.see(datastores('ds:///new/', datastore.url));
    expect(inventory.current().vcenters).toMatchObject([{ volumesAtMs: 5, volumes: [{ id: 'a', at: 1 }] }]);
    inventory.see(datastores('ds:///new/'));
    expect(inventory.current().vcenters[0]?.volumes).toEqual([
      { id: 'a', name: 'pvc-a', mb: 1024, health: 'green', path: '[one] a.vmdk' },
    ]);
  });

  it('calls nothing an orphan while the PersistentVolumes are not known', () => {
    const inventory = createVolumeInventory();
    inventory.onVolume(volume('x'), 'vc1:443');
    inventory.see({ ...facts({ places, volumes: { value: { total: 1 } } }), kube: {} });
    expect(inventory.current().vcenters[0]?.volumes[0]?.isOrphan).toBeUndefined();
  });

  it('forgets a vCenter that is no longer configured, and volumes of a reading that came to nothing', () => {
    const inventory = createVolumeInventory();
    inventory.onVolume(volume('a'), 'gone:443');
    inventory.see(facts({ places, volumes: { value: { total: 0 } } }));
    expect(inventory.current().vcenters).toMatchObject([{ vcenter: 'vc1', volumes: [] }]);
  });
});
