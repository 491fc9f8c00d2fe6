import { type PersistentVolume, type PersistentVolumeClaim, persistentVolumeClaims } from '@vdo/kube/types/core';
import {
  csiDrivers,
  csiStorageCapacities,
  type VolumeAttributesClass,
  volumeAttributesClasses,
} from '@vdo/kube/types/storage';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, it } from 'vitest';
import { createSimTestbed, type SimTestbedOptions } from '../../testing/sim-testbed.ts';
import { decideModify } from './decide-modify.ts';
import { decideResize } from './decide-resize.ts';

type Testbed = ReturnType<typeof createSimTestbed>;
type Status = NonNullable<PersistentVolumeClaim['status']>;
const testbeds: Testbed[] = [];
const open = async (options: SimTestbedOptions = {}): Promise<Testbed> => {
  const testbed = createSimTestbed(options);
  testbeds.push(testbed);
  await testbed.setUp();
  return testbed;
};
afterEach(async () => {
  for (const testbed of testbeds.splice(0)) await testbed.stop();
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

const resize = (testbed: Testbed, storage: string) =>
  testbed.client.patch(
    persistentVolumeClaims,
    { namespace: 'default', name: 'data' },
    { type: 'merge', body: { spec: { resources: { requests: { storage } } } } },
  );

describe('a wish that cannot be met', () => {
  it('is told, and a smaller one counts instead', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.storageClass('grow', { allowVolumeExpansion: true });
    await testbed.claim('data', 'grow');
    await testbed.bound('data');
    await resize(testbed, '9000Ti');
    await testbed.until('it is told', async () => {
      const status = (await testbed.getClaim('data'))?.status;
      return status?.conditions?.some(({ type }) => type === 'ControllerResizeError');
    });
    const calls = testbed.sim.recorder.calls().length;
    await testbed.clock.advance(60_000);
    expect(testbed.sim.recorder.calls().length - calls).toBeLessThan(30);
    await resize(testbed, '2Gi');
    await testbed.until('it is grown', async () => {
      const status = (await testbed.getClaim('data'))?.status;
      return status?.allocatedResourceStatuses?.storage === 'NodeResizePending';
    });
    expect(testbed.sim.volumes.list()[0]?.capacityMb).toBe(2048n);
    const { conditions = [] } = (await testbed.getClaim('data'))?.status ?? {};
    expect(conditions.map(({ type }) => type)).toEqual(['FileSystemResizePending']);
  });
});

const attributes = (
  testbed: Testbed,
  name: string,
  parameters: Record<string, string>,
  driverName = 'csi.vsphere.vmware.com',
) =>
  testbed.client.create<VolumeAttributesClass>(volumeAttributesClasses, {
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
    const testbed = await open({ model: policies() });
    const { metrics } = testbed.start();
    await attributes(testbed, 'gold', { storagepolicyname: 'gold' });
    await testbed.claim('data');
    await testbed.bound('data');
    const [disk] = testbed.sim.volumes.list();
    const choose = (name: string) =>
      testbed.client.patch(
        persistentVolumeClaims,
        { namespace: 'default', name: 'data' },
        { type: 'merge', body: { spec: { volumeAttributesClassName: name } } },
      );
    await choose('gold');
    const claim = await testbed.until('it is changed', async () => {
      const found = await testbed.getClaim('data');
      return found?.status?.currentVolumeAttributesClassName === 'gold' ? found : undefined;
    });
    expect(claim.status?.modifyVolumeStatus).toBeUndefined();
    expect(claim.status?.conditions ?? []).toEqual([]);
    const gold = testbed.sim.volumes.get(disk?.id ?? '')?.policyId;
    expect(gold).toBeDefined();
    expect((await testbed.persistentVolumes())[0]?.spec.volumeAttributesClassName).toBe('gold');
    expect((await metrics.expose()).body).toMatch(/vdo_csi_operations_total\{[^}]*ControllerModifyVolume[^}]*\} 1/);

    await choose('missing');
    const event = await testbed.until('it is told', async () =>
      (await testbed.eventsOf('data')).find(({ reason }) => reason === 'VolumeModifyFailed'),
    );
    expect(event.message).toContain('VolumeAttributesClass missing does not exist');
    await attributes(testbed, 'missing', { storagepolicyname: 'silver' });
    await testbed.until('it is changed again', async () => {
      const found = await testbed.getClaim('data');
      return found?.status?.currentVolumeAttributesClassName === 'missing';
    });
    expect(testbed.sim.volumes.get(disk?.id ?? '')?.policyId).not.toBe(gold);

    await testbed.claim('new', 'vsphere', { volumeAttributesClassName: 'gold' });
    await testbed.bound('new');
    const made = testbed.sim.volumes.list().find(({ id }) => id !== disk?.id);
    expect(made?.policyId).toBe(gold);
  });

  it('with a mistake is told on the claim', async () => {
    const testbed = await open({ model: policies() });
    testbed.start();
    await attributes(testbed, 'typo', { storagepolicy: 'gold' });
    await testbed.claim('data');
    await testbed.bound('data');
    await testbed.client.patch(
      persistentVolumeClaims,
      { namespace: 'default', name: 'data' },
      { type: 'merge', body: { spec: { volumeAttributesClassName: 'typo' } } },
    );
    await testbed.until('it is infeasible', async () => {
      const found = await testbed.getClaim('data');
      return found?.status?.modifyVolumeStatus?.status === 'Infeasible';
    });
  });

  it('of another driver is told on the claim, which then takes one of ours', async () => {
    const testbed = await open({ model: policies() });
    testbed.start();
    await attributes(testbed, 'foreign', {}, 'other.example.com');
    await attributes(testbed, 'gold', { storagepolicyname: 'gold' });
    await testbed.claim('data');
    await testbed.bound('data');
    const change = (volumeAttributesClassName: string) =>
      testbed.client.patch(
        persistentVolumeClaims,
        { namespace: 'default', name: 'data' },
        { type: 'merge', body: { spec: { volumeAttributesClassName } } },
      );
    await change('foreign');
    await testbed.until('it is infeasible, and says why', async () => {
      const { modifyVolumeStatus, conditions = [] } = (await testbed.getClaim('data'))?.status ?? {};
      const reason = conditions.find(({ type }) => type === 'ModifyVolumeError')?.message ?? '';
      return modifyVolumeStatus?.status === 'Infeasible' && reason.includes('other.example.com');
    });
    await change('gold');
    await testbed.until('it is changed', async () => {
      const { status } = (await testbed.getClaim('data')) ?? {};
      return status?.currentVolumeAttributesClassName === 'gold' && !status.modifyVolumeStatus;
    });
  });
});

