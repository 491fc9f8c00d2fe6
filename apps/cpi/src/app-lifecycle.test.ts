import { type Node, namespaces, nodes } from '@vdo/kube/types/core';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, test } from 'vitest';
import { hasTaint, isUninitialized, shutdownTaint } from './decisions/taints.ts';
import { confFor } from './testing/cpi-program.ts';
import { createSimTestbed, type SimTestbedOptions } from './testing/sim-testbed.ts';

type Testbed = ReturnType<typeof createSimTestbed>;
const testbeds: Testbed[] = [];
const all = [1, 2, 3, 4, 5];
const names = all.map((index) => `node-${index}`);

/** A running program with five initialized nodes. */
const open = async (
  options: SimTestbedOptions = {},
  prepare: (testbed: Testbed) => void = () => {},
): Promise<Testbed> => {
  const testbed = createSimTestbed(options);
  prepare(testbed);
  testbeds.push(testbed);
  const metadata = { name: 'vmware-system-vdo' };
  await testbed.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
  await testbed.putSecret(testbed.account);
  for (const index of all) await testbed.join(index);
  void testbed.start();
  for (const index of all)
    await testbed.until(`node-${index} is initialized`, async () => {
      const node = await testbed.node(index);
      return !isUninitialized(node) && node.status?.addresses ? node : undefined;
    });
  return testbed;
};
afterEach(async () => {
  for (const testbed of testbeds.splice(0)) await testbed.stop();
});

const setReady = (testbed: Testbed, index: number, status: 'True' | 'Unknown'): Promise<Node> => {
  const body = { status: { conditions: [{ type: 'Ready', status }] } };
  return testbed.client.patch(nodes, { name: `node-${index}` }, { type: 'merge', body }, { subresource: 'status' });
};
const reported = (testbed: Testbed, name: string, reason: string) =>
  testbed.until(`event ${reason} of ${name}`, async () =>
    (await testbed.eventsOf(name)).find((event) => event.reason === reason),
  );
const tainted = (testbed: Testbed, index: number, wanted: boolean) =>
  testbed.until(`node-${index} ${wanted ? 'has' : 'lost'} the shutdown taint`, async () =>
    hasTaint(await testbed.node(index), shutdownTaint) === wanted ? true : undefined,
  );
/** Nothing may go while all nodes are not ready for ten minutes. */
const nobodyGoes = async (testbed: Testbed) => {
  for (const index of all) await setReady(testbed, index, 'Unknown');
  await testbed.clock.advance(600_000);
  expect(await testbed.nodeNames()).toEqual(names);
};

describe('a VM that is switched off', () => {
  test('taints its node until that is ready again', async () => {
    const testbed = await open();
    testbed.vc().control.powerOff('node-1');
    await setReady(testbed, 1, 'Unknown');
    await tainted(testbed, 1, true);
    testbed.vc().control.powerOn('node-1');
    await setReady(testbed, 1, 'True');
    await tainted(testbed, 1, false);
  });
});

