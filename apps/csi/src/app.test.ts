import { HttpFailure } from '@vdo/base/http-failure';
import { leases } from '@vdo/kube/types/cluster';
import { persistentVolumes } from '@vdo/kube/types/core';
import { storageClasses } from '@vdo/kube/types/storage';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, it } from 'vitest';
import { createSimHouse, type SimHouseOptions } from './testing/sim-house.ts';

type House = ReturnType<typeof createSimHouse>;
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

const told = (house: House, name: string, reason: string) =>
  house.until(`event ${reason} of ${name}`, async () =>
    (await house.eventsOf(name)).find((event) => event.reason === reason),
  );

describe('a claim', () => {
  it('gets a volume that every node reaches, and loses it with its deletion', async () => {
    const house = await open();
    house.start();
    await house.claim('data');
    const claim = await house.bound('data');
    const [volume] = await house.persistentVolumes();
    expect(volume?.metadata.name).toBe(claim.spec.volumeName);
    const [disk] = house.sim.volumes.list();
    expect(disk?.id).toBe(volume?.spec.csi?.volumeHandle);
    expect(await told(house, 'data', 'ProvisioningSucceeded')).toMatchObject({ type: 'Normal' });
    expect(await house.intents()).toEqual([]);

    await house.deleteClaim('data');
    await house.until('the volume is gone', async () => (await house.persistentVolumes()).length === 0);
    expect(house.sim.volumes.list()).toEqual([]);
  });

  it('costs at most three vCenter calls per volume once the nodes are known', async () => {
    const house = await open();
    house.start();
    await house.claim('first');
    await house.bound('first');
    house.sim.recorder.clear();
    const names = Array.from({ length: 10 }, (_, index) => `many-${index}`);
    for (const name of names) await house.claim(name);
    for (const name of names) await house.bound(name);
    const calls = house.sim.recorder.calls().filter(({ method }) => method.startsWith('Cns'));
    expect(calls.length).toBeLessThanOrEqual(30);
  });

  it('is told what is wrong, and served when it is put right', async () => {
    const house = await open();
    house.start();
    await house.storageClass('typo', { parameters: { datastorurl: 'ds:///x' } });
    await house.claim('data', 'typo');
    const event = await told(house, 'data', 'ProvisioningFailed');
    expect(event.message).toMatch(/datastorurl.*Known are.*\[VolumeParametersInvalid\]/);
    await house.client.delete(storageClasses, { name: 'typo' });
    await house.storageClass('typo');
    await house.bound('data');
  });

  it('waits for its class', async () => {
    const house = await open();
    house.start();
    await house.claim('data', 'later');
    await house.clock.advance(10_000);
    await house.storageClass('later');
    await house.bound('data');
  });

  it('for many nodes gets a file share on vSAN', async () => {
    const house = await open();
    house.start();
    await house.claim('data', 'vsphere', { accessModes: ['ReadWriteMany'] });
    await house.bound('data');
    const [share] = house.sim.volumes.list();
    expect(share).toMatchObject({ type: 'FILE', netPermissions: [{ ips: '*', permissions: 'READ_WRITE' }] });
    const [volume] = await house.persistentVolumes();
    expect(volume?.spec.csi).toMatchObject({
      volumeHandle: share?.id,
      volumeAttributes: { type: 'vSphere CNS File Volume' },
    });
    await house.deleteClaim('data');
    await house.until('the share is gone', () => house.sim.volumes.list().length === 0);
  });

  it('of policy Retain keeps its disk', async () => {
    const house = await open();
    house.start();
    await house.storageClass('keep', { reclaimPolicy: 'Retain' });
    await house.claim('data', 'keep');
    await house.bound('data');
    await house.deleteClaim('data');
    await house.until('the volume is released', async () =>
      (await house.persistentVolumes()).some(({ status }) => status?.phase === 'Released'),
    );
    await house.clock.advance(60_000);
    expect(house.sim.volumes.list()).toHaveLength(1);
    const [volume] = await house.persistentVolumes();
    expect(volume?.metadata.finalizers).not.toContain('external-provisioner.volume.kubernetes.io/finalizer');
  });

  it('keeps its disk when the PersistentVolume is deleted by hand, until the claim goes', async () => {
    const house = await open();
    house.start();
    await house.claim('data');
    const claim = await house.bound('data');
    await house.client.delete(persistentVolumes, { name: claim.spec.volumeName ?? '' });
    await house.clock.advance(60_000);
    expect(house.sim.volumes.list()).toHaveLength(1);
    await house.deleteClaim('data');
    await house.until('the volume is gone', async () => (await house.persistentVolumes()).length === 0);
    expect(house.sim.volumes.list()).toEqual([]);
  });
});