describe('the capacity of the datastores', () => {
  it('is told to the scheduler for each class, if the CSIDriver says so', async () => {
    const testbed = await open();
    await testbed.client.create(csiDrivers, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'csi.vsphere.vmware.com' },
      spec: { storageCapacity: true },
    });
    testbed.start();
    const reported = async () => (await testbed.client.list(csiStorageCapacities)).items;
    await testbed.until('it is told', async () => (await reported()).length === 1);
    const [first] = await reported();
    expect(first).toMatchObject({
      storageClassName: 'vsphere',
      nodeTopology: {},
      metadata: { labels: { 'csi.storage.k8s.io/drivername': 'csi.vsphere.vmware.com' } },
    });
    expect(first?.capacity).toMatch(/Gi$|Ti$|Mi$/);
    await testbed.storageClass('second');
    await testbed.until('it is told for both', async () => (await reported()).length === 2);
  });

  it('is told for the other classes when one has a mistake', async () => {
    const testbed = await open();
    await testbed.client.create(csiDrivers, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'csi.vsphere.vmware.com' },
      spec: { storageCapacity: true },
    });
    // By name it comes before the good one.
    await testbed.storageClass('a-bad-one', { parameters: { storagepolicyname: 'lead' } });
    testbed.start();
    const reported = async () => (await testbed.client.list(csiStorageCapacities)).items;
    await testbed.until('it is told', async () => (await reported()).length === 1);
    expect((await reported()).map(({ storageClassName }) => storageClassName)).toEqual(['vsphere']);
  });
});

describe('a claim that is copied', () => {
  it('is kept until the copy is made', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.claim('original');
    await testbed.bound('original');
    await testbed.claim('copy', 'vsphere', { dataSource: { kind: 'PersistentVolumeClaim', name: 'original' } });
    await testbed.bound('copy');
    await testbed.until('it is let go', async () => {
      const { finalizers = [] } = (await testbed.getClaim('original'))?.metadata ?? {};
      return !finalizers.includes('provisioner.storage.kubernetes.io/cloning-protection');
    });
    await testbed.claim('raw', 'vsphere', {
      dataSource: { kind: 'PersistentVolumeClaim', name: 'original' },
      volumeMode: 'Block',
    });
    const event = await testbed.until('it is refused', async () =>
      (await testbed.eventsOf('raw')).find(({ reason }) => reason === 'ProvisioningFailed'),
    );
    expect(event.message).toContain('volumeMode Filesystem, but the claim requests Block');
  });
});
