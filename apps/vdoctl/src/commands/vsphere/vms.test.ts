import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { type SimHouse, startSimHouse } from '../../testing/sim-house.ts';

describe('vdoctl vsphere vms', () => {
  let house: SimHouse;
  beforeEach(async () => {
    house = await startSimHouse();
    const { control } = house.vcenter.sim;
    control.setExtraConfig('node-1', { 'disk.EnableUUID': '' });
    control.write('node-2', { 'config.version': 'vmx-13' });
    control.powerOff('node-2');
    control.setExtraConfig('node-3', { 'disk.EnableUUID': '' });
    control.setTools('node-3', false);
  });
  afterEach(() => house.stop());
  const vms = (...argv: readonly string[]) => house.vdoctl(['vsphere', 'vms', ...argv]);
  const read = (vm: string, path: string) => house.vcenter.sim.control.read(vm, path);
  const powerCalls = () =>
    house.vcenter.sim.recorder
      .calls()
      .map(({ method }) => method)
      .filter((method) => /^(Power|Shutdown|Reconfig|Upgrade)/.test(method));

  it('lists the VMs of the nodes, with what each needs', async () => {
    const { exitCode, out } = await vms('list');
    expect(exitCode).toBe(3);
    await expect(out).toMatchFileSnapshot('golden/vms-list.txt');
    expect((await vms('list', 'node-4', 'node-5')).exitCode).toBe(0);
  });

  it('takes a folder before there is a cluster, and knows what is not there', async () => {
    const listed = await runVdoctl(
      ['vsphere', 'vms', 'list', '--vm-folder', '/demo/vm/kubernetes', '-o', 'json', ...house.vcenter.flags],
      { env: house.vcenter.env },
    );
    expect((JSON.parse(listed.out) as unknown[]).length).toBe(5);
    expect(await vms('list', 'node-9')).toMatchObject({ exitCode: 2, err: expect.stringContaining('node-1, node-2') });
  });

  it('changes nothing with --dry-run', async () => {
    const { exitCode, out } = await vms('prepare', '--power-cycle', '--dry-run');
    expect(exitCode).toBe(3);
    await expect(out).toMatchFileSnapshot('golden/vms-prepare-plan.txt');
    expect(powerCalls()).toEqual([]);
  });

  it('turns off nothing without --power-cycle', async () => {
    const { exitCode, err } = await vms('prepare', '--yes');
    expect(exitCode, err).toBe(3);
    expect(powerCalls()).toEqual(['UpgradeVM_Task']);
    expect(read('node-2', 'config.version')).toBe('vmx-15');
    expect(read('node-2', 'runtime.powerState')).toBe('poweredOff');
    expect(read('node-1', 'config.flags.diskUuidEnabled')).toBe(false);
  });

  it('shuts down, changes and starts with --power-cycle, but for a VM without Tools', async () => {
    house.vcenter.sim.control.write('node-4', { 'config.version': 'vmx-14' });
    const { exitCode, err } = await vms('prepare', '--yes', '--power-cycle');
    expect(exitCode, err).toBe(3);
    expect(powerCalls()).toEqual([
      ...['ShutdownGuest', 'ReconfigVM_Task', 'PowerOnVM_Task'],
      'UpgradeVM_Task',
      ...['ShutdownGuest', 'UpgradeVM_Task', 'PowerOnVM_Task'],
    ]);
    for (const vm of ['node-1', 'node-3', 'node-4']) expect(read(vm, 'runtime.powerState')).toBe('poweredOn');
    expect(read('node-1', 'config.flags.diskUuidEnabled')).toBe(true);
    expect(read('node-3', 'config.flags.diskUuidEnabled')).toBe(false);
    expect((await vms('list', 'node-1', 'node-4')).exitCode).toBe(0);
  });

  it('starts a VM again when the change fails', async () => {
    house.vcenter.sim.control.addFault({
      method: 'ReconfigVM_Task',
      effect: { kind: 'http', status: 503 },
    });
    const { exitCode } = await vms('prepare', 'node-1', '--yes', '--power-cycle');
    expect(exitCode).toBe(5);
    expect(read('node-1', 'runtime.powerState')).toBe('poweredOn');
  });
});
