import {
  cnsAttachVolume,
  cnsConfigureVolumeACLs,
  cnsCreateSnapshots,
  cnsDeleteSnapshots,
  cnsDeleteVolume,
  cnsDetachVolume,
  cnsExtendVolume,
  cnsQuerySnapshots,
  cnsReconfigVolumePolicy,
  cnsRelocateVolume,
  cnsUpdateVolumeMetadata,
} from '@vdo/vsphere/wire/methods/cns';
import { make } from '@vdo/vsphere/wire/schema';
import {
  CnsBlockVolumeRelocateSpec,
  CnsKubernetesEntityMetadata,
  CnsNFSAccessControlSpec,
} from '@vdo/vsphere/wire/types/cns';
import { VirtualMachineDefinedProfileSpec } from '@vdo/vsphere/wire/types/vm-device';
import { describe, expect, it } from 'vitest';
import { cnsManager as _this, createCnsTestClient, testCluster } from '../testing/cns-test-client.ts';

interface Disk {
  readonly $type: string;
  readonly key: number;
  readonly controllerKey: number;
  readonly unitNumber: number;
  readonly capacityInBytes: bigint;
  readonly vDiskId?: { readonly id: string };
  readonly backing: { readonly uuid: string };
}

const setup = async () => {
  const client = await createCnsTestClient();
  const { sim, cns, outcome, create, read } = client;
  const vm = (name: string) => sim.control.find(name);
  const newVolume = async (name: string, options: Parameters<typeof create>[1] = {}) =>
    (await create(name, options))?.volumeId?.id ?? '';
  const attach = async (id: string, name: string) =>
    (await outcome(await cns.call(cnsAttachVolume, { _this, attachSpecs: [{ volumeId: { id }, vm: vm(name) }] })))
      .result?.volumeResults[0];
  const detach = async (id: string, name: string) =>
    (await outcome(await cns.call(cnsDetachVolume, { _this, detachSpecs: [{ volumeId: { id }, vm: vm(name) }] })))
      .result?.volumeResults[0];
  const remove = async (id: string) =>
    (await outcome(await cns.call(cnsDeleteVolume, { _this, volumeIds: [{ id }], deleteDisk: true }))).result
      ?.volumeResults[0];
  const extend = async (id: string, capacityInMb: bigint) =>
    (await outcome(await cns.call(cnsExtendVolume, { _this, extendSpecs: [{ volumeId: { id }, capacityInMb }] })))
      .result?.volumeResults[0];
  const snapshot = async (id: string) =>
    (
      await outcome(
        await cns.call(cnsCreateSnapshots, { _this, snapshotSpecs: [{ volumeId: { id }, description: 'before' }] }),
      )
    ).result?.volumeResults[0];
  const disks = async (name: string) =>
    ((await read(vm(name), 'config.hardware.device')) as readonly Disk[]).filter(
      ({ $type }) => $type === 'VirtualDisk',
    );
  return { ...client, newVolume, attach, detach, remove, extend, snapshot, disks };
};

const vsanPolicy = 'aa6d5a82-1c88-45da-85d3-3d74b91a5bad';

const faultOf = (result: { readonly fault?: { readonly fault?: unknown } | undefined } | undefined) =>
  result?.fault?.fault;

