import { type Pod, pods } from '@vdo/kube/types/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimTestbed, type SimTestbed, server } from './testing/sim-testbed.ts';

const minute = 60_000;

describe('a fault at rest', { timeout: 120_000 }, () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await createSimTestbed();
    for (const name of ['node-1', 'node-2']) await testbed.joinNode(name);
    await testbed.putSecret(account);
    await testbed.describe();
    await testbed.becomes('Ready', 'True', 'AllReady');
    await testbed.clock.advance(20 * minute);
  }, 60_000);
  afterEach(() => testbed.stop());
  const failing = async () =>
    ((await testbed.drivers())?.status?.checks?.failing ?? [])
      .filter(({ result }) => result === 'Fail')
      .map(({ id }) => id);

  /** Calls besides the long poll, which returns once for each change. */
  const asked = () => testbed.vsphere.recorder.calls().length - testbed.vsphere.recorder.count('WaitForUpdatesEx');

  it.each([
    ['a deleted VM', ['node/vm-found'], ({ control }: SimTestbed['vsphere']) => control.deleteVm('node-1')],
    [
      'stopped Tools',
      ['node/tools-running'],
      ({ control }: SimTestbed['vsphere']) => control.setTools('node-1', false),
    ],
    [
      'a VM that is powered off',
      ['node/tools-running'],
      ({ control }: SimTestbed['vsphere']) => control.setPower('node-1', 'poweredOff'),
    ],
    [
      'disk.EnableUUID that is off',
      ['node/disk-enable-uuid'],
      ({ control }: SimTestbed['vsphere']) => control.setExtraConfig('node-1', { 'disk.EnableUUID': 'FALSE' }),
    ],
    ['a vCenter that is away', ['vcenter/tcp'], ({ control }: SimTestbed['vsphere']) => control.restart(60 * minute)],
    [
      'a changed password',
      ['credentials/login'],
      ({ control }: SimTestbed['vsphere']) => {
        control.setAccount({ username: account.username, password: 'obviously-another' });
        control.expireSessions(account.username);
      },
    ],
  ] as const)('shows within 5 s: %s', async (_what, ids, strike) => {
    strike(testbed.vsphere);
    await testbed.clock.advance(5_000);
    expect(await failing()).toEqual(ids);
  });

  it('that comes and goes all the time costs no more than ten calls to vCenter a minute', async () => {
    const { control } = testbed.vsphere;
    const before = asked();
    for (let second = 0; second < 600; second += 3) {
      control.setTools('node-1', second % 2 === 0);
      await testbed.clock.advance(3_000);
    }
    expect((asked() - before) / 10).toBeLessThanOrEqual(10);
  });

  it('is not looked for each time that DRS moves a VM', async () => {
    const { control } = testbed.vsphere;
    const before = asked();
    for (let move = 0; move < 20; move++) {
      control.migrate('node-1', `esx-a${(move % 2) + 2}.demo.example`);
      await testbed.clock.advance(2_000);
    }
    // A round that comes in that time asks for a sign of life.
    expect(asked() - before).toBeLessThanOrEqual(1);
  });
});