describe('a VM that is deleted', () => {
  test('takes its node along, after a second look', async () => {
    const testbed = await open();
    testbed.vc().control.deleteVm('node-1');
    await setReady(testbed, 1, 'Unknown');
    await testbed.clock.advance(45_000);
    expect(await testbed.nodeNames()).toEqual(names);
    await testbed.until('node-1 is gone', async () =>
      (await testbed.nodeNames()).includes('node-1') ? undefined : true,
    );
    expect(await reported(testbed, 'node-1', 'DeletingNode')).toMatchObject({ type: 'Normal' });
    expect(await testbed.nodeNames()).toEqual(names.slice(1));
  });

  test('takes its node along when it was in a vApp, and so in no folder', async () => {
    const demo = demoModel();
    const datacenters = demo.datacenters.map((one) => ({
      ...one,
      clusters: one.clusters.map((cluster) => ({ ...cluster, vApps: ['kubernetes'] })),
      vms: one.vms.map((vm) => {
        const { folder: _folder, resourcePool: _pool, ...rest } = vm;
        return { ...rest, vApp: 'kubernetes' };
      }),
    }));
    const testbed = await open({ models: { 'vc.example.com': { ...demo, datacenters } } });
    const { control } = testbed.vc();
    expect(control.read('node-1', 'parent')).toBeUndefined();
    expect(control.read('node-1', 'parentVApp')).toMatchObject({ type: 'VirtualApp' });
    expect((await testbed.node(1)).metadata.labels).toMatchObject({ 'topology.kubernetes.io/zone': 'zone-a' });
    control.deleteVm('node-1');
    await setReady(testbed, 1, 'Unknown');
    await testbed.until('node-1 is gone', async () =>
      (await testbed.nodeNames()).includes('node-1') ? undefined : true,
    );
    expect(await testbed.nodeNames()).toEqual(names.slice(1));
  });

  test('while nobody is logged in does not disturb the others', async () => {
    const testbed = await open();
    const { control } = testbed.vc();
    const back = control.addFault({ method: '*', effect: { kind: 'drop', when: 'before' } });
    control.expireSessions();
    await testbed.clock.advance(10_000);
    control.deleteVm('node-1');
    back();
    await testbed.clock.advance(60_000);
    control.setIps('node-2', 0, ['10.10.0.77']);
    await testbed.until('node-2 has its new address', async () =>
      (await testbed.node(2)).status?.addresses?.some(({ address }) => address === '10.10.0.77') ? true : undefined,
    );
  });

  test('does nothing while its node is ready', async () => {
    const testbed = await open();
    testbed.vc().control.deleteVm('node-1');
    await testbed.clock.advance(600_000);
    expect(await testbed.nodeNames()).toEqual(names);
  });

  test('with four others takes one node an hour', async () => {
    const testbed = await open();
    for (const name of names) testbed.vc().control.deleteVm(name);
    for (const index of all) await setReady(testbed, index, 'Unknown');
    await testbed.clock.advance(600_000);
    expect(await testbed.nodeNames()).toHaveLength(4);
    const [left = ''] = await testbed.nodeNames();
    await reported(testbed, left, 'NodeDeletionPaused');
  });

  test('with four others takes one node an hour, also after a restart of the program', async () => {
    const testbed = await open();
    for (const name of names) testbed.vc().control.deleteVm(name);
    for (const index of all) await setReady(testbed, index, 'Unknown');
    await testbed.clock.advance(600_000);
    await testbed.stop();
    const second = new AbortController();
    void testbed.start('replica-2', second);
    await testbed.clock.advance(1_800_000);
    expect(await testbed.nodeNames()).toHaveLength(4);
    await testbed.clock.advance(2_400_000);
    expect(await testbed.nodeNames()).toHaveLength(3);
    second.abort();
    await testbed.clock.advance(10_000);
  });

  test('after a restart of the program is still proven gone', async () => {
    const testbed = await open();
    const second = new AbortController();
    await testbed.stop();
    testbed.vc().control.deleteVm('node-1');
    await setReady(testbed, 1, 'Unknown');
    void testbed.start('replica-2', second);
    await testbed.until('node-1 is gone', async () =>
      (await testbed.nodeNames()).includes('node-1') ? undefined : true,
    );
    second.abort();
    await testbed.clock.advance(10_000);
  });
});

