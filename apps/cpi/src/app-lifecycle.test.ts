import { type Node, namespaces, nodes } from '@vdo/kube/types/core';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, test } from 'vitest';
import { hasTaint, isUninitialized, shutdownTaint } from './decisions/taints.ts';
import { confFor } from './testing/cpi-program.ts';
import { createSimHouse, type SimHouseOptions } from './testing/sim-house.ts';

type House = ReturnType<typeof createSimHouse>;
const houses: House[] = [];
const all = [1, 2, 3, 4, 5];
const names = all.map((index) => `node-${index}`);

/** A running program with five initialized nodes. */
const open = async (options: SimHouseOptions = {}, prepare: (house: House) => void = () => {}): Promise<House> => {
  const house = createSimHouse(options);
  prepare(house);
  houses.push(house);
  const metadata = { name: 'vmware-system-vdo' };
  await house.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
  await house.putSecret(house.account);
  for (const index of all) await house.join(index);
  void house.start();
  for (const index of all)
    await house.until(`node-${index} is initialized`, async () => {
      const node = await house.node(index);
      return !isUninitialized(node) && node.status?.addresses ? node : undefined;
    });
  return house;
};
afterEach(async () => {
  for (const house of houses.splice(0)) await house.stop();
});

const setReady = (house: House, index: number, status: 'True' | 'Unknown'): Promise<Node> => {
  const body = { status: { conditions: [{ type: 'Ready', status }] } };
  return house.client.patch(nodes, { name: `node-${index}` }, { type: 'merge', body }, { subresource: 'status' });
};
const told = (house: House, name: string, reason: string) =>
  house.until(`event ${reason} of ${name}`, async () =>
    (await house.eventsOf(name)).find((event) => event.reason === reason),
  );
const tainted = (house: House, index: number, wanted: boolean) =>
  house.until(`node-${index} ${wanted ? 'has' : 'lost'} the shutdown taint`, async () =>
    hasTaint(await house.node(index), shutdownTaint) === wanted ? true : undefined,
  );
/** Nothing may go while all nodes are not ready for ten minutes. */
const nobodyGoes = async (house: House) => {
  for (const index of all) await setReady(house, index, 'Unknown');
  await house.clock.advance(600_000);
  expect(await house.nodeNames()).toEqual(names);
};

describe('a VM that is switched off', () => {
  test('taints its node until that is ready again', async () => {
    const house = await open();
    house.vc().control.powerOff('node-1');
    await setReady(house, 1, 'Unknown');
    await tainted(house, 1, true);
    house.vc().control.powerOn('node-1');
    await setReady(house, 1, 'True');
    await tainted(house, 1, false);
  });
});