describe('attaching', () => {
  it('adds a disk with the volume’s own UUID to the VM, and removes it', async () => {
    const { newVolume, attach, detach, disks } = await setup();
    const [a, b] = [await newVolume('a'), await newVolume('b')];
    const results = [await attach(a, 'node-1'), await attach(b, 'node-1')];
    const uuids = results.map((result) => String(result?.['diskUUID']));
    expect(new Set(uuids).size).toBe(2);
    expect(uuids[0]).toMatch(/^6000c29[0-9a-f]{25}$/);
    const added = (await disks('node-1')).slice(1);
    expect(added.map(({ backing, vDiskId, unitNumber }) => [backing.uuid, vDiskId?.id, unitNumber])).toEqual([
      [uuids[0], a, 1],
      [uuids[1], b, 2],
    ]);
    expect(faultOf(await detach(a, 'node-1'))).toBeUndefined();
    expect((await disks('node-1')).map(({ vDiskId }) => vDiskId?.id)).toEqual([undefined, b]);
  });

  it('refuses a volume of another VM, a volume that does not exist, and a wrong detach', async () => {
    const { newVolume, attach, detach } = await setup();
    const id = await newVolume('a');
    await attach(id, 'node-1');
    expect(faultOf(await attach(id, 'node-2'))).toMatchObject({ $type: 'ResourceInUse' });
    expect(faultOf(await attach(id, 'node-1'))).toMatchObject({ $type: 'ResourceInUse' });
    expect(faultOf(await attach('none', 'node-1'))).toMatchObject({ $type: 'NotFound' });
    expect(faultOf(await detach(id, 'node-2'))).toMatchObject({ $type: 'NotFound' });
  });

  it('refuses a VM whose host does not mount the datastore', async () => {
    const { sim, newVolume, attach } = await setup();
    sim.control.grant('csi@vsphere.local', 'CNS-DATASTORE', '/demo/datastore/local-a');
    const id = await newVolume('a', { datastores: ['local-a'] });
    expect(faultOf(await attach(id, 'node-4'))).toMatchObject({ $type: 'InaccessibleDatastore' });
    expect(faultOf(await attach(id, 'node-1'))).toBeUndefined();
  });

  it('needs privileges on the VM', async () => {
    const { sim, newVolume, attach } = await setup();
    const id = await newVolume('a');
    sim.control.revoke('csi@vsphere.local', '/demo/vm/kubernetes');
    expect(faultOf(await attach(id, 'node-1'))).toMatchObject({
      $type: 'NoPermission',
      privilegeId: 'VirtualMachine.Config.AddExistingDisk',
    });
  });

  it('fills the slots of an adapter, adds adapters up to four, and then reports that one is missing', async () => {
    const { newVolume, attach, disks } = await setup();
    for (let i = 0; i < 59; i++) await attach(await newVolume(`v${i}`), 'node-1');
    const slots = (await disks('node-1')).map(({ controllerKey, unitNumber }) => `${controllerKey}:${unitNumber}`);
    expect(new Set(slots).size).toBe(60);
    expect(slots.filter((slot) => slot.endsWith(':7'))).toEqual([]);
    expect(new Set(slots.map((slot) => slot.split(':')[0]))).toEqual(new Set(['1000', '1001', '1002', '1003']));
    expect(faultOf(await attach(await newVolume('last'), 'node-1'))).toMatchObject({
      $type: 'CnsFault',
      reason: expect.stringContaining('missing SCSI controller'),
    });
  });

  it('prevents the deletion of an attached volume until its VM is deleted', async () => {
    const { sim, newVolume, attach, remove } = await setup();
    const id = await newVolume('a');
    await attach(id, 'node-1');
    expect(faultOf(await remove(id))).toMatchObject({ $type: 'ResourceInUse' });
    sim.control.deleteVm('node-1');
    expect(faultOf(await remove(id))).toBeUndefined();
  });

  it('keeps a volume on a VM that is registered again, under its new reference', async () => {
    const { sim, newVolume, attach, detach, disks } = await setup();
    const id = await newVolume('a');
    await attach(id, 'node-1');
    const before = sim.control.find('node-1');
    sim.control.registerAgain('node-1');
    expect(sim.control.find('node-1')).not.toEqual(before);
    expect((await disks('node-1')).map(({ vDiskId }) => vDiskId?.id)).toContain(id);
    expect(faultOf(await detach(id, 'node-1'))).toBeUndefined();
    expect(await disks('node-1')).toHaveLength(1);
  });
});