describe('no node goes when', () => {
  test('its vCenter is down', async () => {
    const testbed = await open();
    testbed.vc().control.addFault({ method: '*', effect: { kind: 'drop', when: 'before' } });
    testbed.vc().control.expireSessions();
    await nobodyGoes(testbed);
  });

  test('vCenter answers every call with a server error', async () => {
    const testbed = await open();
    testbed.vc().control.addFault({ method: '*', effect: { kind: 'http', status: 503, body: 'starting' } });
    await nobodyGoes(testbed);
  });

  test.each(['goes on', 'starts anew'])('all VMs vanish from view by permission, and the program %s', async (how) => {
    const testbed = await open();
    const second = new AbortController();
    if (how === 'starts anew') await testbed.stop();
    // A VM may be read by way of its folder or of its resource pool.
    for (const path of ['/demo/vm/kubernetes', '/demo/host'])
      testbed.vc().control.grant('cpi@vsphere.local', 'NoAccess', path);
    if (how === 'starts anew') void testbed.start('replica-2', second);
    await nobodyGoes(testbed);
    expect((await reported(testbed, 'node-1', 'NodeGoneUnproven')).message).toContain('the user may not read it');
    second.abort();
    await testbed.clock.advance(10_000);
  });

  test('its VM is deleted but the folder it was in may no longer be read', async () => {
    const testbed = await open();
    testbed.vc().control.deleteVm('node-1');
    testbed.vc().control.grant('cpi@vsphere.local', 'NoAccess', '/demo/vm/kubernetes');
    await nobodyGoes(testbed);
    expect((await reported(testbed, 'node-1', 'NodeGoneUnproven')).message).toContain(
      'lacks System.Read on Folder:group-v',
    );
  });

  test('the password changes and the Secret does not', async () => {
    const testbed = await open();
    testbed.vc().control.setAccount({ username: 'cpi@vsphere.local', password: 'obviously-fake-2' });
    testbed.vc().control.expireSessions();
    await nobodyGoes(testbed);
    expect(
      testbed
        .vc()
        .recorder.calls()
        .filter(({ method, result }) => method === 'Login' && result !== 'ok').length,
    ).toBeLessThan(4);
  });

  test('the user loses every permission', async () => {
    const testbed = await open();
    testbed.vc().control.grant('cpi@vsphere.local', 'NoAccess', '/');
    await nobodyGoes(testbed);
  });

  test('its session expires', async () => {
    const testbed = await open();
    testbed.vc().control.expireSessions();
    await nobodyGoes(testbed);
    expect(testbed.vc().recorder.count('Login')).toBe(2);
  });

  test('its Tools are stopped', async () => {
    const testbed = await open();
    for (const name of names) testbed.vc().control.setTools(name, false);
    await nobodyGoes(testbed);
  });

  test('its VM moves to another cluster', async () => {
    const testbed = await open();
    testbed.vc().control.migrate('node-1', 'esx-b3.demo.example');
    await nobodyGoes(testbed);
    await reported(testbed, 'node-1', 'NodeTopologyChanged');
  });

  test('another VM has the same UUID', async () => {
    const drop = { method: '*', effect: { kind: 'drop', when: 'before' } } as const;
    const models = { 'vc-a.example.com': demoModel(), 'vc-b.example.com': demoModel() };
    const testbed = await open({ models }, ({ vc }) => vc('vc-b.example.com').control.addFault(drop));
    testbed.vc('vc-b.example.com').control.clearFaults();
    await testbed.stop();
    const second = new AbortController();
    void testbed.start('replica-2', second);
    await nobodyGoes(testbed);
    await reported(testbed, 'node-1', 'NodeVmAmbiguous');
    second.abort();
    await testbed.clock.advance(10_000);
  });

  test('it is of another provider', async () => {
    const testbed = await open();
    await testbed.join(6, { providerID: 'k3s://node-6', ready: 'Unknown' });
    await testbed.clock.advance(600_000);
    expect(await testbed.nodeNames()).toContain('node-6');
  });

  test('the datacenter is renamed', async () => {
    const testbed = await open();
    testbed.conf.text = confFor('vc.example.com').replace('labels:', '    datacenters: [demo]\nlabels:');
    await testbed.clock.advance(30_000);
    testbed.vc().control.rename('demo', 'production');
    testbed.vc().control.expireSessions();
    await nobodyGoes(testbed);
  });

  test('one of two vCenters is down and the VM is on the other one, or was', async () => {
    const model = demoModel();
    const models = { 'vc-a.example.com': model, 'vc-b.example.com': { ...model, datacenters: [], permissions: [] } };
    const testbed = await open({ models });
    testbed.vc('vc-b.example.com').control.addFault({ method: '*', effect: { kind: 'drop', when: 'before' } });
    testbed.vc('vc-a.example.com').control.deleteVm('node-1');
    await nobodyGoes(testbed);
  });

  test('the vCenter is taken out of the configuration', async () => {
    const models = {
      'vc-a.example.com': demoModel(),
      'vc-b.example.com': { ...demoModel(), datacenters: [], permissions: [] },
    };
    const testbed = await open({ models });
    testbed.conf.text = confFor('vc-b.example.com');
    await testbed.clock.advance(30_000);
    await nobodyGoes(testbed);
    await reported(testbed, 'node-1', 'NodeGoneUnproven');
  });

  test('a VM is re-created under its name with another UUID', async () => {
    const testbed = await open();
    testbed.vc().control.deleteVm('node-1');
    const body = { status: { nodeInfo: { systemUUID: demoUuid(9) } } };
    await testbed.client.patch(nodes, { name: 'node-1' }, { type: 'merge', body }, { subresource: 'status' });
    await nobodyGoes(testbed);
    await reported(testbed, 'node-1', 'NodeVmReplaced');
  });
});
