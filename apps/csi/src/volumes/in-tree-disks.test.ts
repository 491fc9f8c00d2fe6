import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { afterEach, describe, expect, it } from 'vitest';
import { volumeMigrations } from '../intents/volume-migrations.ts';
import {
  capability,
  createDomainTestbed,
  type DomainTestbed,
  type DomainTestbedOptions,
} from '../testing/domain-testbed.ts';

let testbed: DomainTestbed | undefined;
const path = '[shared-vmfs] kubevols/kubernetes-dynamic-pvc-1.vmdk';

/** A vCenter with one disk that the in-tree provider made. */
const open = (options: DomainTestbedOptions = {}): DomainTestbed => {
  const opened = createDomainTestbed({ datacenters: ['demo'], ...options });
  opened.sim.control.addDisk('/demo/datastore/shared-vmfs', {
    path: 'kubevols/kubernetes-dynamic-pvc-1.vmdk',
    capacityMb: 2048,
  });
  testbed = opened;
  return opened;
};
afterEach(async () => {
  await testbed?.close();
  testbed = undefined;
});

describe('a disk of the in-tree provider', () => {
  it('becomes a volume at first use, once, and is attached by its path', async () => {
    const { publish, unpublish, sim } = open();
    const { publishContext } = await publish(path, 1);
    const [volume] = sim.volumes.list();
    expect(volume).toMatchObject({ path, name: 'kubernetes-dynamic-pvc-1', firstClass: true, keepAfterDeleteVm: true });
    expect(publishContext).toMatchObject({ diskUUID: volume?.diskUuid });
    expect(volume?.attachedTo?.vm).toEqual(sim.control.find('node-1', 'VirtualMachine'));
    await unpublish(path, 1);
    expect(sim.volumes.list()[0]?.attachedTo).toBeUndefined();
    expect(sim.recorder.count('CnsCreateVolume')).toBe(1);
  });

  it('is kept in the object that the Go driver would write, and found by it', async () => {
    const { define, publish, kube, sim } = open();
    await define(volumeMigrations);
    await publish(path, 1);
    const { items } = await kube.list(volumeMigrations);
    const [volume] = sim.volumes.list();
    expect(items.map(({ metadata, spec }) => [metadata.name, spec])).toEqual([
      [volume?.id, { volumepath: path, volumename: 'kubernetes-dynamic-pvc-1', volumeid: volume?.id }],
    ]);
  });

  it('is known from the object of the Go driver without asking vCenter to register it', async () => {
    const { define, create, publish, kube, sim } = open();
    await define(volumeMigrations);
    const { volumeId } = await create('elsewhere');
    sim.recorder.clear();
    await kube.create(volumeMigrations, {
      apiVersion: 'cns.vmware.com/v1alpha1',
      kind: 'CnsVSphereVolumeMigration',
      metadata: { name: volumeId },
      spec: { volumepath: '[old] moved.vmdk', volumename: 'moved', volumeid: volumeId },
    });
    await publish('[old] moved.vmdk', 2);
    expect(sim.recorder.count('CnsCreateVolume')).toBe(0);
    expect(sim.volumes.get(volumeId)?.attachedTo).toBeDefined();
  });

  it('is recognised in every request, and named by its path in replies', async () => {
    const { call, sim } = open();
    const grown = await call('controllerExpandVolume', {
      volumeId: path,
      capacityRange: { requiredBytes: 3n << 30n, limitBytes: 0n },
    });
    expect(grown.capacityBytes).toBe(3n << 30n);
    const got = await call('controllerGetVolume', { volumeId: path });
    expect(got.volume).toMatchObject({ volumeId: path, capacityBytes: 3n << 30n });
    const confirmed = await call('validateVolumeCapabilities', {
      volumeId: path,
      volumeCapabilities: [capability()],
      parameters: {},
    });
    expect(confirmed).toHaveProperty('confirmed');
    const { entries = [] } = await call('listVolumes', { maxEntries: 0, startingToken: '' });
    expect(entries.map(({ volume }) => volume?.volumeId)).toEqual([path]);
    const { snapshot } = await call('createSnapshot', { name: 's1', sourceVolumeId: path });
    expect(snapshot?.sourceVolumeId).toBe(path);
    expect(sim.volumes.list()).toHaveLength(1);
  });

  it('is copied', async () => {
    const { create, sim } = open();
    const volumeContentSource = { type: { case: 'volume', value: { volumeId: path } } };
    const copy = await create('copy', {
      volumeContentSource,
      capacityRange: { requiredBytes: 2n << 30n, limitBytes: 0n },
    });
    expect(copy.contentSource).toEqual(volumeContentSource);
    expect(sim.volumes.list()).toHaveLength(2);
  });

  it('is deleted with its object', async () => {
    const { define, publish, unpublish, remove, kube, sim } = open();
    await define(volumeMigrations);
    await publish(path, 1);
    await unpublish(path, 1);
    await remove(path);
    await remove(path);
    expect([sim.volumes.list(), sim.volumes.disks(), (await kube.list(volumeMigrations)).items]).toEqual([[], [], []]);
  });

  it('that does not exist is not found, and deleted already', async () => {
    const { publish, remove } = open();
    await expect(publish('[shared-vmfs] none.vmdk', 1)).rejects.toMatchObject({ code: 'VolumeNotFound' });
    await remove('[shared-vmfs] none.vmdk');
  });

  it.each([
    ['in whichever datacenter, if the configuration names none', []],
    ['by the name of its datacenter alone', ['demo']],
    ['by its path', ['/emea/prod/demo']],
  ])('is found in a datacenter below folders: %s', async (_how, datacenters) => {
    const model: VSphereModel = JSON.parse(JSON.stringify(demoModel()).replaceAll('"/demo', '"/emea/prod/demo'));
    const inFolders = model.datacenters.map((datacenter) => ({ ...datacenter, folder: 'emea/prod' }));
    const opened = createDomainTestbed({ models: [{ ...model, datacenters: inFolders }], datacenters });
    testbed = opened;
    const { control, volumes } = opened.sim;
    control.addDisk('/emea/prod/demo/datastore/shared-vmfs', { path: path.split('] ')[1] ?? '', capacityMb: 2048 });
    await opened.publish(path, 1);
    expect(volumes.list()).toHaveLength(1);
  });

  describe('whose path two datacenters have', () => {
    const twins = (datacenters: readonly string[]) => {
      const model = demoModel();
      const other = {
        name: 'other',
        clusters: [{ name: 'compute-o', hosts: [{ name: 'esx-o1.demo.example' }] }],
        datastores: [{ name: 'shared-vmfs', type: 'VMFS' } as const],
        vms: [],
      };
      const twin = { ...model, datacenters: [other, ...model.datacenters] };
      const opened = createDomainTestbed({ models: [twin], datacenters: [...datacenters] });
      for (const name of ['other', 'demo'])
        opened.sim.control.addDisk(`/${name}/datastore/shared-vmfs`, {
          path: path.split('] ')[1] ?? '',
          capacityMb: name === 'demo' ? 2048 : 1024,
        });
      testbed = opened;
      return opened;
    };

    it('is neither attached nor deleted: it might be the other one', async () => {
      const { publish, remove, sim } = twins([]);
      const conflict = { code: 'VolumeConflict', message: expect.stringMatching(/\/other .* and \/demo /) };
      await expect(publish(path, 1)).rejects.toMatchObject(conflict);
      await expect(remove(path)).rejects.toMatchObject(conflict);
      expect([sim.volumes.list().length, sim.volumes.disks().length]).toEqual([0, 2]);
    });

    it('is the one of the datacenter that the configuration names', async () => {
      const { publish, sim } = twins(['demo']);
      await publish(path, 1);
      expect(sim.volumes.list().map(({ capacityMb }) => capacityMb)).toEqual([2048n]);
    });
  });

  it('is not found in a datacenter that is not there, and the ones that are there are named', async () => {
    const { publish } = open({ datacenters: ['gone'] });
    await expect(publish(path, 1)).rejects.toMatchObject({
      code: 'ConfigInvalid',
      message: expect.stringContaining('the user may read /demo'),
    });
  });

  it('is no volume when migration is switched off', async () => {
    const { publish, sim } = open({ csi: { inTreeMigration: false } });
    await expect(publish(path, 1)).rejects.toMatchObject({ code: 'VolumeNotFound' });
    expect(sim.volumes.list()).toEqual([]);
  });
});