describe('a storage policy', () => {
  const model = () => ({
    ...demoModel(),
    policies: [
      { name: 'gold', datastores: ['shared-vmfs'] },
      { name: 'nowhere', datastores: [] },
    ],
  });

  it('decides the datastore', async () => {
    const house = await open({ model: model() });
    house.start();
    await house.storageClass('gold', { parameters: { StoragePolicyName: 'gold' } });
    await house.claim('data', 'gold');
    await house.bound('data');
    const [disk] = house.sim.volumes.list();
    expect(disk?.datastore).toEqual(house.sim.control.find('shared-vmfs', 'Datastore'));
    expect(disk?.policyId).toBeDefined();
  });

  it.each([
    ['that no datastore satisfies', 'nowhere', /satisfies the storage policy nowhere.*\[VolumeNoDatastore\]/],
    ['that does not exist', 'silver', /no storage policy "silver"; it has .*"gold".*\[VolumeParametersInvalid\]/],
  ])('%s is told on the claim', async (_name, policy, message) => {
    const house = await open({ model: model() });
    house.start();
    await house.storageClass('some', { parameters: { storagepolicyname: policy } });
    await house.claim('data', 'some');
    expect((await told(house, 'data', 'ProvisioningFailed')).message).toMatch(message);
    expect(house.sim.volumes.list()).toEqual([]);
  });
});

describe('a copy', () => {
  const copyOf = (name: string) => ({ dataSource: { kind: 'PersistentVolumeClaim', name } });

  it('of a claim is made by way of a snapshot that does not stay', async () => {
    const house = await open();
    house.start();
    await house.claim('original');
    await house.bound('original');
    const larger = { resources: { requests: { storage: '2Gi' } } };
    await house.claim('copy', 'vsphere', { ...copyOf('original'), ...larger });
    const { spec } = await house.bound('copy');
    const volumes = house.sim.volumes.list();
    expect(volumes).toHaveLength(2);
    expect(volumes.flatMap(({ snapshots }) => snapshots)).toEqual([]);
    const object = (await house.persistentVolumes()).find(({ metadata }) => metadata.name === spec.volumeName);
    expect(object?.spec.capacity).toEqual({ storage: '2Gi' });
    expect(object?.spec.csi?.volumeAttributes?.['vdo.vmware.com/blank']).toBe('false');
    expect(volumes.find(({ id }) => id === object?.spec.csi?.volumeHandle)?.capacityMb).toBe(2048n);
  });

  it('waits until the original is bound', async () => {
    const house = await open();
    house.start();
    await house.claim('copy', 'vsphere', copyOf('original'));
    expect((await told(house, 'copy', 'ProvisioningFailed')).message).toContain('does not exist');
    await house.claim('original');
    await house.bound('copy');
  });

  it('that is smaller than the original is refused', async () => {
    const house = await open();
    house.start();
    await house.claim('original', 'vsphere', { resources: { requests: { storage: '4Gi' } } });
    await house.bound('original');
    await house.claim('copy', 'vsphere', copyOf('original'));
    expect((await told(house, 'copy', 'ProvisioningFailed')).message).toContain('[VolumeSizeInvalid]');
  });

  it('of what another program fills is left to that program', async () => {
    const house = await open();
    house.start();
    await house.claim('data', 'vsphere', {
      dataSource: { apiGroup: 'example.com', kind: 'Backup', name: 'b' },
    });
    await house.clock.advance(30_000);
    expect(house.sim.volumes.list()).toEqual([]);
  });
});

describe('two replicas', () => {
  it('work one at a time; the second takes over when the first dies', async () => {
    const house = await open();
    const first = house.start('replica-1');
    await house.claim('one');
    await house.bound('one');
    house.start('replica-2');
    await house.clock.advance(30_000);
    const lease = () => house.client.get(leases, { namespace: 'vmware-system-csi', name: 'csi-vsphere-vmware-com' });
    expect((await lease()).spec?.holderIdentity).toBe('replica-1');
    first.kill();
    await house.claim('two');
    await house.bound('two');
    expect((await lease()).spec?.holderIdentity).toBe('replica-2');
    expect(house.sim.volumes.list()).toHaveLength(2);
  });
});

describe('a vCenter outage', () => {
  it('is told on the claim and got over without a second disk', async () => {
    let down = false;
    const house = await open({
      wire: (to, transport) => async (request) => {
        if (to === 'vcenter' && down) throw new HttpFailure('refused', 'connection refused');
        return transport(request);
      },
    });
    house.start();
    await house.claim('before');
    await house.bound('before');
    down = true;
    await house.claim('during');
    const event = await told(house, 'during', 'ProvisioningFailed');
    expect(event.message).toContain('[VCenterUnreachable]');
    down = false;
    await house.bound('during');
    expect(house.sim.volumes.list()).toHaveLength(2);
  });
});
