import type { VolumeStore } from '@vdo/vsphere-sim/cns/volume-store';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createDomainTestbed,
  type DomainTestbed,
  type DomainTestbedOptions,
  nodeId,
} from './testing/domain-testbed.ts';
import { withDeadlines } from './volumes/around-operations.ts';

let testbed: DomainTestbed | undefined;
const open = (options: DomainTestbedOptions = {}): DomainTestbed => {
  testbed = createDomainTestbed(options);
  return testbed;
};
afterEach(async () => {
  await testbed?.close();
  testbed = undefined;
});

const holderOf = ({ sim }: DomainTestbed, volumeId: string) => sim.volumes.get(volumeId)?.attachedTo?.vm.value;
const vmOf = ({ sim }: DomainTestbed, node: number) => sim.control.find(`node-${node}`, 'VirtualMachine').value;
const hour = 3_600_000;

const urlOf = ({ sim }: DomainTestbed, name: string): string => sim.control.read(name, 'summary.url') as string;

describe('a task that never ends', () => {
  it.each([
    ['CnsCreateVolume', 'CreateVolume'],
    ['CnsAttachVolume', 'ControllerPublishVolume'],
    ['CnsExtendVolume', 'ControllerExpandVolume'],
    ['CnsDeleteVolume', 'DeleteVolume'],
    ['CnsDetachVolume', 'ControllerUnpublishVolume'],
    ['CnsCreateSnapshots', 'CreateSnapshot'],
  ])('%s is told after ten minutes, and is not asked for a second time', async (method, rpc) => {
    const opened = open();
    const { operations, clock, context, run, sim } = opened;
    const patient = withDeadlines(operations, { clock });
    const { volumeId } = await opened.create('data');
    if (method === 'CnsDetachVolume') await opened.publish(volumeId, 1);
    sim.recorder.clear();
    sim.control.addFault({ method, effect: { kind: 'task-latency', ms: 1000 * hour } });
    const use = { kind: 'mount', fsType: '', mode: 'SINGLE_NODE_WRITER' } as const;
    const [size, on] = [
      { requiredBytes: 2n << 30n, limitBytes: 0n },
      { volumeId, nodeId: nodeId(1) },
    ];
    const request = {
      CreateVolume: () =>
        patient.createVolume({ name: 'more', size: undefined, uses: [use], parameters: {}, topologies: [] }, context),
      ControllerPublishVolume: () =>
        patient.controllerPublishVolume({ ...on, use, readOnly: false, volumeContext: {} }, context),
      ControllerExpandVolume: () => patient.controllerExpandVolume({ volumeId, size }, context),
      DeleteVolume: () => patient.deleteVolume(volumeId, context),
      ControllerUnpublishVolume: () => patient.controllerUnpublishVolume(on, context),
      CreateSnapshot: () => patient.createSnapshot({ name: 's', volumeId }, context),
    }[rpc];
    for (let i = 0; i < 3; i++)
      await expect(run<unknown>(request?.() ?? Promise.resolve(), 2 * hour)).rejects.toMatchObject({
        code: 'DeadlineExceeded',
        message: expect.stringContaining('10 minutes'),
      });
    expect(sim.recorder.count(method)).toBe(1);
  });
});

