import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, it } from 'vitest';
import { createDomainTestbed, type DomainTestbed } from '../testing/domain-testbed.ts';

let testbed: DomainTestbed | undefined;
const open = () => {
  const policies = [
    { name: 'gold', datastores: ['shared-vmfs'] },
    { name: 'silver', datastores: ['shared-vmfs', 'vsanDatastore'] },
    { name: 'vsan only', datastores: ['vsanDatastore'] },
  ];
  testbed = createDomainTestbed({ models: [{ ...demoModel(), policies }] });
  return testbed;
};
afterEach(async () => {
  await testbed?.close();
  testbed = undefined;
});

const gold = { parameters: { storagepolicyname: 'gold' } };

describe('a volume', () => {
  it('is put under another policy, once', async () => {
    const { create, call, sim } = open();
    const { volumeId } = await create('pvc-1', gold);
    const before = sim.volumes.get(volumeId)?.policyId;
    for (let i = 0; i < 2; i++)
      await call('controllerModifyVolume', { volumeId, mutableParameters: { StoragePolicyName: 'silver' } });
    expect(sim.volumes.get(volumeId)?.policyId).not.toBe(before);
    expect(sim.recorder.count('CnsReconfigVolumePolicy')).toBe(1);
  });

  it('begins with the policy of its VolumeAttributesClass rather than of its StorageClass', async () => {
    const { create, call, sim } = open();
    const { volumeId } = await create('pvc-1', { ...gold, mutableParameters: { storagepolicyname: 'silver' } });
    sim.recorder.clear();
    await call('controllerModifyVolume', { volumeId, mutableParameters: { storagepolicyname: 'silver' } });
    expect(sim.recorder.count('CnsReconfigVolumePolicy')).toBe(0);
  });

  it('keeps its policy when its datastore cannot satisfy the new one', async () => {
    const { create, call, sim } = open();
    const { volumeId } = await create('pvc-1', gold);
    const before = sim.volumes.get(volumeId)?.policyId;
    const change = { volumeId, mutableParameters: { storagepolicyname: 'vsan only' } };
    await expect(call('controllerModifyVolume', change)).rejects.toMatchObject({
      message: expect.stringContaining('does not satisfy'),
    });
    expect(sim.volumes.get(volumeId)?.policyId).toBe(before);
  });

  it.each([
    ['a policy that does not exist', { storagepolicyname: 'lead' }, 'has no storage policy "lead"; it has'],
    ['what cannot be changed', { datastoreurl: 'ds:///x/' }, 'datastoreurl cannot be changed'],
    ['an empty policy', { storagepolicyname: ' ' }, 'is empty'],
    ['a policy twice', { storagepolicyname: 'gold', StoragePolicyName: 'silver' }, 'is set twice'],
  ])('refuses %s', async (_name, mutableParameters, message) => {
    const { create, call } = open();
    const { volumeId } = await create('pvc-1', gold);
    await expect(call('controllerModifyVolume', { volumeId, mutableParameters })).rejects.toMatchObject({
      code: 'VolumeParametersInvalid',
      message: expect.stringContaining(message),
    });
  });

  it('that does not exist is not found', async () => {
    const { call } = open();
    const volumeId = '00000000-0000-4000-8000-000000000001';
    const change = { volumeId, mutableParameters: { storagepolicyname: 'gold' } };
    await expect(call('controllerModifyVolume', change)).rejects.toMatchObject({ code: 'VolumeNotFound' });
  });
});

describe('capacity', () => {
  const ask = (parameters: Record<string, string>) => ({ parameters, volumeCapabilities: [] });
  const gib = 1n << 30n;

  it('is what the datastores of the policy have left', async () => {
    const { call } = open();
    const all = await call('getCapacity', ask({}));
    expect(all).toMatchObject({ availableCapacity: (20_480n + 4_096n) * gib, maximumVolumeSize: 20_480n * gib });
    const ofGold = await call('getCapacity', ask({ storagepolicyname: 'gold' }));
    expect(ofGold).toMatchObject({ availableCapacity: 4_096n * gib, maximumVolumeSize: 4_096n * gib });
  });

  it('is nothing where no datastore is reached', async () => {
    const { call } = open();
    expect(await call('getCapacity', ask({ datastoreurl: 'ds:///none/' }))).toMatchObject({ availableCapacity: 0n });
  });
});
