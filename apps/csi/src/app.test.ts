import { HttpFailure } from '@vdo/base/http-failure';
import { leases } from '@vdo/kube/types/cluster';
import { persistentVolumes } from '@vdo/kube/types/core';
import { storageClasses } from '@vdo/kube/types/storage';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, it } from 'vitest';
import { createSimTestbed, type SimTestbedOptions } from './testing/sim-testbed.ts';

type Testbed = ReturnType<typeof createSimTestbed>;
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

const reported = (testbed: Testbed, name: string, reason: string) =>
  testbed.until(`event ${reason} of ${name}`, async () =>
    (await testbed.eventsOf(name)).find((event) => event.reason === reason),
  );

describe('a claim', () => {
  it('gets a volume that every node reaches, and loses it with its deletion', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.claim('data');
    const claim = await testbed.bound('data');
    const [volume] = await testbed.persistentVolumes();
    expect(volume?.metadata.name).toBe(claim.spec.volumeName);
    const [disk] = testbed.sim.volumes.list();
    expect(disk?.id).toBe(volume?.spec.csi?.volumeHandle);
    expect(await reported(testbed, 'data', 'ProvisioningSucceeded')).toMatchObject({ type: 'Normal' });
    expect(await testbed.intents()).toEqual([]);

    await testbed.deleteClaim('data');
    await testbed.until('the volume is gone', async () => (await testbed.persistentVolumes()).length === 0);
    expect(testbed.sim.volumes.list()).toEqual([]);
  });

  it('costs at most three vCenter calls per volume once the nodes are known', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.claim('first');
    await testbed.bound('first');
    testbed.sim.recorder.clear();
    const names = Array.from({ length: 10 }, (_, index) => `many-${index}`);
    for (const name of names) await testbed.claim(name);
    for (const name of names) await testbed.bound(name);
    const calls = testbed.sim.recorder.calls().filter(({ method }) => method.startsWith('Cns'));
    expect(calls.length).toBeLessThanOrEqual(30);
  });

  it('is told what is wrong, and served when it is put right', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.storageClass('typo', { parameters: { datastorurl: 'ds:///x' } });
    await testbed.claim('data', 'typo');
    const event = await reported(testbed, 'data', 'ProvisioningFailed');
    expect(event.message).toMatch(/datastorurl.*Supported parameters are.*\[VolumeParametersInvalid\]/);
    await testbed.client.delete(storageClasses, { name: 'typo' });
    await testbed.storageClass('typo');
    await testbed.bound('data');
  });

  it('waits for its class', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.claim('data', 'later');
    await testbed.clock.advance(10_000);
    await testbed.storageClass('later');
    await testbed.bound('data');
  });

  it('for many nodes gets a file share on vSAN', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.claim('data', 'vsphere', { accessModes: ['ReadWriteMany'] });
    await testbed.bound('data');
    const [share] = testbed.sim.volumes.list();
    expect(share).toMatchObject({ type: 'FILE', netPermissions: [{ ips: '*', permissions: 'READ_WRITE' }] });
    const [volume] = await testbed.persistentVolumes();
    expect(volume?.spec.csi).toMatchObject({
      volumeHandle: share?.id,
      volumeAttributes: { type: 'vSphere CNS File Volume' },
    });
    await testbed.deleteClaim('data');
    await testbed.until('the share is gone', () => testbed.sim.volumes.list().length === 0);
  });

  it('of policy Retain keeps its disk', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.storageClass('keep', { reclaimPolicy: 'Retain' });
    await testbed.claim('data', 'keep');
    await testbed.bound('data');
    await testbed.deleteClaim('data');
    await testbed.until('the volume is released', async () =>
      (await testbed.persistentVolumes()).some(({ status }) => status?.phase === 'Released'),
    );
    await testbed.clock.advance(60_000);
    expect(testbed.sim.volumes.list()).toHaveLength(1);
    const [volume] = await testbed.persistentVolumes();
    expect(volume?.metadata.finalizers).not.toContain('external-provisioner.volume.kubernetes.io/finalizer');
  });

  it('keeps its disk when the PersistentVolume is deleted by hand, until the claim goes', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.claim('data');
    const claim = await testbed.bound('data');
    await testbed.client.delete(persistentVolumes, { name: claim.spec.volumeName ?? '' });
    await testbed.clock.advance(60_000);
    expect(testbed.sim.volumes.list()).toHaveLength(1);
    await testbed.deleteClaim('data');
    await testbed.until('the volume is gone', async () => (await testbed.persistentVolumes()).length === 0);
    expect(testbed.sim.volumes.list()).toEqual([]);
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
    const testbed = await open({ model: model() });
    testbed.start();
    await testbed.storageClass('gold', { parameters: { StoragePolicyName: 'gold' } });
    await testbed.claim('data', 'gold');
    await testbed.bound('data');
    const [disk] = testbed.sim.volumes.list();
    expect(disk?.datastore).toEqual(testbed.sim.control.find('shared-vmfs', 'Datastore'));
    expect(disk?.policyId).toBeDefined();
  });

  it.each([
    ['that no datastore satisfies', 'nowhere', /satisfies the storage policy nowhere.*\[VolumeNoDatastore\]/],
    ['that does not exist', 'silver', /no storage policy "silver"; it has .*"gold".*\[VolumeParametersInvalid\]/],
  ])('%s is told on the claim', async (_name, policy, message) => {
    const testbed = await open({ model: model() });
    testbed.start();
    await testbed.storageClass('some', { parameters: { storagepolicyname: policy } });
    await testbed.claim('data', 'some');
    expect((await reported(testbed, 'data', 'ProvisioningFailed')).message).toMatch(message);
    expect(testbed.sim.volumes.list()).toEqual([]);
  });
});

