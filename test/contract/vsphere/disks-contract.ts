import { openFence } from '@vdo/base/fence';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { diskUrlPath } from '@vdo/vsphere/fcd/disk-url-path';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTo, type Target } from './target.ts';

/** Parts of this contract that a simulator may lack; the same steps must then fail. */
export type DiskFeature = 'control-flags' | 'volume-by-path' | 'volume-once';

/** A target whose datastore LocalDS_0 takes vmdks behind the client's back. */
export interface DisksTarget extends Target {
  readonly disks: {
    create(path: string, capacityMb: number): Promise<void>;
    remove(path: string): Promise<void>;
  };
}

const fence = openFence;
const cluster = { clusterId: 'contract', vSphereUser: 'someone', distribution: 'test' };

/** What static provisioning and migration need: a vmdk becomes a first-class disk, and a volume that queries show. */
export const describeDisksContract = (
  start: () => Promise<DisksTarget>,
  options: { readonly lacks?: readonly DiskFeature[] } = {},
): void => {
  let target: DisksTarget;
  let vcenter: FullVCenter;
  let datastore: MoRef;
  let datastoreUrl: string;

  beforeAll(async () => {
    target = await start();
    vcenter = connectTo(target).vcenter;
    const found = (await vcenter.nodes.resolve([{ key: 'vm', names: ['DC0_C0_RP0_VM0'] }])).get('vm');
    if (found?.state !== 'found') throw new Error(JSON.stringify(found));
    const { shared } = await vcenter.placement.sharedDatastores([found.vm.ref]);
    const local = shared.find(({ name }) => name === 'LocalDS_0');
    if (!local) throw new Error(JSON.stringify(shared.map(({ name }) => name)));
    datastore = local.ref;
    datastoreUrl = local.url;
  }, 60_000);
  afterAll(async () => {
    await vcenter?.close();
    await target?.stop();
  });

  const can = (feature: DiskFeature, name: string, run: () => Promise<void>): void => {
    if (options.lacks?.includes(feature)) it(`(lacks ${feature}) ${name}`, () => expect(run()).rejects.toBeDefined());
    else it(name, run);
  };
  const urlOf = (path: string) => diskUrlPath(target.server, '/DC0', `[LocalDS_0] ${path}`);
  const register = async (path: string, name?: string) => {
    await target.disks.create(path, 64);
    return vcenter.firstClassDisks.register(urlOf(path), name, { fence });
  };

  describe('first-class disks', () => {
    it('are made from a vmdk, listed and read', async () => {
      const disk = await register('made.vmdk', 'made');
      expect(disk).toMatchObject({ name: 'made', datastore, path: '[LocalDS_0] made.vmdk', consumers: [] });
      expect(await vcenter.firstClassDisks.list(datastore)).toContain(disk.id);
      expect(await vcenter.firstClassDisks.get(datastore, disk.id)).toEqual(disk);
    });

    it('are made from a vmdk once', async () => {
      await register('once.vmdk', 'once');
      await expect(vcenter.firstClassDisks.register(urlOf('once.vmdk'), 'again', { fence })).rejects.toMatchObject({
        code: 'VCenterFault',
        details: { fault: 'InvalidArgument' },
      });
    });

    it('are not made from files that do not exist', async () => {
      const registering = vcenter.firstClassDisks.register(urlOf('none.vmdk'), 'none', { fence });
      await expect(registering).rejects.toMatchObject({ code: 'VCenterFault' });
      expect(await vcenter.firstClassDisks.get(datastore, 'no-such-disk')).toBeUndefined();
    });

    it('leave the list when their file is gone and vCenter reconciles', async () => {
      const disk = await register('lost.vmdk', 'lost');
      await target.disks.remove('lost.vmdk');
      expect(await vcenter.firstClassDisks.list(datastore)).toContain(disk.id);
      expect(await vcenter.firstClassDisks.get(datastore, disk.id)).toBeUndefined();
      await vcenter.firstClassDisks.reconcile(datastore, { fence });
      expect(await vcenter.firstClassDisks.list(datastore)).not.toContain(disk.id);
    });

    can('control-flags', 'outlive the VM that has them, if told so', async () => {
      const disk = await register('kept.vmdk', 'kept');
      expect(disk.keepAfterDeleteVm).toBe(false);
      for (const keep of [true, false]) {
        await vcenter.firstClassDisks.setKeepAfterDeleteVm(disk, keep, { fence });
        expect((await vcenter.firstClassDisks.get(datastore, disk.id))?.keepAfterDeleteVm).toBe(keep);
      }
    });
  });

  describe('volumes of existing disks', () => {
    it('are made from a registered vmdk by its id, and queries show them', async () => {
      const disk = await register('by-id.vmdk', 'by-id');
      expect(await vcenter.cns.queryVolumes({ volumeIds: [disk.id] })).toEqual([]);
      const spec = { name: 'pv-by-id', backing: { diskId: disk.id }, cluster };
      const volume = await vcenter.cns.registerDisk(spec, { fence });
      expect(volume).toMatchObject({ id: disk.id, name: 'pv-by-id', type: 'BLOCK', datastoreUrl });
      expect(await vcenter.cns.queryVolumes({ clusterIds: ['contract'], names: ['pv-by-id'] })).toEqual([volume]);
    });

    can('volume-by-path', 'are made from a plain vmdk by its path, and queries show them', async () => {
      await target.disks.create('by-path.vmdk', 64);
      const spec = { name: 'pv-by-path', backing: { diskUrlPath: urlOf('by-path.vmdk') }, cluster };
      const volume = await vcenter.cns.registerDisk(spec, { fence });
      expect(volume).toMatchObject({ name: 'pv-by-path', capacityMb: 64n, diskPath: '[LocalDS_0] by-path.vmdk' });
      expect(await vcenter.cns.queryVolumes({ clusterIds: ['contract'], names: ['pv-by-path'] })).toEqual([volume]);
      const disk = await vcenter.firstClassDisks.get(datastore, volume.id);
      expect(disk).toMatchObject({ path: '[LocalDS_0] by-path.vmdk', keepAfterDeleteVm: true });
    });

    can('volume-once', 'exist once for each disk; whoever comes second is told the volume', async () => {
      await target.disks.create('taken.vmdk', 64);
      const backing = { diskUrlPath: urlOf('taken.vmdk') };
      const { id } = await vcenter.cns.registerDisk({ name: 'first', backing, cluster }, { fence });
      const again = vcenter.cns.registerDisk({ name: 'second', backing, cluster }, { fence });
      await expect(again).rejects.toMatchObject({
        details: { data: { $type: 'CnsAlreadyRegisteredFault', volumeId: { id } } },
      });
    });

    it('are not made from files that do not exist', async () => {
      const spec = { name: 'none', backing: { diskUrlPath: urlOf('nowhere.vmdk') }, cluster };
      await expect(vcenter.cns.registerDisk(spec, { fence })).rejects.toMatchObject({ name: 'VdoError' });
    });
  });
};
