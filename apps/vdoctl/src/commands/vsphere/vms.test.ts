import { configMaps, nodes, pods } from '@vdo/kube/types/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { type SimTestbed, startSimTestbed } from '../../testing/sim-testbed.ts';

describe('vdoctl vsphere vms', () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await startSimTestbed();
    const { control } = testbed.vcenter.sim;
    control.setExtraConfig('node-1', { 'disk.EnableUUID': '' });
    control.write('node-2', { 'config.version': 'vmx-13' });
    control.powerOff('node-2');
    control.setExtraConfig('node-3', { 'disk.EnableUUID': '' });
    control.setTools('node-3', false);
    for (const index of [1, 2, 3, 4, 5]) await setReady(`node-${index}`, true);
  });
  const setReady = (name: string, ready: boolean) => {
    const status = { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] };
    return testbed.cluster.kube.patch(nodes, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
  };
  const isCordoned = async (name: string) =>
    (await testbed.cluster.kube.get(nodes, { name })).spec.unschedulable === true;
  /** Made by something that is there, or else the garbage collector would take it away. */
  const pod = async (name: string, controller: boolean) => {
    const { kube } = testbed.cluster;
    const owner = { apiVersion: 'v1', kind: 'ConfigMap' };
    const { metadata } = await kube.create(configMaps, { ...owner, metadata: { name, namespace: 'default' } });
    const ownerReferences = controller ? [{ ...owner, name, uid: metadata.uid ?? '', controller: true }] : [];
    await kube.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', finalizers: ['example.com/kubelet'], ownerReferences },
      spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'main' }] },
    });
  };
  afterEach(() => testbed.stop());
  const vms = (...argv: readonly string[]) => testbed.vdoctl(['vsphere', 'vms', ...argv]);
  const read = (vm: string, path: string) => testbed.vcenter.sim.control.read(vm, path);
  const powerCalls = () =>
    testbed.vcenter.sim.recorder
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
      ['vsphere', 'vms', 'list', '--vm-folder', '/demo/vm/kubernetes', '-o', 'json', ...testbed.vcenter.flags],
      { env: testbed.vcenter.env },
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

  it('drains the node before, and uncordons it after', async () => {
    await pod('app', true);
    let drained = false;
    // The kubelet, which stops what is to go.
    const kubelet = setInterval(async () => {
      const found = await testbed.cluster.kube.find(pods, { namespace: 'default', name: 'app' });
      if (found?.metadata.deletionTimestamp === undefined) return;
      drained = powerCalls().length === 0 && (await isCordoned('node-1'));
      await testbed.cluster.kube.delete(pods, { namespace: 'default', name: 'app' }, { gracePeriodSeconds: 0 });
      const body = { metadata: { finalizers: null } };
      await testbed.cluster.kube.patch(pods, { namespace: 'default', name: 'app' }, { type: 'merge', body });
    }, 200);
    const { exitCode, err } = await vms('prepare', 'node-1', '--yes', '--power-cycle');
    clearInterval(kubelet);
    expect(exitCode, err).toBe(0);
    expect(drained).toBe(true);
    expect(powerCalls()).toEqual(['ShutdownGuest', 'ReconfigVM_Task', 'PowerOnVM_Task']);
    expect(await isCordoned('node-1')).toBe(false);
  });

  it('leaves a node alone that it cannot drain, and all while another one of the control plane is down', async () => {
    await pod('bare', false);
    const bare = await vms('prepare', 'node-1', '--yes', '--power-cycle');
    expect(bare).toMatchObject({ exitCode: 2, err: expect.stringContaining('default/bare') });
    const body = { metadata: { labels: { 'node-role.kubernetes.io/control-plane': '' } } };
    await testbed.cluster.kube.patch(nodes, { name: 'node-5' }, { type: 'merge', body });
    await setReady('node-5', false);
    const quorum = await vms('prepare', 'node-1', '--yes', '--power-cycle');
    expect(quorum).toMatchObject({ exitCode: 2, err: expect.stringContaining('node-1 was not shut down') });
    expect(powerCalls()).toEqual([]);
    expect(await isCordoned('node-1')).toBe(false);
  });

  it('shuts no VM down whose cluster it does not know, unless told that there is none', async () => {
    const folder = ['prepare', 'node-1', '--vm-folder', '/demo/vm/kubernetes', '--yes', '--power-cycle'];
    const here = (...argv: readonly string[]) =>
      runVdoctl(['vsphere', 'vms', ...folder, ...argv, ...testbed.vcenter.flags], { env: testbed.vcenter.env });
    expect(await here('--kubeconfig', '/nonexistent')).toMatchObject({
      exitCode: 4,
      err: expect.stringContaining('--no-drain'),
    });
    await testbed.cluster.kube.delete(nodes, { name: 'node-1' });
    expect(await here('--kubeconfig', testbed.cluster.kubeconfig)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('is not a node of'),
    });
    expect(powerCalls()).toEqual([]);
    expect(await here('--no-drain')).toMatchObject({ exitCode: 0 });
    expect(powerCalls()).toEqual(['ShutdownGuest', 'ReconfigVM_Task', 'PowerOnVM_Task']);
  });

  it('shuts down, changes and starts with --power-cycle, but for a VM without Tools', async () => {
    testbed.vcenter.sim.control.write('node-4', { 'config.version': 'vmx-14' });
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
    testbed.vcenter.sim.control.addFault({
      method: 'ReconfigVM_Task',
      effect: { kind: 'http', status: 503 },
    });
    const { exitCode } = await vms('prepare', 'node-1', '--yes', '--power-cycle');
    expect(exitCode).toBe(5);
    expect(read('node-1', 'runtime.powerState')).toBe('poweredOn');
  });
});
