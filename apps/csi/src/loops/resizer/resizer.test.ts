import { type PersistentVolume, type PersistentVolumeClaim, persistentVolumeClaims } from '@vdo/kube/types/core';
import {
  csiDrivers,
  csiStorageCapacities,
  type VolumeAttributesClass,
  volumeAttributesClasses,
} from '@vdo/kube/types/storage';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, it } from 'vitest';
import { createSimHouse, type SimHouseOptions } from '../../testing/sim-house.ts';
import { decideModify } from './decide-modify.ts';
import { decideResize } from './decide-resize.ts';

type House = ReturnType<typeof createSimHouse>;
type Status = NonNullable<PersistentVolumeClaim['status']>;
const houses: House[] = [];
const open = async (options: SimHouseOptions = {}): Promise<House> => {
  const house = createSimHouse(options);
  houses.push(house);
  await house.setUp();
  return house;
};
afterEach(async () => {
  for (const house of houses.splice(0)) await house.stop();
});

const claimOf = (storage: string, status: Partial<Status> = {}, className?: string): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default', uid: 'u' },
  spec: {
    resources: { requests: { storage } },
    volumeName: 'pv',
    ...(className ? { volumeAttributesClassName: className } : {}),
  },
  status: { phase: 'Bound', capacity: { storage: '10Gi' }, ...status },
});
const volumeOf = (storage: string): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv' },
  spec: {
    capacity: { storage },
    claimRef: { uid: 'u' },
    csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: 'v' },
  },
});
const under = (status: string, allocated: string): Partial<Status> => ({
  allocatedResourceStatuses: { storage: status },
  allocatedResources: { storage: allocated },
});
const gi = (count: number): bigint => BigInt(count) * 1024n ** 3n;

describe('the growth of a claim', () => {
  it.each<[string, string, Partial<Status>, string, boolean, { action: string; bytes?: bigint }]>([
    ['nothing is asked for', '10Gi', {}, '10Gi', false, { action: 'ignore' }],
    ['more is asked for', '20Gi', {}, '10Gi', false, { action: 'grow', bytes: gi(20) }],
    ['the disk has grown already', '20Gi', {}, '20Gi', false, { action: 'mark', bytes: gi(20) }],
    [
      'it was begun',
      '30Gi',
      under('ControllerResizeInProgress', '20Gi'),
      '10Gi',
      false,
      { action: 'grow', bytes: gi(20) },
    ],
    [
      'it has failed for certain, a smaller wish counts',
      '12Gi',
      under('ControllerResizeInProgress', '20Gi'),
      '10Gi',
      true,
      { action: 'grow', bytes: gi(12) },
    ],
    [
      'it is not possible, a smaller wish counts',
      '12Gi',
      under('ControllerResizeInfeasible', '9000Ti'),
      '10Gi',
      false,
      { action: 'grow', bytes: gi(12) },
    ],
    [
      'it was done but not written down',
      '20Gi',
      under('ControllerResizeInProgress', '20Gi'),
      '20Gi',
      false,
      { action: 'mark', bytes: gi(20) },
    ],
    ['the node is at it', '20Gi', under('NodeResizePending', '20Gi'), '20Gi', false, { action: 'ignore' }],
    [
      'the node is at it and more is asked for',
      '30Gi',
      under('NodeResizeInProgress', '20Gi'),
      '20Gi',
      false,
      { action: 'ignore' },
    ],
    [
      'the node cannot do it',
      '20Gi',
      under('NodeResizeInfeasible', '20Gi'),
      '20Gi',
      false,
      { action: 'mark', bytes: gi(20) },
    ],
  ])('when %s', (_name, asked, status, has, lastTryFailed, expected) =>
    expect(decideResize(claimOf(asked, status), volumeOf(has), { lastTryFailed })).toMatchObject(expected),
  );
});

describe('the class of a claim', () => {
  const inProgress = { modifyVolumeStatus: { status: 'InProgress', targetVolumeAttributesClassName: 'silver' } };
  it.each<[string, Partial<Status>, string | undefined, boolean, object]>([
    ['is none', {}, undefined, false, { action: 'ignore' }],
    ['is that of the volume', { currentVolumeAttributesClassName: 'gold' }, 'gold', false, { action: 'ignore' }],
    ['is new', {}, 'gold', false, { action: 'modify', className: 'gold' }],
    ['changed while the outcome is not known', inProgress, 'gold', true, { action: 'modify', className: 'silver' }],
    ['changed after a certain failure', inProgress, 'gold', false, { action: 'modify', className: 'gold' }],
    [
      'was taken back',
      { conditions: [{ type: 'ModifyingVolume', status: 'True' }] },
      undefined,
      false,
      { action: 'ignore' },
    ],
  ])('%s', (_name, status, className, uncertain, expected) =>
    expect(decideModify(claimOf('10Gi', status, className), volumeOf('10Gi'), { uncertain })).toMatchObject(expected),
  );
});