describe('a copy', () => {
  const copyOf = (name: string) => ({ dataSource: { kind: 'PersistentVolumeClaim', name } });

  it('of a claim is made by way of a snapshot that does not stay', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.claim('original');
    await testbed.bound('original');
    const larger = { resources: { requests: { storage: '2Gi' } } };
    await testbed.claim('copy', 'vsphere', { ...copyOf('original'), ...larger });
    const { spec } = await testbed.bound('copy');
    const volumes = testbed.sim.volumes.list();
    expect(volumes).toHaveLength(2);
    expect(volumes.flatMap(({ snapshots }) => snapshots)).toEqual([]);
    const object = (await testbed.persistentVolumes()).find(({ metadata }) => metadata.name === spec.volumeName);
    expect(object?.spec.capacity).toEqual({ storage: '2Gi' });
    expect(object?.spec.csi?.volumeAttributes?.['vdo.vmware.com/blank']).toBe('false');
    expect(volumes.find(({ id }) => id === object?.spec.csi?.volumeHandle)?.capacityMb).toBe(2048n);
  });

  it('waits until the original is bound', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.claim('copy', 'vsphere', copyOf('original'));
    expect((await reported(testbed, 'copy', 'ProvisioningFailed')).message).toContain('does not exist');
    await testbed.claim('original');
    await testbed.bound('copy');
  });

  it('that is smaller than the original is refused', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.claim('original', 'vsphere', { resources: { requests: { storage: '4Gi' } } });
    await testbed.bound('original');
    await testbed.claim('copy', 'vsphere', copyOf('original'));
    expect((await reported(testbed, 'copy', 'ProvisioningFailed')).message).toContain('[VolumeSizeInvalid]');
  });

  it('of what another program fills is left to that program', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.claim('data', 'vsphere', {
      dataSource: { apiGroup: 'example.com', kind: 'Backup', name: 'b' },
    });
    await testbed.clock.advance(30_000);
    expect(testbed.sim.volumes.list()).toEqual([]);
  });
});

describe('two replicas', () => {
  it('work one at a time; the second takes over when the first dies', async () => {
    const testbed = await open();
    const first = testbed.start('replica-1');
    await testbed.claim('one');
    await testbed.bound('one');
    testbed.start('replica-2');
    await testbed.clock.advance(30_000);
    const lease = () => testbed.client.get(leases, { namespace: 'vmware-system-csi', name: 'csi-vsphere-vmware-com' });
    expect((await lease()).spec?.holderIdentity).toBe('replica-1');
    first.kill();
    await testbed.claim('two');
    await testbed.bound('two');
    expect((await lease()).spec?.holderIdentity).toBe('replica-2');
    expect(testbed.sim.volumes.list()).toHaveLength(2);
  });
});

describe('a vCenter outage', () => {
  it('is told on the claim and got over without a second disk', async () => {
    let down = false;
    const testbed = await open({
      wire: (to, transport) => async (request) => {
        if (to === 'vcenter' && down) throw new HttpFailure('refused', 'connection refused');
        return transport(request);
      },
    });
    testbed.start();
    await testbed.claim('before');
    await testbed.bound('before');
    down = true;
    await testbed.claim('during');
    const event = await reported(testbed, 'during', 'ProvisioningFailed');
    expect(event.message).toContain('[VCenterUnreachable]');
    down = false;
    await testbed.bound('during');
    expect(testbed.sim.volumes.list()).toHaveLength(2);
  });
});