describe('a repair', { timeout: 120_000 }, () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await createSimTestbed();
    await testbed.joinNode('node-1');
    await testbed.joinNode('node-2');
    await testbed.putSecret(account);
    await testbed.describe();
    await testbed.becomes('Ready', 'True', 'AllReady');
    await testbed.clock.advance(20 * minute);
    expect(await failing()).toEqual([]);
  }, 60_000);
  afterEach(() => testbed.stop());

  const failing = async () =>
    ((await testbed.drivers())?.status?.checks?.failing ?? [])
      .filter(({ result }) => result === 'Fail')
      .map(({ id }) => id);
  const breakVm = async () => {
    testbed.vsphere.control.setExtraConfig('node-1', { 'disk.EnableUUID': 'FALSE' });
    await testbed.clock.advance(16 * minute);
    expect(await failing()).toEqual(['node/disk-enable-uuid']);
  };

  it('of a VM shows within 10 s without being asked', async () => {
    await breakVm();
    testbed.vsphere.control.setExtraConfig('node-1', { 'disk.EnableUUID': 'TRUE' });
    await testbed.clock.advance(10_000);
    expect(await failing()).toEqual([]);
  });

  it.each([3, 8, 8.5, 11.25, 17, 26, 60])(
    'of a vCenter that was away for %i minutes shows within 10 s',
    async (minutes) => {
      const { control, recorder } = testbed.vsphere;
      const logins = recorder.count('Login');
      control.restart(minutes * minute);
      await testbed.clock.advance(minutes * minute - 1_000);
      expect(await failing()).toEqual(['vcenter/tcp']);
      await testbed.clock.advance(11_000);
      expect(await failing()).toEqual([]);
      // The one of the session, and the one that proves the account again.
      expect(recorder.count('Login')).toBeLessThanOrEqual(logins + 2);
    },
  );

  it('is awaited with at most ten calls to vCenter per minute and no login of its own, which end with the failure', async () => {
    await breakVm();
    await testbed.clock.advance(5 * minute);
    const { recorder } = testbed.vsphere;
    const [calls, logins] = [recorder.calls().length, recorder.count('Login')];
    await testbed.clock.advance(10 * minute);
    expect((recorder.calls().length - calls) / 10).toBeLessThanOrEqual(10);
    expect(recorder.count('Login')).toBeLessThanOrEqual(logins + 1);
    testbed.vsphere.control.setExtraConfig('node-1', { 'disk.EnableUUID': 'TRUE' });
    await testbed.clock.advance(5 * minute);
    const atRest = recorder.calls().length;
    await testbed.clock.advance(60 * minute);
    expect(recorder.calls().length - atRest).toBeLessThanOrEqual(50);
    // Each half hour one that proves the account.
    expect(recorder.count('Login')).toBeLessThanOrEqual(logins + 3);
  });

  it('of pods that start shows within 10 s, although they have not failed', async () => {
    const isReady = ({ status }: Pod) =>
      status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True');
    /** Of the controllers of storage, the first one in this state. */
    const restart = async (ready: boolean, behaviour: 'ready' | 'unready') => {
      testbed.stubs.behave('', behaviour);
      const { items } = await testbed.kube.list(pods, { labelSelector: 'app=vsphere-csi-controller' });
      const { name = '', namespace = '' } = items.find((pod) => isReady(pod) === ready)?.metadata ?? {};
      await testbed.kube.delete(pods, { name, namespace }, { gracePeriodSeconds: 0 });
    };
    const warnings = async () => (await testbed.drivers())?.status?.checks?.failing?.map(({ reason }) => reason) ?? [];
    await restart(true, 'unready');
    await testbed.until('a warning', async () => (await warnings()).includes('Starting'));
    await restart(false, 'ready');
    await testbed.clock.advance(10_000);
    expect(await warnings()).not.toContain('Starting');
  });

  it('of the Secret shows within 10 s, and with it what could not be judged meanwhile', async () => {
    await testbed.putSecret({ ...account, password: 'obviously-wrong' });
    await testbed.clock.advance(10 * minute);
    expect(await failing()).toContain('credentials/login');
    await testbed.putSecret(account);
    await testbed.clock.advance(10_000);
    expect((await testbed.drivers())?.status?.checks).toMatchObject({ fail: 0, unknown: 0 });
  });

  it('of the spec shows within 10 s', async () => {
    await testbed.describe({ vcenters: [{ server, credentialsSecret: 'vcenter', datacenters: ['elsewhere'] }] });
    await testbed.clock.advance(10_000);
    expect(await failing()).toContain('node/vm-found');
    await testbed.describe();
    await testbed.clock.advance(10_000);
    expect(await failing()).toEqual([]);
  });

  it('has an age: the status says when the checks last ran', async () => {
    const ageMs = async () =>
      testbed.clock.now() - Date.parse((await testbed.drivers())?.status?.checks?.lastRunTime ?? '');
    for (let round = 0; round < 6; round++) {
      await testbed.clock.advance(7 * minute);
      expect(await ageMs()).toBeLessThan(7 * minute);
    }
  });
});