describe('a CNS fault', () => {
  const faults: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['CnsFault', { reason: 'odd' }, 'VCenterTaskFailed'],
    ['NoPermission', { privilegeId: 'Datastore.FileManagement' }, 'VCenterPermissionDenied'],
    ['ResourceInUse', { type: 'Volume', name: 'v' }, 'VCenterBusy'],
    ['NotSupported', {}, 'VCenterVersionUnsupported'],
    ['InvalidArgument', { invalidProperty: 'x' }, 'VCenterTaskFailed'],
    ['InvalidState', {}, 'VCenterTaskFailed'],
    ['NoDiskSpace', { file: '', datastore: 'shared-vmfs' }, 'DatastoreFull'],
  ];

  it.each(faults)(
    '%s while a volume is made is told by its name, and leaves nothing behind',
    async (type, fields, code) => {
      const { create, sim, kept } = open();
      sim.control.addFault({
        method: 'CnsCreateVolume',
        times: 1,
        effect: { kind: 'task-failure', fault: { $type: type, ...fields } },
      });
      await expect(create('data')).rejects.toMatchObject({
        code: expect.stringMatching(new RegExp(`${code}|VCenterFault`)),
      });
      expect([...kept]).toEqual([]);
      await create('data');
      expect(sim.volumes.list()).toHaveLength(1);
    },
  );

  it.each(faults)('%s while a volume is attached is told, and attaching works afterwards', async (type, fields) => {
    const opened = open();
    const { volumeId } = await opened.create('data');
    opened.sim.control.addFault({
      method: 'CnsAttachVolume',
      times: 1,
      effect: { kind: 'task-failure', fault: { $type: type, ...fields } },
    });
    await expect(opened.publish(volumeId, 1)).rejects.toMatchObject({ name: 'VdoError' });
    await opened.publish(volumeId, 1);
    expect(holderOf(opened, volumeId)).toBe(vmOf(opened, 1));
  });
});

describe('a CNS fault of any kind', () => {
  const kinds = ['CnsFault', 'NoPermission', 'ResourceInUse', 'NotSupported', 'InvalidState', 'NoDiskSpace'] as const;
  const fields = { reason: 'odd', privilegeId: 'p', type: 'Volume', name: 'v', file: '', datastore: 'shared-vmfs' };
  const faulty = kinds.map((kind) => [kind, { $type: kind, ...fields }] as const);

  it.each(faulty)('%s while a volume is detached is told, and it comes off afterwards', async (_kind, fault) => {
    const opened = open();
    const { volumeId } = await opened.create('data');
    await opened.publish(volumeId, 1);
    opened.sim.control.addFault({
      method: 'CnsDetachVolume',
      times: 1,
      effect: { kind: 'task-failure', fault },
    });
    await expect(opened.unpublish(volumeId, 1)).rejects.toMatchObject({ name: 'VdoError' });
    expect(holderOf(opened, volumeId)).toBe(vmOf(opened, 1));
    await opened.unpublish(volumeId, 1);
    expect(holderOf(opened, volumeId)).toBeUndefined();
  });

  it.each(faulty)(
    '%s while a volume grows is told, and it has its old size until it has the new',
    async (_kind, fault) => {
      const { create, call, sim } = open();
      const { volumeId } = await create('data');
      const size = () => sim.volumes.get(volumeId)?.capacityMb;
      sim.control.addFault({ method: 'CnsExtendVolume', times: 1, effect: { kind: 'task-failure', fault } });
      const grow = () =>
        call('controllerExpandVolume', { volumeId, capacityRange: { requiredBytes: 2n << 30n, limitBytes: 0n } });
      await expect(grow()).rejects.toMatchObject({ name: 'VdoError' });
      expect(size()).toBe(1024n);
      await grow();
      expect(size()).toBe(2048n);
    },
  );

  it.each(faulty)('%s while a snapshot is taken is told, and one is taken afterwards', async (_kind, fault) => {
    const { create, call, sim, kept } = open();
    const { volumeId } = await create('data');
    sim.control.addFault({ method: 'CnsCreateSnapshots', times: 1, effect: { kind: 'task-failure', fault } });
    const take = () => call('createSnapshot', { name: 's', sourceVolumeId: volumeId });
    await expect(take()).rejects.toMatchObject({ name: 'VdoError' });
    expect([...kept.keys()].filter((name) => name.startsWith('snapshot:'))).toEqual([]);
    await take();
    await take();
    expect(sim.volumes.get(volumeId)?.snapshots).toHaveLength(1);
  });

  it.each(faulty)('%s while a volume is deleted is told, and it is there until it is gone', async (_kind, fault) => {
    const { create, remove, sim } = open();
    const { volumeId } = await create('data');
    sim.control.addFault({ method: 'CnsDeleteVolume', times: 1, effect: { kind: 'task-failure', fault } });
    await expect(remove(volumeId)).rejects.toMatchObject({ name: 'VdoError' });
    expect(sim.volumes.get(volumeId)).toBeDefined();
    await remove(volumeId);
    expect(sim.volumes.get(volumeId)).toBeUndefined();
  });
});