const resize = (house: House, storage: string) =>
  house.client.patch(
    persistentVolumeClaims,
    { namespace: 'default', name: 'data' },
    { type: 'merge', body: { spec: { resources: { requests: { storage } } } } },
  );

describe('a wish that cannot be met', () => {
  it('is told, and a smaller one counts instead', async () => {
    const house = await open();
    house.start();
    await house.storageClass('grow', { allowVolumeExpansion: true });
    await house.claim('data', 'grow');
    await house.bound('data');
    await resize(house, '9000Ti');
    await house.until('it is told', async () => {
      const status = (await house.getClaim('data'))?.status;
      return status?.conditions?.some(({ type }) => type === 'ControllerResizeError');
    });
    const calls = house.sim.recorder.calls().length;
    await house.clock.advance(60_000);
    expect(house.sim.recorder.calls().length - calls).toBeLessThan(30);
    await resize(house, '2Gi');
    await house.until('it is grown', async () => {
      const status = (await house.getClaim('data'))?.status;
      return status?.allocatedResourceStatuses?.storage === 'NodeResizePending';
    });
    expect(house.sim.volumes.list()[0]?.capacityMb).toBe(2048n);
    const { conditions = [] } = (await house.getClaim('data'))?.status ?? {};
    expect(conditions.map(({ type }) => type)).toEqual(['FileSystemResizePending']);
  });
});

const attributes = (
  house: House,
  name: string,
  parameters: Record<string, string>,
  driverName = 'csi.vsphere.vmware.com',
) =>
  house.client.create<VolumeAttributesClass>(volumeAttributesClasses, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    metadata: { name },
    driverName,
    parameters,
  });
const policies = () => ({
  ...demoModel(),
  policies: [
    { name: 'gold', datastores: ['shared-vmfs', 'vsanDatastore'] },
    { name: 'silver', datastores: ['shared-vmfs', 'vsanDatastore'] },
  ],
});

