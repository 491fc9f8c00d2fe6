import { cnsCreateVolume, cnsDeleteVolume, cnsQueryVolume } from '@vdo/vsphere/wire/methods/cns';
import { describe, expect, it } from 'vitest';
import {
  testCluster as cluster,
  cnsManager as manager,
  createCnsTestClient as setup,
} from '../testing/cns-test-client.ts';
import { createRawClient } from '../testing/raw-client.ts';

describe('CNS of the simulated vCenter', () => {
  it('creates, lists and deletes a volume', async () => {
    const { sim, cns, create, outcome } = await setup();
    const result = await create('pvc-1', { datastores: ['shared-vmfs'] });
    expect(result).toMatchObject({
      $type: 'CnsVolumeCreateResult',
      name: 'pvc-1',
      placementResults: [{ datastore: sim.control.find('shared-vmfs') }],
    });
    const id = result?.volumeId?.id ?? '';
    const found = await cns.call(cnsQueryVolume, { _this: manager, filter: { names: ['pvc-1'] } });
    expect(found.volumes).toMatchObject([
      {
        volumeId: { id },
        volumeType: 'BLOCK',
        healthStatus: 'green',
        backingObjectDetails: { $type: 'CnsBlockBackingDetails', capacityInMb: 1024n, backingDiskId: id },
        metadata: {
          containerCluster: cluster,
          entityMetadata: [{ $type: 'CnsKubernetesEntityMetadata', entityType: 'PERSISTENT_VOLUME' }],
        },
      },
    ]);
    const info = await outcome(
      await cns.call(cnsDeleteVolume, { _this: manager, volumeIds: [{ id }], deleteDisk: true }),
    );
    expect(info.result?.volumeResults).toMatchObject([{ volumeId: { id } }]);
    expect(sim.volumes.list()).toEqual([]);
  });

  it('allows several volumes with one name, each with its own ID and disk UUID', async () => {
    const { sim, create } = await setup();
    await create('twin');
    await create('twin');
    const [a, b] = sim.volumes.list();
    expect(a?.name).toBe(b?.name);
    expect(a?.id).not.toBe(b?.id);
    expect(a?.diskUuid).not.toBe(b?.diskUuid);
  });

  it('accepts a given ID, and refuses it a second time', async () => {
    const { create } = await setup();
    const volumeId = '11111111-2222-4333-8444-555555555555';
    expect((await create('mine', { volumeId }))?.volumeId?.id).toBe(volumeId);
    expect((await create('mine', { volumeId }))?.fault?.fault).toMatchObject({
      $type: 'CnsVolumeAlreadyExistsFault',
      volumeId: { id: volumeId },
    });
  });

  it.each([
    ['more than one specification', 2, 'InvalidArgument'],
    ['no specification', 0, 'InvalidArgument'],
  ])('fails the task for %s', async (_name, count, fault) => {
    const { cns, createSpec, outcome } = await setup();
    const createSpecs = Array.from({ length: count }, (_, i) => createSpec(`v${i}`));
    const info = await outcome(await cns.call(cnsCreateVolume, { _this: manager, createSpecs }));
    expect(info).toMatchObject({ state: 'error', error: { fault: { $type: fault } } });
  });

  it.each([
    ['without room', { capacityInMb: 1024n ** 3n }, 'NoDiskSpace'],
    ['of no size', { capacityInMb: 0n }, 'InvalidArgument'],
    ['on a datastore the user may not write', { datastores: ['local-a'] }, 'NoPermission'],
  ])('tells in the result why it refuses a volume %s', async (_name, options, fault) => {
    const { create } = await setup();
    expect((await create('bad', options))?.fault?.fault).toMatchObject({ $type: fault });
  });

  it('avoids inaccessible datastores, and selects the one with the most free space', async () => {
    const { sim, create } = await setup();
    expect((await create('a', { datastores: ['shared-vmfs', 'vsanDatastore'] }))?.['placementResults']).toMatchObject([
      { datastore: sim.control.find('vsanDatastore') },
    ]);
    sim.control.setDatastoreAccessible('vsanDatastore', false);
    expect((await create('b', { datastores: ['shared-vmfs', 'vsanDatastore'] }))?.['placementResults']).toMatchObject([
      {
        datastore: sim.control.find('vsanDatastore'),
        placementFaults: [{ fault: { $type: 'InaccessibleDatastore' } }],
      },
      { datastore: sim.control.find('shared-vmfs'), placementFaults: [] },
    ]);
  });

  it('reports that a volume to delete does not exist', async () => {
    const { cns, outcome, create } = await setup();
    const remove = (id: string) => cns.call(cnsDeleteVolume, { _this: manager, volumeIds: [{ id }], deleteDisk: true });
    await expect(remove('none')).rejects.toMatchObject({ name: 'NotFound' });
    // Two at the same time: when the second starts, the volume is already deleted.
    const id = (await create('gone', { datastores: ['shared-vmfs'] }))?.volumeId?.id ?? '';
    const [, second] = await Promise.all([await remove(id), await remove(id)].map(outcome));
    expect(second).toMatchObject({
      state: 'success',
      result: { volumeResults: [{ volumeId: { id }, fault: { fault: { $type: 'NotFound' } } }] },
    });
  });

  it('filters by cluster, datastore and label, and pages with a cursor', async () => {
    const { sim, cns, create } = await setup();
    for (const name of ['a', 'b', 'c'])
      await create(name, { datastores: [name === 'c' ? 'shared-vmfs' : 'vsanDatastore'] });
    const names = async (filter: Parameters<typeof cns.call<typeof cnsQueryVolume>>[1]['filter']) =>
      (await cns.call(cnsQueryVolume, { _this: manager, filter })).volumes.map(({ name }) => name);
    expect(await names({ containerClusterIds: ['demo-cluster'] })).toEqual(['a', 'b', 'c']);
    expect(await names({ containerClusterIds: ['other'] })).toEqual([]);
    expect(await names({ datastores: [sim.control.find('shared-vmfs')] })).toEqual(['c']);
    expect(await names({ labels: [{ key: 'app', value: 'db' }], names: ['b'] })).toEqual(['b']);
    const page = await cns.call(cnsQueryVolume, { _this: manager, filter: { cursor: { offset: 2n, limit: 2n } } });
    expect([page.volumes.map(({ name }) => name), page.cursor]).toMatchObject([
      ['c'],
      { offset: 3n, limit: 2n, totalRecords: 3n },
    ]);
  });

  it('requires Cns.Searchable, and a login', async () => {
    const { sim, cns } = await setup(['cpi@vsphere.local', 'obviously-fake-cpi']);
    await expect(cns.call(cnsQueryVolume, { _this: manager, filter: {} })).rejects.toMatchObject({
      name: 'NoPermission',
      fault: { privilegeId: 'Cns.Searchable' },
    });
    const stranger = createRawClient(sim.handler, { path: '/vsanHealth' });
    await expect(stranger.call(cnsQueryVolume, { _this: manager, filter: {} })).rejects.toMatchObject({
      name: 'NotAuthenticated',
    });
    expect(sim.recorder.privileges()).toContainEqual({
      user: 'cpi@vsphere.local',
      privilege: 'Cns.Searchable',
      object: 'Folder:group-d1',
      granted: false,
    });
  });
});