describe('a datastore', () => {
  const small = (): VSphereModel => {
    const model = demoModel();
    const [datacenter] = model.datacenters;
    if (!datacenter) throw new RangeError('no datacenter');
    const datastores = [{ name: 'tiny', type: 'VMFS' as const, capacityGb: 3 }];
    const permissions = (model.permissions ?? []).filter(({ path }) => !path.includes('/datastore/'));
    return {
      ...model,
      datacenters: [{ ...datacenter, datastores }],
      permissions: [
        ...permissions,
        { principal: 'csi@vsphere.local', role: 'CNS-DATASTORE', path: '/demo/datastore/tiny' },
      ],
    };
  };

  it('that is full is told, and used again when there is room', async () => {
    const { create, remove, sim } = open({ models: [small()] });
    const first = await create('first', { capacityRange: { requiredBytes: 2n << 30n, limitBytes: 0n } });
    const request = { capacityRange: { requiredBytes: 2n << 30n, limitBytes: 0n } };
    await expect(create('second', request)).rejects.toMatchObject({
      code: 'DatastoreFull',
      message: expect.stringContaining('datastore tiny has no space left'),
    });
    expect(sim.volumes.list()).toHaveLength(1);
    await remove(first.volumeId);
    await create('second', request);
  });

  it('in maintenance is passed over, and named when there is no other', async () => {
    const { create, sim, clock, run } = open();
    sim.control.write('shared-vmfs', { 'summary.maintenanceMode': 'inMaintenance' });
    const { volumeId } = await create('first');
    expect(sim.volumes.get(volumeId)?.datastore).toEqual(sim.control.find('vsanDatastore', 'Datastore'));
    sim.control.write('vsanDatastore', { 'summary.maintenanceMode': 'enteringMaintenance' });
    await run(clock.advance(61_000));
    await expect(create('second')).rejects.toMatchObject({
      code: 'VolumeNoDatastore',
      message: expect.stringMatching(/vsanDatastore is in maintenance mode; shared-vmfs is in maintenance mode/),
    });
  });
});

describe('a datastore that is suspended for container volumes', () => {
  const suspend = {
    customValue: [{ $type: 'CustomFieldStringValue', key: 101, value: 'cns.vmware.com/datastoreSuspended' }],
  };

  it('is passed over, and named with the remedy when there is no other', async () => {
    const { create, sim, clock, run } = open();
    sim.control.write('vsanDatastore', suspend);
    const { volumeId } = await create('first');
    expect(sim.volumes.get(volumeId)?.datastore).toEqual(sim.control.find('shared-vmfs', 'Datastore'));
    sim.control.write('shared-vmfs', suspend);
    await run(clock.advance(61_000));
    await expect(create('second')).rejects.toMatchObject({
      code: 'VolumeNoDatastore',
      message: expect.stringContaining('shared-vmfs is suspended for container volumes'),
      remedy: expect.stringContaining('datastoreSuspended'),
    });
    sim.control.write('shared-vmfs', { customValue: [] });
    await run(clock.advance(61_000));
    await create('second');
  });

  it('is no place for a volume either whose class names it', async () => {
    const { create, sim } = open();
    sim.control.write('vsanDatastore', suspend);
    const url = String(sim.control.read('vsanDatastore', 'summary.url'));
    await expect(create('data', { parameters: { datastoreurl: url } })).rejects.toMatchObject({
      code: 'VolumeNoDatastore',
      message: expect.stringContaining('vsanDatastore is suspended for container volumes'),
    });
    expect(sim.recorder.count('CnsCreateVolume')).toBe(0);
  });
});