describe('a VM that is deleted', () => {
  test('takes its node along, after a second look', async () => {
    const house = await open();
    house.vc().control.deleteVm('node-1');
    await setReady(house, 1, 'Unknown');
    await house.clock.advance(45_000);
    expect(await house.nodeNames()).toEqual(names);
    await house.until('node-1 is gone', async () => ((await house.nodeNames()).includes('node-1') ? undefined : true));
    expect(await told(house, 'node-1', 'DeletingNode')).toMatchObject({ type: 'Normal' });
    expect(await house.nodeNames()).toEqual(names.slice(1));
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
    const house = await open({ models: { 'vc.example.com': { ...demo, datacenters } } });
    const { control } = house.vc();
    expect(control.read('node-1', 'parent')).toBeUndefined();
    expect(control.read('node-1', 'parentVApp')).toMatchObject({ type: 'VirtualApp' });
    expect((await house.node(1)).metadata.labels).toMatchObject({ 'topology.kubernetes.io/zone': 'zone-a' });
    control.deleteVm('node-1');
    await setReady(house, 1, 'Unknown');
    await house.until('node-1 is gone', async () => ((await house.nodeNames()).includes('node-1') ? undefined : true));
    expect(await house.nodeNames()).toEqual(names.slice(1));
  });

  test('while nobody is logged in does not disturb the others', async () => {
    const house = await open();
    const { control } = house.vc();
    const back = control.addFault({ method: '*', effect: { kind: 'drop', when: 'before' } });
    control.expireSessions();
    await house.clock.advance(10_000);
    control.deleteVm('node-1');
    back();
    await house.clock.advance(60_000);
    control.setIps('node-2', 0, ['10.10.0.77']);
    await house.until('node-2 has its new address', async () =>
      (await house.node(2)).status?.addresses?.some(({ address }) => address === '10.10.0.77') ? true : undefined,
    );
  });

  test('does nothing while its node is ready', async () => {
    const house = await open();
    house.vc().control.deleteVm('node-1');
    await house.clock.advance(600_000);
    expect(await house.nodeNames()).toEqual(names);
  });

  test('with four others takes one node an hour', async () => {
    const house = await open();
    for (const name of names) house.vc().control.deleteVm(name);
    for (const index of all) await setReady(house, index, 'Unknown');
    await house.clock.advance(600_000);
    expect(await house.nodeNames()).toHaveLength(4);
    const [left = ''] = await house.nodeNames();
    await told(house, left, 'NodeDeletionPaused');
  });

  test('with four others takes one node an hour, also after a restart of the program', async () => {
    const house = await open();
    for (const name of names) house.vc().control.deleteVm(name);
    for (const index of all) await setReady(house, index, 'Unknown');
    await house.clock.advance(600_000);
    await house.stop();
    const second = new AbortController();
    void house.start('replica-2', second);
    await house.clock.advance(1_800_000);
    expect(await house.nodeNames()).toHaveLength(4);
    await house.clock.advance(2_400_000);
    expect(await house.nodeNames()).toHaveLength(3);
    second.abort();
    await house.clock.advance(10_000);
  });

  test('after a restart of the program is still proven gone', async () => {
    const house = await open();
    const second = new AbortController();
    await house.stop();
    house.vc().control.deleteVm('node-1');
    await setReady(house, 1, 'Unknown');
    void house.start('replica-2', second);
    await house.until('node-1 is gone', async () => ((await house.nodeNames()).includes('node-1') ? undefined : true));
    second.abort();
    await house.clock.advance(10_000);
  });
});