describe('expanding and moving', () => {
  it('extends a volume and its attached disk, never shrinks it', async () => {
    const { sim, newVolume, attach, extend, disks } = await setup();
    const id = await newVolume('a');
    await attach(id, 'node-1');
    expect(faultOf(await extend(id, 2048n))).toBeUndefined();
    expect(sim.volumes.get(id)?.capacityMb).toBe(2048n);
    expect((await disks('node-1')).at(-1)?.capacityInBytes).toBe(2048n * 1024n ** 2n);
    expect(faultOf(await extend(id, 100n))).toMatchObject({ $type: 'InvalidArgument' });
  });

  it('reserves space on the datastore and frees it', async () => {
    const { sim, newVolume, remove, read } = await setup();
    const free = () => read(sim.control.find('shared-vmfs'), 'summary.freeSpace') as Promise<bigint>;
    const before = await free();
    const id = await newVolume('a', { datastores: ['shared-vmfs'], capacityInMb: 10n });
    expect(before - (await free())).toBe(10n * 1024n ** 2n);
    await remove(id);
    expect(await free()).toBe(before);
  });

  const moving = async (options: { readonly role?: readonly string[] } = {}) => {
    const opened = await setup();
    const { sim, cns, newVolume } = opened;
    const { role = ['vsanDatastore', 'shared-vmfs'] } = options;
    for (const name of role) sim.control.grant('csi@vsphere.local', 'Admin', `/demo/datastore/${name}`);
    const id = await newVolume('a', { datastores: ['shared-vmfs'] });
    const datastore = sim.control.find('vsanDatastore');
    const spec = (volume: string) => make(CnsBlockVolumeRelocateSpec, { volumeId: { id: volume }, datastore });
    const begin = (...volumes: readonly string[]) =>
      cns.call(cnsRelocateVolume, { _this, relocateSpecs: volumes.map(spec) });
    return { ...opened, id, datastore, begin };
  };

  it('relocates, and changes the storage policy', async () => {
    const { sim, cns, outcome, id, datastore, begin } = await moving();
    await outcome(await begin(id));
    const profile = [make(VirtualMachineDefinedProfileSpec, { profileId: vsanPolicy })];
    await outcome(
      await cns.call(cnsReconfigVolumePolicy, { _this, volumePolicyReconfigSpecs: [{ volumeId: { id }, profile }] }),
    );
    expect(sim.volumes.get(id)).toMatchObject({ datastore, policyId: vsanPolicy });
    expect(sim.volumes.get(id)?.path).toMatch(/^\[vsanDatastore\] fcd\//);
  });

  it('relocates one volume per call', async () => {
    const { newVolume, id, begin } = await moving();
    const other = await newVolume('b');
    await expect(begin(id, other)).rejects.toMatchObject({ message: expect.stringContaining('InputSpec') });
    await expect(begin()).rejects.toMatchObject({ message: expect.stringContaining('InputSpec') });
  });

  it('relocates only with the privilege to allocate space, and nothing with snapshots', async () => {
    const poor = await moving({ role: [] });
    const [refused] = (await poor.outcome(await poor.begin(poor.id))).result?.volumeResults ?? [];
    expect(faultOf(refused)).toMatchObject({ $type: 'NoPermission', privilegeId: 'Datastore.AllocateSpace' });
    const rich = await moving();
    await rich.snapshot(rich.id);
    const [kept] = (await rich.outcome(await rich.begin(rich.id))).result?.volumeResults ?? [];
    expect(faultOf(kept)).toMatchObject({ $type: 'CnsFault' });
  });

  it('refuses other operations on a volume while it is relocated, and on volumes of its VM', async () => {
    const { sim, attach, extend, newVolume, outcome, id, begin } = await moving();
    sim.control.addFault({ method: 'CnsRelocateVolume', effect: { kind: 'task-latency', ms: 60_000 } });
    sim.control.grant('csi@vsphere.local', 'Admin', '/demo/vm/kubernetes');
    await attach(id, 'node-1');
    const task = await begin(id);
    expect(faultOf(await extend(id, 4096n))).toMatchObject({ $type: 'CnsFault' });
    const other = await newVolume('b');
    expect(faultOf(await attach(other, 'node-1'))).toMatchObject({ $type: 'CnsFault' });
    expect(faultOf(await attach(other, 'node-2'))).toBeUndefined();
    for (let i = 0; i < 61; i++) await outcome(task);
    expect(faultOf(await extend(id, 4096n))).toBeUndefined();
  });
});

describe('snapshots', () => {
  it('are created, listed, used as a source, and deleted', async () => {
    const { cns, outcome, newVolume, snapshot, create, sim } = await setup();
    const id = await newVolume('a', { capacityInMb: 512n });
    const made = (await snapshot(id))?.['snapshot'] as { readonly snapshotId: { readonly id: string } };
    const list = async (spec: {
      readonly volumeId: { readonly id: string };
      readonly snapshotId?: { readonly id: string };
    }) =>
      (await outcome(await cns.call(cnsQuerySnapshots, { _this, snapshotQueryFilter: { snapshotQuerySpecs: [spec] } })))
        .result?.['entries'];
    expect(await list({ volumeId: { id } })).toMatchObject([{ snapshot: { ...made, description: 'before' } }]);
    expect(await list({ volumeId: { id }, snapshotId: { id: 'x' } })).toMatchObject([
      { error: { fault: { $type: 'CnsSnapshotNotFoundFault' } } },
    ]);
    expect(await list({ volumeId: { id: 'y' } })).toMatchObject([
      { error: { fault: { $type: 'CnsVolumeNotFoundFault' } } },
    ]);
    const source = { volume: id, snapshot: made.snapshotId.id };
    expect(faultOf(await create('small', { source, capacityInMb: 100n }))).toMatchObject({ $type: 'InvalidArgument' });
    expect(faultOf(await create('copy', { source, capacityInMb: 512n }))).toBeUndefined();
    const info = await outcome(
      await cns.call(cnsDeleteSnapshots, {
        _this,
        snapshotDeleteSpecs: [{ volumeId: { id }, snapshotId: made.snapshotId }],
      }),
    );
    expect(info.result?.volumeResults).toMatchObject([
      { $type: 'CnsSnapshotDeleteResult', snapshotId: made.snapshotId },
    ]);
    expect(sim.volumes.get(id)?.snapshots).toEqual([]);
  });

  it('prevent the deletion and expansion of their volume', async () => {
    const { newVolume, snapshot, remove, extend } = await setup();
    const id = await newVolume('a');
    await snapshot(id);
    expect(faultOf(await remove(id))).toMatchObject({ $type: 'CnsFault' });
    expect(faultOf(await extend(id, 4096n))).toMatchObject({ $type: 'InvalidState' });
  });
});

describe('metadata and file shares', () => {
  it('merges entities by kind, name and namespace, and deletes marked ones', async () => {
    const { sim, cns, outcome, newVolume } = await setup();
    const id = await newVolume('pv-a');
    const entity = (entityType: string, entityName: string, more: { readonly delete?: boolean } = {}) =>
      make(CnsKubernetesEntityMetadata, {
        entityType,
        entityName,
        namespace: entityType === 'PERSISTENT_VOLUME' ? '' : 'shop',
        clusterId: '',
        ...more,
      });
    const update = async (...entityMetadata: readonly ReturnType<typeof entity>[]) => {
      const metadata = { containerCluster: testCluster, entityMetadata };
      await outcome(await cns.call(cnsUpdateVolumeMetadata, { _this, updateSpecs: [{ volumeId: { id }, metadata }] }));
      return sim.volumes.get(id)?.metadata?.entityMetadata.map(({ entityName }) => entityName);
    };
    expect(await update(entity('PERSISTENT_VOLUME_CLAIM', 'data'), entity('POD', 'db-0'))).toEqual([
      'pv-a',
      'data',
      'db-0',
    ]);
    expect(await update(entity('POD', 'db-0', { delete: true }))).toEqual(['pv-a', 'data']);
  });

  it('creates file shares on vSAN only, with permissions', async () => {
    const { sim, cns, outcome, create, newVolume } = await setup();
    expect(faultOf(await create('f', { volumeType: 'FILE', datastores: ['shared-vmfs'] }))).toMatchObject({
      $type: 'CnsFault',
    });
    const id = await newVolume('f', { volumeType: 'FILE', datastores: ['vsanDatastore'] });
    expect(id).toMatch(/^file:/);
    const netPermission = { ips: '10.0.0.0/8', allowRoot: true };
    const configure = async (more: { readonly delete?: boolean }) => {
      const accessControlSpecList = [make(CnsNFSAccessControlSpec, { netPermission, ...more })];
      const ACLConfigSpecs = [{ volumeId: { id }, accessControlSpecList }];
      await outcome(await cns.call(cnsConfigureVolumeACLs, { _this, ACLConfigSpecs }));
      return sim.volumes.get(id)?.netPermissions.map(({ ips }) => ips);
    };
    expect(await configure({})).toEqual(['10.0.0.0/8']);
    expect(await configure({ delete: true })).toEqual([]);
  });
});