describe('detaching', () => {
  it('from a powered-off VM works', async () => {
    const opened = open();
    const { volumeId } = await opened.create('data');
    await opened.publish(volumeId, 1);
    opened.sim.control.powerOff('node-1');
    await opened.unpublish(volumeId, 1);
    expect(holderOf(opened, volumeId)).toBeUndefined();
  });

  it('from a deleted VM is done already, and the disk survives', async () => {
    const opened = open();
    const { volumeId } = await opened.create('data');
    await opened.publish(volumeId, 1);
    opened.sim.control.deleteVm('node-1');
    await opened.unpublish(volumeId, 1);
    await opened.publish(volumeId, 2);
    expect(holderOf(opened, volumeId)).toBe(vmOf(opened, 2));
  });

  it('waits for a backup snapshot on the node VM, and says which', async () => {
    const opened = open();
    const { sim } = opened;
    const { volumeId } = await opened.create('data');
    await opened.publish(volumeId, 1);
    const path = 'config.hardware.device';
    const devices = sim.control.read('node-1', path) as readonly {
      readonly vDiskId?: { readonly id: string };
      readonly backing?: { readonly fileName?: string };
    }[];
    const onSnapshot = devices.map((device) =>
      device.vDiskId?.id === volumeId
        ? {
            ...device,
            backing: { ...device.backing, fileName: device.backing?.fileName?.replace('.vmdk', '-000001.vmdk') },
          }
        : device,
    );
    sim.control.write('node-1', { [path]: onSnapshot });
    const fault = { $type: 'InvalidState' };
    const consolidate = sim.control.addFault({ method: 'CnsDetachVolume', effect: { kind: 'task-failure', fault } });
    await expect(opened.unpublish(volumeId, 1)).rejects.toMatchObject({
      code: 'VolumeBusy',
      message: expect.stringContaining('VM node-1 has a snapshot'),
    });
    expect(holderOf(opened, volumeId)).toBe(vmOf(opened, 1));
    consolidate();
    await opened.unpublish(volumeId, 1);
    expect(holderOf(opened, volumeId)).toBeUndefined();
  });
});

describe('attaching', () => {
  it('survives that the VM migrates meanwhile', async () => {
    const opened = open();
    const { volumeId } = await opened.create('data');
    const { sim } = opened;
    sim.control.addFault({ method: 'CnsAttachVolume', times: 1, effect: { kind: 'task-latency', ms: 5_000 } });
    const attaching = opened.publish(volumeId, 1);
    await opened.clock.advance(1_000);
    sim.control.migrate('node-1', 'esx-a3.demo.example');
    const { publishContext } = await attaching;
    expect(publishContext).toMatchObject({ diskUUID: sim.volumes.get(volumeId)?.diskUuid });
    expect(holderOf(opened, volumeId)).toBe(vmOf(opened, 1));
  });

  it('finds the disk attached when the reply was lost', async () => {
    const opened = open();
    const { volumeId } = await opened.create('data');
    opened.sim.control.addFault({ method: 'CnsAttachVolume', times: 1, effect: { kind: 'drop', when: 'after' } });
    const attached = await opened.publish(volumeId, 1).catch(() => opened.publish(volumeId, 1));
    expect(attached.publishContext).toMatchObject({ diskUUID: opened.sim.volumes.get(volumeId)?.diskUuid });
  });

  it('is refused when the disk that is attached already has no UUID: the node could not tell it from others', async () => {
    const opened = open();
    const { volumeId } = await opened.create('data');
    await opened.publish(volumeId, 1);
    const { control } = opened.sim;
    const devices = control.read('node-1', 'config.hardware.device') as readonly { readonly vDiskId?: object }[];
    control.write('node-1', {
      'config.hardware.device': devices.map((device) => {
        const { uuid: _uuid, ...backing } = (device as { backing?: { uuid?: string } }).backing ?? {};
        return device.vDiskId ? { ...device, backing } : device;
      }),
    });
    const fault = { $type: 'ResourceInUse', type: 'disk', name: volumeId };
    control.addFault({ method: 'CnsAttachVolume', effect: { kind: 'task-failure', fault } });
    await expect(opened.publish(volumeId, 1)).rejects.toMatchObject({
      code: 'VCenterReplyMalformed',
      message: expect.stringMatching(/VM node-1, but did not return the UUID of the disk/),
    });
  });

  it('is the same after HA restarted the VM on another host', async () => {
    const opened = open();
    const { volumeId } = await opened.create('data');
    const first = await opened.publish(volumeId, 1);
    const { control } = opened.sim;
    control.powerOff('node-1');
    control.migrate('node-1', 'esx-a2.demo.example');
    control.powerOn('node-1');
    expect(await opened.publish(volumeId, 1)).toEqual(first);
    await expect(opened.publish(volumeId, 2)).rejects.toMatchObject({ code: 'VolumeAttachedElsewhere' });
    await opened.unpublish(volumeId, 1);
    await opened.publish(volumeId, 2);
    expect(holderOf(opened, volumeId)).toBe(vmOf(opened, 2));
  });

  it('has room for 59 disks on the controllers that vCenter adds; the sixtieth is refused, and told how to make room', async () => {
    const opened = open();
    const { control } = opened.sim;
    const ids: string[] = [];
    for (let i = 0; i < 60; i++) ids.push((await opened.create(`data-${i}`)).volumeId);
    const outcomes = await Promise.allSettled(ids.map((volumeId) => opened.publish(volumeId, 1)));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(ids.filter((volumeId) => holderOf(opened, volumeId) === vmOf(opened, 1))).toHaveLength(59);
    expect(failed.map(({ reason }) => reason)).toMatchObject([
      {
        code: 'NodeDisksFull',
        message: expect.stringContaining('VM node-1 has 60 disks'),
        remedy: expect.stringContaining('--max-volumes'),
      },
    ]);
    const devices = control.read('node-1', 'config.hardware.device') as readonly { readonly $type?: string }[];
    expect(devices.filter(({ $type }) => $type === 'ParaVirtualSCSIController')).toHaveLength(4);
  });
});