describe('no node goes when', () => {
  test('its vCenter is down', async () => {
    const house = await open();
    house.vc().control.addFault({ method: '*', effect: { kind: 'drop', when: 'before' } });
    house.vc().control.expireSessions();
    await nobodyGoes(house);
  });

  test('vCenter answers every call with a server error', async () => {
    const house = await open();
    house.vc().control.addFault({ method: '*', effect: { kind: 'http', status: 503, body: 'starting' } });
    await nobodyGoes(house);
  });

  test.each(['goes on', 'starts anew'])('all VMs vanish from view by permission, and the program %s', async (how) => {
    const house = await open();
    const second = new AbortController();
    if (how === 'starts anew') await house.stop();
    // A VM may be read by way of its folder or of its resource pool.
    for (const path of ['/demo/vm/kubernetes', '/demo/host'])
      house.vc().control.grant('cpi@vsphere.local', 'NoAccess', path);
    if (how === 'starts anew') void house.start('replica-2', second);
    await nobodyGoes(house);
    expect((await told(house, 'node-1', 'NodeGoneUnproven')).message).toContain('may not be read by the user');
    second.abort();
    await house.clock.advance(10_000);
  });

  test('its VM is deleted but the folder it was in may no longer be read', async () => {
    const house = await open();
    house.vc().control.deleteVm('node-1');
    house.vc().control.grant('cpi@vsphere.local', 'NoAccess', '/demo/vm/kubernetes');
    await nobodyGoes(house);
    expect((await told(house, 'node-1', 'NodeGoneUnproven')).message).toContain('lacks System.Read on Folder:group-v');
  });

  test('the password changes and the Secret does not', async () => {
    const house = await open();
    house.vc().control.setAccount({ username: 'cpi@vsphere.local', password: 'obviously-fake-2' });
    house.vc().control.expireSessions();
    await nobodyGoes(house);
    expect(
      house
        .vc()
        .recorder.calls()
        .filter(({ method, result }) => method === 'Login' && result !== 'ok').length,
    ).toBeLessThan(4);
  });

  test('the user loses every permission', async () => {
    const house = await open();
    house.vc().control.grant('cpi@vsphere.local', 'NoAccess', '/');
    await nobodyGoes(house);
  });

  test('its session expires', async () => {
    const house = await open();
    house.vc().control.expireSessions();
    await nobodyGoes(house);
    expect(house.vc().recorder.count('Login')).toBe(2);
  });

  test('its Tools are stopped', async () => {
    const house = await open();
    for (const name of names) house.vc().control.setTools(name, false);
    await nobodyGoes(house);
  });

  test('its VM moves to another cluster', async () => {
    const house = await open();
    house.vc().control.migrate('node-1', 'esx-b3.demo.example');
    await nobodyGoes(house);
    await told(house, 'node-1', 'NodeTopologyChanged');
  });

  test('another VM has the same UUID', async () => {
    const drop = { method: '*', effect: { kind: 'drop', when: 'before' } } as const;
    const models = { 'vc-a.example.com': demoModel(), 'vc-b.example.com': demoModel() };
    const house = await open({ models }, ({ vc }) => vc('vc-b.example.com').control.addFault(drop));
    house.vc('vc-b.example.com').control.clearFaults();
    await house.stop();
    const second = new AbortController();
    void house.start('replica-2', second);
    await nobodyGoes(house);
    await told(house, 'node-1', 'NodeVmAmbiguous');
    second.abort();
    await house.clock.advance(10_000);
  });

  test('it is of another provider', async () => {
    const house = await open();
    await house.join(6, { providerID: 'k3s://node-6', ready: 'Unknown' });
    await house.clock.advance(600_000);
    expect(await house.nodeNames()).toContain('node-6');
  });

  test('the datacenter is renamed', async () => {
    const house = await open();
    house.conf.text = confFor('vc.example.com').replace('labels:', '    datacenters: [demo]\nlabels:');
    await house.clock.advance(30_000);
    house.vc().control.rename('demo', 'production');
    house.vc().control.expireSessions();
    await nobodyGoes(house);
  });

  test('one of two vCenters is down and the VM is on the other one, or was', async () => {
    const model = demoModel();
    const models = { 'vc-a.example.com': model, 'vc-b.example.com': { ...model, datacenters: [], permissions: [] } };
    const house = await open({ models });
    house.vc('vc-b.example.com').control.addFault({ method: '*', effect: { kind: 'drop', when: 'before' } });
    house.vc('vc-a.example.com').control.deleteVm('node-1');
    await nobodyGoes(house);
  });

  test('the vCenter is taken out of the configuration', async () => {
    const models = {
      'vc-a.example.com': demoModel(),
      'vc-b.example.com': { ...demoModel(), datacenters: [], permissions: [] },
    };
    const house = await open({ models });
    house.conf.text = confFor('vc-b.example.com');
    await house.clock.advance(30_000);
    await nobodyGoes(house);
    await told(house, 'node-1', 'NodeGoneUnproven');
  });

  test('a VM is re-created under its name with another UUID', async () => {
    const house = await open();
    house.vc().control.deleteVm('node-1');
    const body = { status: { nodeInfo: { systemUUID: demoUuid(9) } } };
    await house.client.patch(nodes, { name: 'node-1' }, { type: 'merge', body }, { subresource: 'status' });
    await nobodyGoes(house);
    await told(house, 'node-1', 'NodeVmReplaced');
  });
});