describe('a VolumeAttributesClass', () => {
  it('changes the storage policy of a volume that exists, and of a new one', async () => {
    const house = await open({ model: policies() });
    const { metrics } = house.start();
    await attributes(house, 'gold', { storagepolicyname: 'gold' });
    await house.claim('data');
    await house.bound('data');
    const [disk] = house.sim.volumes.list();
    const choose = (name: string) =>
      house.client.patch(
        persistentVolumeClaims,
        { namespace: 'default', name: 'data' },
        { type: 'merge', body: { spec: { volumeAttributesClassName: name } } },
      );
    await choose('gold');
    const claim = await house.until('it is changed', async () => {
      const found = await house.getClaim('data');
      return found?.status?.currentVolumeAttributesClassName === 'gold' ? found : undefined;
    });
    expect(claim.status?.modifyVolumeStatus).toBeUndefined();
    expect(claim.status?.conditions ?? []).toEqual([]);
    const gold = house.sim.volumes.get(disk?.id ?? '')?.policyId;
    expect(gold).toBeDefined();
    expect((await house.persistentVolumes())[0]?.spec.volumeAttributesClassName).toBe('gold');
    expect((await metrics.expose()).body).toMatch(/vdo_csi_operations_total\{[^}]*ControllerModifyVolume[^}]*\} 1/);

    await choose('missing');
    const event = await house.until('it is told', async () =>
      (await house.eventsOf('data')).find(({ reason }) => reason === 'VolumeModifyFailed'),
    );
    expect(event.message).toContain('VolumeAttributesClass missing does not exist');
    await attributes(house, 'missing', { storagepolicyname: 'silver' });
    await house.until('it is changed again', async () => {
      const found = await house.getClaim('data');
      return found?.status?.currentVolumeAttributesClassName === 'missing';
    });
    expect(house.sim.volumes.get(disk?.id ?? '')?.policyId).not.toBe(gold);

    await house.claim('new', 'vsphere', { volumeAttributesClassName: 'gold' });
    await house.bound('new');
    const made = house.sim.volumes.list().find(({ id }) => id !== disk?.id);
    expect(made?.policyId).toBe(gold);
  });

  it('with a mistake is told on the claim', async () => {
    const house = await open({ model: policies() });
    house.start();
    await attributes(house, 'typo', { storagepolicy: 'gold' });
    await house.claim('data');
    await house.bound('data');
    await house.client.patch(
      persistentVolumeClaims,
      { namespace: 'default', name: 'data' },
      { type: 'merge', body: { spec: { volumeAttributesClassName: 'typo' } } },
    );
    await house.until('it is infeasible', async () => {
      const found = await house.getClaim('data');
      return found?.status?.modifyVolumeStatus?.status === 'Infeasible';
    });
  });

  it('of another driver is told on the claim, which then takes one of ours', async () => {
    const house = await open({ model: policies() });
    house.start();
    await attributes(house, 'foreign', {}, 'other.example.com');
    await attributes(house, 'gold', { storagepolicyname: 'gold' });
    await house.claim('data');
    await house.bound('data');
    const change = (volumeAttributesClassName: string) =>
      house.client.patch(
        persistentVolumeClaims,
        { namespace: 'default', name: 'data' },
        { type: 'merge', body: { spec: { volumeAttributesClassName } } },
      );
    await change('foreign');
    await house.until('it is infeasible, and says why', async () => {
      const { modifyVolumeStatus, conditions = [] } = (await house.getClaim('data'))?.status ?? {};
      const reason = conditions.find(({ type }) => type === 'ModifyVolumeError')?.message ?? '';
      return modifyVolumeStatus?.status === 'Infeasible' && reason.includes('other.example.com');
    });
    await change('gold');
    await house.until('it is changed', async () => {
      const { status } = (await house.getClaim('data')) ?? {};
      return status?.currentVolumeAttributesClassName === 'gold' && !status.modifyVolumeStatus;
    });
  });
});

describe('the capacity of the datastores', () => {
  it('is told to the scheduler for each class, if the CSIDriver says so', async () => {
    const house = await open();
    await house.client.create(csiDrivers, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'csi.vsphere.vmware.com' },
      spec: { storageCapacity: true },
    });
    house.start();
    const told = async () => (await house.client.list(csiStorageCapacities)).items;
    await house.until('it is told', async () => (await told()).length === 1);
    const [first] = await told();
    expect(first).toMatchObject({
      storageClassName: 'vsphere',
      nodeTopology: {},
      metadata: { labels: { 'csi.storage.k8s.io/drivername': 'csi.vsphere.vmware.com' } },
    });
    expect(first?.capacity).toMatch(/Gi$|Ti$|Mi$/);
    await house.storageClass('second');
    await house.until('it is told for both', async () => (await told()).length === 2);
  });

  it('is told for the other classes when one has a mistake', async () => {
    const house = await open();
    await house.client.create(csiDrivers, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'csi.vsphere.vmware.com' },
      spec: { storageCapacity: true },
    });
    // By name it comes before the good one.
    await house.storageClass('a-bad-one', { parameters: { storagepolicyname: 'lead' } });
    house.start();
    const told = async () => (await house.client.list(csiStorageCapacities)).items;
    await house.until('it is told', async () => (await told()).length === 1);
    expect((await told()).map(({ storageClassName }) => storageClassName)).toEqual(['vsphere']);
  });
});

describe('a claim that is copied', () => {
  it('is kept until the copy is made', async () => {
    const house = await open();
    house.start();
    await house.claim('original');
    await house.bound('original');
    await house.claim('copy', 'vsphere', { dataSource: { kind: 'PersistentVolumeClaim', name: 'original' } });
    await house.bound('copy');
    await house.until('it is let go', async () => {
      const { finalizers = [] } = (await house.getClaim('original'))?.metadata ?? {};
      return !finalizers.includes('provisioner.storage.kubernetes.io/cloning-protection');
    });
    await house.claim('raw', 'vsphere', {
      dataSource: { kind: 'PersistentVolumeClaim', name: 'original' },
      volumeMode: 'Block',
    });
    const event = await house.until('it is refused', async () =>
      (await house.eventsOf('raw')).find(({ reason }) => reason === 'ProvisioningFailed'),
    );
    expect(event.message).toContain('volumeMode Filesystem, the claim asks for Block');
  });
});
