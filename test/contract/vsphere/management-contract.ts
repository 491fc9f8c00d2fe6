import { openFence } from '@vdo/base/fence';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { destructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTo, type Target } from './target.ts';

/** Parts of the contract that a simulator may lack; each is then shown to be lacking. */
export type Feature =
  | 'snapshots'
  | 'missing-snapshots'
  | 'from-snapshot'
  | 'relocate'
  | 'policy-change'
  | 'file-volumes'
  | 'disk-path'
  | 'register-by-path'
  | 'register-once';

const fence = openFence;
const cluster = { clusterId: 'contract', vSphereUser: 'someone', distribution: 'test' };

/** What storage and administration need of a vCenter beyond the first contract. */
export const describeManagementContract = (
  start: () => Promise<Target>,
  options: { readonly lacks?: readonly Feature[] } = {},
): void => {
  const lacks = new Set(options.lacks ?? []);
  let target: Target;
  let vcenter: FullVCenter;
  let vm: VmFacts;
  let datastores: readonly MoRef[];

  beforeAll(async () => {
    target = await start();
    vcenter = connectTo(target).vcenter;
    const name = 'DC0_C0_RP0_VM0';
    const found = await vcenter.nodes.resolve([{ key: 'vm', names: [name] }]);
    const resolution = found.get('vm');
    if (resolution?.state !== 'found') throw new Error(JSON.stringify(resolution));
    vm = resolution.vm;
    datastores = (await vcenter.placement.sharedDatastores([vm.ref])).shared.map(({ ref }) => ref);
  }, 60_000);
  afterAll(async () => {
    await vcenter?.close();
    await target?.stop();
  });

  /** A test of a feature; where the target lacks it, the same steps must fail. */
  const can = (feature: Feature, name: string, run: () => Promise<void>): void => {
    if (lacks.has(feature)) it(`(lacks ${feature}) ${name}`, () => expect(run()).rejects.toBeDefined());
    else it(name, run);
  };

  const create = (name: string) =>
    vcenter.cns.createBlockVolume({ name, capacityMb: 512n, datastores, cluster }, { fence });

  describe('container volumes', () => {
    it('are attached, and the disk has a UUID', async () => {
      const volume = await create('attach');
      const [outcome] = await vcenter.cns.attach([{ volumeId: volume.id, vm: vm.ref }], { fence });
      expect(outcome).toEqual({ ok: true, value: expect.stringMatching(/^[0-9a-f]{32}$/) });
    });

    it('are detached', async () => {
      const volume = await create('detach');
      await vcenter.cns.attach([{ volumeId: volume.id, vm: vm.ref }], { fence });
      const [outcome] = await destructiveCalls(vcenter).detach([{ volumeId: volume.id, vm: vm.ref }], { fence });
      expect(outcome).toEqual({ ok: true, value: undefined });
    });

    it('grow', async () => {
      const volume = await create('extend');
      await vcenter.cns.extend(volume.id, 1024n, { fence });
      const [grown] = await vcenter.cns.queryVolumes({ volumeIds: [volume.id] });
      expect(grown?.capacityMb).toBe(1024n);
    });

    can('snapshots', 'have snapshots that are listed and deleted', async () => {
      const volume = await create('snapshots');
      const snapshot = await vcenter.cns.createSnapshot(volume.id, 'first', { fence });
      expect(snapshot).toMatchObject({ volumeId: volume.id, description: 'first' });
      expect(await vcenter.cns.querySnapshots({ volumeId: volume.id })).toEqual([snapshot]);
      const source = { volumeId: volume.id, snapshotId: snapshot.id };
      expect(await vcenter.cns.querySnapshots(source)).toEqual([snapshot]);
      expect(await destructiveCalls(vcenter).deleteSnapshot(source, { fence })).toBe(true);
      // Deleted already: each release says it in its own way. vcsim, which looks at no snapshot, ends the task without a result.
      if (!lacks.has('from-snapshot'))
        expect(await destructiveCalls(vcenter).deleteSnapshot(source, { fence })).toBe(false);
      expect(await vcenter.cns.querySnapshots({ volumeId: volume.id })).toEqual([]);
    });

    it('take labels of their PersistentVolumes', async () => {
      const volume = await create('metadata');
      const entities = [{ kind: 'PERSISTENT_VOLUME', name: 'pv-1', labels: { app: 'db' } }] as const;
      const outcomes = await vcenter.cns.updateMetadata([{ volumeId: volume.id, cluster, entities }], { fence });
      expect(outcomes).toEqual([{ ok: true, value: undefined }]);
    });

    can('missing-snapshots', 'have no snapshot that is not there, and none without a volume', async () => {
      const volume = await create('without-snapshot');
      const id = '00000000-0000-4000-8000-000000000000';
      expect(await vcenter.cns.querySnapshots({ volumeId: volume.id })).toEqual([]);
      expect(await vcenter.cns.querySnapshots({ volumeId: volume.id, snapshotId: id })).toEqual([]);
      expect(await vcenter.cns.querySnapshots({ volumeId: id })).toEqual([]);
    });

    can('from-snapshot', 'are made from a snapshot', async () => {
      const volume = await create('origin');
      const snapshot = await vcenter.cns.createSnapshot(volume.id, 'source', { fence });
      const source = { volumeId: volume.id, snapshotId: snapshot.id };
      const missing = { volumeId: volume.id, snapshotId: 'no-such-snapshot' };
      const spec = { name: 'copy', capacityMb: 512n, datastores, cluster };
      await expect(vcenter.cns.createFromSnapshot({ ...spec, source: missing }, { fence })).rejects.toBeDefined();
      const copy = await vcenter.cns.createFromSnapshot({ ...spec, source }, { fence });
      expect(copy).toMatchObject({ name: 'copy', capacityMb: 512n });
      expect(copy.id).not.toBe(volume.id);
    });

    can('relocate', 'move to another datastore', async () => {
      const volume = await create('relocate');
      const { shared } = await vcenter.placement.sharedDatastores([vm.ref]);
      const other = shared.find(({ url }) => url !== volume.datastoreUrl);
      if (!other) throw new Error('one datastore only');
      await destructiveCalls(vcenter).relocate(volume.id, { datastore: other.ref }, { fence });
      expect((await vcenter.cns.queryVolumes({ volumeIds: [volume.id] }))[0]?.datastoreUrl).toBe(other.url);
    });

    can('policy-change', 'change their policy', async () => {
      const volume = await create('policy');
      const { shared } = await vcenter.placement.sharedDatastores([vm.ref]);
      const home = shared.filter(({ url }) => url === volume.datastoreUrl).map(({ ref }) => ref);
      const policies = await vcenter.policies.list();
      const fitting = await Promise.all(
        policies.map(async ({ id }) =>
          (await vcenter.policies.placement(id, home)).compatible.length > 0 ? [id] : [],
        ),
      );
      const [policy = ''] = fitting.flat();
      await vcenter.cns.changePolicy(volume.id, policy, { fence });
      expect((await vcenter.cns.queryVolumes({ volumeIds: [volume.id] }))[0]?.storagePolicyId).toBe(policy);
    });

    can('file-volumes', 'are file shares too, with access points and access rules', async () => {
      const netPermissions = [{ ips: '192.0.2.0/24', access: 'READ_WRITE', rootSquash: false }] as const;
      const { shared } = await vcenter.placement.sharedDatastores([vm.ref]);
      const vsan = shared.filter(({ type }) => type === 'vsan').map(({ ref }) => ref);
      const spec = { name: 'share', capacityMb: 256n, datastores: vsan, cluster, netPermissions };
      const volume = await vcenter.cns.createFileVolume(spec, { fence });
      expect(volume).toMatchObject({ type: 'FILE', name: 'share' });
      expect(Object.values(await vcenter.cns.accessPoints(volume.id))[0]).toMatch(/:\//);
      await vcenter.cns.grantAccess(volume.id, netPermissions, { fence });
    });

    it('leave CNS without their disk, which becomes a volume again by its id', async () => {
      const volume = await create('kept');
      expect(await destructiveCalls(vcenter).unregister(volume.id, { fence })).toBe(true);
      expect(await destructiveCalls(vcenter).unregister(volume.id, { fence })).toBe(false);
      expect(await vcenter.cns.queryVolumes({ volumeIds: [volume.id] })).toEqual([]);
      const spec = { name: 'again', backing: { diskId: volume.id }, cluster };
      const registered = await vcenter.cns.registerDisk(spec, { fence });
      expect(registered).toEqual({ ...volume, name: 'again' });
      expect(await vcenter.cns.queryVolumes({ volumeIds: [volume.id] })).toEqual([registered]);
    });

    it('are not made from disks that do not exist', async () => {
      const spec = { name: 'none', backing: { diskId: '00000000-0000-4000-8000-000000000000' }, cluster };
      await expect(vcenter.cns.registerDisk(spec, { fence })).rejects.toMatchObject({ name: 'VdoError' });
    });

    can('disk-path', 'tell where their disk is', async () => {
      expect((await create('path')).diskPath).toMatch(/^\[.+\] .+\.vmdk$/);
    });

    can('register-once', 'are not registered again', async () => {
      const volume = await create('once');
      const spec = { name: 'twice', backing: { diskId: volume.id }, cluster };
      await expect(vcenter.cns.registerDisk(spec, { fence })).rejects.toMatchObject({ name: 'VdoError' });
    });

    can('register-by-path', 'are made from the vmdk at a path', async () => {
      const volume = await create('by-path');
      await destructiveCalls(vcenter).unregister(volume.id, { fence });
      const [, dsName = '', path = ''] = /^\[(.+)\] (.+)$/.exec(volume.diskPath ?? '') ?? [];
      const diskUrlPath = `https://${target.server}/folder/${path}?dcPath=DC0&dsName=${dsName}`;
      const spec = { name: 'found', backing: { diskUrlPath }, cluster };
      const registered = await vcenter.cns.registerDisk(spec, { fence });
      expect(registered).toMatchObject({ name: 'found', diskPath: volume.diskPath, capacityMb: 512n });
    });

    it('that do not exist are told by name', async () => {
      expect(await destructiveCalls(vcenter).unregister('no-such-volume', { fence })).toBe(false);
      const [query] = await vcenter.cns.queryVolumes({ volumeIds: ['no-such-volume'] });
      expect(query).toBeUndefined();
    });
  });

  describe('storage policies', () => {
    it('are listed, found by name and checked against datastores', async () => {
      const policies = await vcenter.policies.list();
      const [first] = policies;
      if (!first) throw new Error('no policy');
      expect(await vcenter.policies.find(first.name)).toEqual(first);
      const { compatible, reasons } = await vcenter.policies.placement(first.id, datastores);
      expect(compatible.length + reasons.size).toBe(datastores.length);
    });

    it('that do not exist are told together with those that do', async () => {
      await expect(vcenter.policies.find('no such policy')).rejects.toMatchObject({
        code: 'VolumeParametersInvalid',
        message: expect.stringContaining('it has "'),
      });
    });
  });

  describe('roles and permissions', () => {
    const privileges = ['Datastore.FileManagement', 'System.Anonymous', 'System.Read', 'System.View'];

    it('are created, changed, granted, revoked and removed', async () => {
      const { authorization } = vcenter;
      const id = await authorization.createRole('contract-role', ['Datastore.FileManagement']);
      const read = async () => (await authorization.roles()).find((role) => role.id === id);
      expect(await read()).toMatchObject({ name: 'contract-role', system: false });
      expect([...((await read())?.privileges ?? [])].sort()).toEqual(privileges);
      await authorization.updateRole({ id, name: 'contract-role-2', privileges: ['Cns.Searchable'] });
      expect((await read())?.name).toBe('contract-role-2');
      const [entity] = datastores;
      if (!entity) throw new Error('no datastore');
      const permission = { entity, principal: 'VSPHERE.LOCAL\\contract', group: false, roleId: id, propagate: true };
      await authorization.setPermission(permission);
      expect((await authorization.permissions(entity)).some(({ roleId }) => roleId === id)).toBe(true);
      await authorization.removePermission(permission);
      expect((await authorization.permissions(entity)).some(({ roleId }) => roleId === id)).toBe(false);
      await authorization.removeRole(id);
      expect(await read()).toBeUndefined();
    });

    it('of the user in session are told per object', async () => {
      const missing = await vcenter.authorization.missingPrivileges([...datastores, vm.ref], privileges);
      expect(missing).toEqual(new Map());
    });
  });

  describe('VMs', () => {
    it('take options', async () => {
      await vcenter.vms.setExtraConfig(vm.ref, { 'disk.EnableUUID': 'TRUE' }, { fence });
      const found = await vcenter.nodes.resolve([{ key: 'vm', uuid: vm.uuid }]);
      expect(found.get('vm')).toMatchObject({ vm: { extraConfig: { 'disk.EnableUUID': 'TRUE' } } });
    });

    it('are powered off and on', async () => {
      const state = async () => {
        const found = (await vcenter.nodes.resolve([{ key: 'vm', uuid: vm.uuid }])).get('vm');
        return found?.state === 'found' ? found.vm.powerState : undefined;
      };
      await vcenter.vms.powerOff(vm.ref, { fence });
      expect(await state()).toBe('poweredOff');
      await vcenter.vms.powerOn(vm.ref, { fence });
      expect(await state()).toBe('poweredOn');
    });

    it('get newer virtual hardware while they are off, and not before', async () => {
      // vcsim sends the name of the Go type here.
      await expect(vcenter.vms.upgradeHardware(vm.ref, 20, { fence })).rejects.toMatchObject({
        details: { fault: expect.stringMatching(/^InvalidPowerState/) },
      });
      await vcenter.vms.powerOff(vm.ref, { fence });
      await vcenter.vms.upgradeHardware(vm.ref, 20, { fence });
      expect((await vcenter.health.vms([vm.ref])).get(morefKey(vm.ref))?.hardwareVersion).toBe(20);
      await vcenter.vms.powerOn(vm.ref, { fence });
    });

    it('that are off already refuse to be powered off', async () => {
      await vcenter.vms.powerOff(vm.ref, { fence });
      await expect(vcenter.vms.powerOff(vm.ref, { fence })).rejects.toMatchObject({
        details: { fault: 'InvalidPowerState' },
      });
      await vcenter.vms.powerOn(vm.ref, { fence });
    });
  });

  describe('the inventory', () => {
    it('is read by names and parents, up to the root', async () => {
      const tree = await vcenter.inventory.read(['ClusterComputeResource', 'Datastore']);
      const types = new Set([...tree.values()].map(({ ref }) => ref.type));
      expect(types).toEqual(new Set(['ClusterComputeResource', 'Datastore', 'Folder', 'Datacenter']));
      expect([...tree.values()].filter(({ parent }) => !parent)).toHaveLength(1);
      const cluster = [...tree.values()].find(({ ref }) => ref.type === 'ClusterComputeResource');
      expect(cluster?.name).toBe('DC0_C0');
    });

    it('is tagged with categories and tags that were made for it', async () => {
      const { tags, health } = vcenter;
      const tree = await vcenter.inventory.read(['Datacenter']);
      const ref = [...tree.values()].find((one) => one.ref.type === 'Datacenter')?.ref;
      if (!ref) throw new Error('no datacenter');
      const category = { name: 'contract-region', description: 'made by a test', types: ['Datacenter', 'HostSystem'] };
      const categoryId = await tags.createCategory(category);
      expect(await tags.categories()).toContainEqual({ id: categoryId, name: 'contract-region' });
      const first = await tags.createTag({ name: 'r1', categoryId });
      await tags.createTag({ name: 'r2', categoryId });
      expect((await tags.tagsIn(categoryId)).map(({ name }) => name).sort()).toEqual(['r1', 'r2']);
      const onIt = async () => (await health.tags([ref])).get(morefKey(ref)) ?? [];
      await tags.attach(first, ref);
      expect(await onIt()).toContainEqual({ category: 'contract-region', tag: 'r1' });
      await tags.detach(first, ref);
      expect((await onIt()).filter((one) => one.category === 'contract-region')).toEqual([]);
    });
  });
};