describe('a StorageClass of the in-tree provider, as csi-provisioner translates it', () => {
  it('names its datastore by name, and the volume tells its path', async () => {
    const { create, sim } = open();
    const volume = await create('pvc-2', {
      parameters: {
        csimigration: 'true',
        'datastore-migrationparam': 'shared-vmfs',
        'diskformat-migrationparam': 'thin',
      },
    });
    const made = sim.volumes.get(volume.volumeId);
    expect(made?.datastore).toEqual(sim.control.find('shared-vmfs', 'Datastore'));
    expect(volume.volumeContext).toMatchObject({ initialvolumefilepath: made?.path });
  });

  it('puts a volume without a datastore on the one that was the default of the in-tree provider', async () => {
    const before = open();
    const url = before.sim.control.read('shared-vmfs', 'summary.url') as string;
    await before.close();
    const { create, sim } = open({ migrationDatastoreUrl: url });
    const vmfs = sim.control.find('shared-vmfs', 'Datastore');
    const placed = async (name: string, parameters: Readonly<Record<string, string>>) =>
      sim.volumes.get((await create(name, { parameters })).volumeId)?.datastore;
    expect(await placed('pvc-4', { csimigration: 'true' })).toEqual(vmfs);
    expect(await placed('pvc-5', { csimigration: 'true', 'datastore-migrationparam': 'vsanDatastore' })).not.toEqual(
      vmfs,
    );
    // Classes of the driver itself have no such default.
    expect(await placed('pvc-6', {})).not.toEqual(vmfs);
  });
});