describe('a disk that Storage vMotion moved to another datastore', () => {
  it('is attached, grown, copied, detached and deleted as before', async () => {
    const opened = open();
    const { sim, run, controller, context } = opened;
    const { volumeId } = await opened.create('data', { parameters: { datastoreurl: urlOf(opened, 'vsanDatastore') } });
    const vmfs = sim.control.find('shared-vmfs', 'Datastore');
    const volume = sim.volumes.get(volumeId);
    if (!volume) throw new Error('vCenter has the volume');
    const path = volume.path.replace('vsanDatastore', 'shared-vmfs');
    (sim.volumes as VolumeStore).put({ ...volume, datastore: vmfs, path });
    expect(sim.volumes.get(volumeId)?.datastore).toEqual(vmfs);
    await opened.publish(volumeId, 1);
    const grow = { volumeId, capacityRange: { requiredBytes: 2n << 30n, limitBytes: 0n } };
    await run(controller.controllerExpandVolume(grow as never, context));
    const source = { type: { case: 'volume', value: { volumeId } } };
    const copy = await opened.create('copy', {
      volumeContentSource: source,
      capacityRange: { requiredBytes: 2n << 30n, limitBytes: 0n },
    });
    expect(sim.volumes.get(copy.volumeId)).toBeDefined();
    await opened.unpublish(volumeId, 1);
    await opened.remove(volumeId);
    expect(sim.volumes.get(volumeId)).toBeUndefined();
  });
});

describe('a lost session', () => {
  it.each(['CnsCreateVolume', 'CnsQueryVolume', 'WaitForUpdatesEx', 'RetrievePropertiesEx'])(
    'at %s is opened again, and one volume is made',
    async (method) => {
      const { create, sim } = open();
      await create('before');
      sim.control.addFault({ method, times: 1, effect: { kind: 'expire-session' } });
      await create('data').catch(() => create('data'));
      expect(sim.volumes.list()).toHaveLength(2);
    },
  );
});

