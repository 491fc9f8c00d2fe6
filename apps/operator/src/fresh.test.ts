import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimHouse, type SimHouse, server } from './testing/sim-house.ts';

const minute = 60_000;

describe('a repair', { timeout: 120_000 }, () => {
  let house: SimHouse;
  beforeEach(async () => {
    house = await createSimHouse();
    await house.joinNode('node-1');
    await house.joinNode('node-2');
    await house.putSecret(account);
    await house.describe();
    await house.becomes('Ready', 'True', 'AllReady');
    await house.clock.advance(20 * minute);
    expect(await failing()).toEqual([]);
  }, 60_000);
  afterEach(() => house.stop());

  const failing = async () =>
    ((await house.drivers())?.status?.checks?.failing ?? [])
      .filter(({ result }) => result === 'Fail')
      .map(({ id }) => id);
  const breakVm = async () => {
    house.vsphere.control.setExtraConfig('node-1', { 'disk.EnableUUID': 'FALSE' });
    await house.clock.advance(16 * minute);
    expect(await failing()).toEqual(['node/disk-enable-uuid']);
  };

  it('of a VM shows within 10 s without being asked', async () => {
    await breakVm();
    house.vsphere.control.setExtraConfig('node-1', { 'disk.EnableUUID': 'TRUE' });
    await house.clock.advance(10_000);
    expect(await failing()).toEqual([]);
  });

  it('is awaited with at most ten calls to vCenter per minute and no login, which end with the failure', async () => {
    await breakVm();
    await house.clock.advance(5 * minute);
    const { recorder } = house.vsphere;
    const [calls, logins] = [recorder.calls().length, recorder.count('Login')];
    await house.clock.advance(10 * minute);
    expect((recorder.calls().length - calls) / 10).toBeLessThanOrEqual(10);
    expect(recorder.count('Login')).toBe(logins);
    house.vsphere.control.setExtraConfig('node-1', { 'disk.EnableUUID': 'TRUE' });
    await house.clock.advance(5 * minute);
    const atRest = recorder.calls().length;
    await house.clock.advance(60 * minute);
    expect(recorder.calls().length - atRest).toBeLessThanOrEqual(50);
    expect(recorder.count('Login')).toBe(logins);
  });

  it('of the Secret shows within 10 s, and with it what could not be judged meanwhile', async () => {
    await house.putSecret({ ...account, password: 'obviously-wrong' });
    await house.clock.advance(10 * minute);
    expect(await failing()).toContain('credentials/login');
    await house.putSecret(account);
    await house.clock.advance(10_000);
    expect((await house.drivers())?.status?.checks).toMatchObject({ fail: 0, unknown: 0 });
  });

  it('of the spec shows within 10 s', async () => {
    await house.describe({ vcenters: [{ server, credentialsSecret: 'vcenter', datacenters: ['elsewhere'] }] });
    await house.clock.advance(10_000);
    expect(await failing()).toContain('node/vm-found');
    await house.describe();
    await house.clock.advance(10_000);
    expect(await failing()).toEqual([]);
  });

  it('has an age: the status says when the checks last ran', async () => {
    const ageMs = async () =>
      house.clock.now() - Date.parse((await house.drivers())?.status?.checks?.lastRunTime ?? '');
    for (let round = 0; round < 6; round++) {
      await house.clock.advance(7 * minute);
      expect(await ageMs()).toBeLessThan(7 * minute);
    }
  });
});