describe('two vCenters with one down', () => {
  const zone = (value: string) => ({ 'topology.csi.vmware.com/k8s-zone': value });
  const second = (): VSphereModel => {
    const model = demoModel();
    const [datacenter] = model.datacenters;
    if (!datacenter) throw new RangeError('no datacenter');
    const vms = datacenter.vms.map((vm, index) => ({ ...vm, uuid: `42120000-0000-4000-8000-10000000000${index + 1}` }));
    return { ...model, datacenters: [{ ...datacenter, vms }] };
  };
  const both = { models: [demoModel(), second()], labels: { 1: zone('a'), 2: zone('a'), 3: zone('a') } };

  it('serves the zones of the other, and destroys nothing of the silent one', async () => {
    const opened = open({ ...both, labels: { ...both.labels, 4: zone('a'), 5: zone('a') } });
    const place = { accessibilityRequirements: { preferred: [{ segments: zone('a') }], requisite: [] } };
    await opened.create('warm-up', place);
    opened.sims[1]?.control.restart(1000 * hour);
    const unknown = '00000000-0000-4000-8000-00000000ffff';
    // Whether the silent one has it is not known: gone cannot be claimed.
    await expect(opened.remove(unknown)).rejects.toMatchObject({ code: 'VCenterUnreachable' });
    const made = await opened.create('data', place);
    expect(opened.sims[0]?.volumes.get(made.volumeId)).toBeDefined();
    await opened.publish(made.volumeId, 1);
    await opened.unpublish(made.volumeId, 1);
    await opened.remove(made.volumeId);
    expect(opened.sims[0]?.volumes.get(made.volumeId)).toBeUndefined();
  });
});

describe('snapshots', () => {
  const take = (opened: DomainTestbed, name: string, sourceVolumeId: string) =>
    opened.call('createSnapshot', { name, sourceVolumeId });

  it('end at the limit, with the way to raise it', async () => {
    const opened = open({ csi: { snapshots: { maxPerVolume: 2 } } });
    const { volumeId } = await opened.create('data');
    await take(opened, 's1', volumeId);
    await take(opened, 's2', volumeId);
    await expect(take(opened, 's3', volumeId)).rejects.toMatchObject({
      code: 'SnapshotLimitReached',
      remedy: expect.stringContaining('csi.snapshots.maxPerVolume'),
    });
    await take(opened, 's2', volumeId);
    expect(opened.sim.volumes.get(volumeId)?.snapshots).toHaveLength(2);
  });

  it('keep their volume from being deleted, and nothing is lost', async () => {
    const opened = open();
    const { volumeId } = await opened.create('data');
    const { snapshot } = await take(opened, 's1', volumeId);
    await expect(opened.remove(volumeId)).rejects.toMatchObject({ code: 'VolumeHasSnapshots' });
    expect(opened.sim.volumes.get(volumeId)?.snapshots).toHaveLength(1);
    await opened.call('deleteSnapshot', { snapshotId: snapshot?.snapshotId });
    await opened.remove(volumeId);
    expect(opened.sim.volumes.list()).toEqual([]);
  });
});

describe('a copy of the cluster', () => {
  it('takes no disk from a running VM that is no node of it', async () => {
    const opened = open();
    const { volumeId } = await opened.create('data');
    await opened.publish(volumeId, 1);
    // The copy has the same objects, but other nodes.
    opened.setNodes((nodes) => nodes.filter(({ name }) => name !== 'node-1'));
    await expect(opened.unpublish(volumeId, 1)).rejects.toMatchObject({ code: 'VolumeAttachedElsewhere' });
    await expect(opened.publish(volumeId, 2)).rejects.toMatchObject({ message: expect.stringContaining(volumeId) });
    await expect(opened.remove(volumeId)).rejects.toMatchObject({ name: 'VdoError' });
    expect(holderOf(opened, volumeId)).toBe(vmOf(opened, 1));
    // A node that was removed for good lets go when its VM is off.
    opened.sim.control.powerOff('node-1');
    await opened.run(opened.clock.advance(1_000));
    await opened.unpublish(volumeId, 1);
    expect(holderOf(opened, volumeId)).toBeUndefined();
  });

  it('with an id of its own deletes nothing of the original', async () => {
    const opened = open();
    const original = { clusterId: 'original', vSphereUser: 'u', distribution: 'd' };
    const spec = { name: 'theirs', capacityMb: 1024n, datastores: [], cluster: original };
    const made = await opened.run(
      opened.vcenters[0]?.cns.createBlockVolume(spec, { fence: opened.context.fence }) ?? Promise.reject(),
    );
    await expect(opened.remove(made.id)).rejects.toMatchObject({ code: 'VolumeForeign' });
    expect(opened.sim.volumes.list()).toHaveLength(1);
  });
});
