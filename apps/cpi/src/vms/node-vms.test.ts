import { uuidOrders } from '@vdo/base/uuid';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { afterEach, describe, expect, test } from 'vitest';
import { createPartsTestbed, type PartsTestbed, type PartsTestbedOptions } from '../testing/parts-testbed.ts';

let testbed: PartsTestbed;
const setup = (options?: PartsTestbedOptions) => {
  testbed = createPartsTestbed(options);
};
afterEach(() => testbed.stop());

const hourMs = 3_600_000;
const queryOf = (index: number) => ({ key: `node-${index}`, uuid: demoUuid(index) });
const find = (query = queryOf(1)) => testbed.during(() => testbed.vms.find(query));
const asked = (method: string, server?: string) => testbed.vc(server).recorder.count(method);

describe('find', () => {
  const uuidOf = (index: number) => `42000000-0000-0000-0000-${index.toString(16).padStart(12, '0')}`;
  const model = (indexes: readonly number[]): VSphereModel => {
    const [datacenter] = demoModel().datacenters;
    if (!datacenter) throw new Error('no datacenter');
    const vms = indexes.map((index) => ({ name: `node-${index}`, uuid: uuidOf(index) }));
    return { ...demoModel(), datacenters: [{ ...datacenter, vms }], permissions: [], roles: [] };
  };

  test('asks each vCenter once for many nodes', async () => {
    const indexes = Array.from({ length: 50 }, (_, index) => index);
    const readable = { principal: 'cpi@vsphere.local', role: 'ReadOnly', path: '/' };
    const half = (rest: number) => ({
      ...model(indexes.filter((index) => index % 2 === rest)),
      permissions: [readable],
    });
    setup({ models: { a: half(1), b: half(0) } });
    const all = () => Promise.all(indexes.map((i) => testbed.vms.find({ key: `node-${i}`, uuid: uuidOf(i) })));
    const found = await testbed.during(all);
    expect(found.map(({ name }) => name)).toEqual(indexes.map((index) => `node-${index}`));
    expect([asked('CreateContainerView', 'a'), asked('CreateContainerView', 'b')]).toEqual([1, 1]);
    expect([asked('FindAllByUuid', 'a'), asked('FindAllByUuid', 'b')]).toEqual([0, 0]);
  });

  test('asks once for a node that is asked for twice', async () => {
    setup();
    const twice = () => Promise.all([testbed.vms.find(queryOf(1)), testbed.vms.find(queryOf(1))]);
    const [one, other] = await testbed.during(twice);
    expect(one).toBe(other);
    expect(asked('FindAllByUuid')).toBe(uuidOrders(demoUuid(1)).length);
  });

  test('asks which vCenter it is at the login alone, however many nodes follow', async () => {
    setup();
    await find(queryOf(1));
    const atLogin = asked('RetrieveServiceContent');
    await find(queryOf(2));
    const { server } = await find(queryOf(3));
    expect(testbed.vms.instanceOf(server)).toMatch(/./);
    expect(asked('RetrieveServiceContent')).toBe(atLogin);
  });

  test('answers from the watch afterwards, also in the other byte order', async () => {
    setup();
    await find();
    const before = asked('FindAllByUuid');
    testbed.sim.control.setIps('node-1', 0, ['10.10.0.99']);
    const [, swapped = ''] = uuidOrders(demoUuid(1));
    const again = await find({ key: 'node-1', uuid: swapped });
    expect(again.nics.flatMap(({ ips }) => ips)).toContain('10.10.0.99');
    expect(asked('FindAllByUuid')).toBe(before);
  });

  test('looks again when the VM is gone or the node has another UUID', async () => {
    setup();
    await find();
    const replaced = { key: 'node-1', uuid: demoUuid(2) };
    expect((await find(replaced)).name).toBe('node-2');
    testbed.sim.control.deleteVm('node-2');
    await expect(find(replaced)).rejects.toMatchObject({ code: 'NodeVmNotFound' });
  });

  test('finds the nodes of one vCenter while another is down', async () => {
    setup({ models: { a: demoModel(), b: demoModel() } });
    testbed.vc('b').control.restart(hourMs);
    expect((await find()).server).toBe('a');
    await expect(find(queryOf(9))).rejects.toMatchObject({ code: 'VCenterUnreachable' });
  });
});

describe('changes', () => {
  test('name the node, and the neighbours of an address that wandered', async () => {
    setup();
    testbed.sim.control.setIps('node-1', 0, ['10.0.0.1', '10.0.0.100']);
    testbed.sim.control.setIps('node-2', 0, ['10.0.0.2']);
    await find(queryOf(1));
    await find(queryOf(2));
    const changed: string[] = [];
    const { vms, clock } = testbed;
    vms.onChange((node) => changed.push(node));
    testbed.sim.control.setIps('node-2', 0, ['10.0.0.2', '10.0.0.100']);
    await clock.advance(1000);
    expect(changed.toSorted()).toEqual(['node-1', 'node-2']);
    expect([...vms.sharedAddresses]).toContain('10.0.0.100');
    vms.forget('node-2');
    expect([...vms.sharedAddresses]).not.toContain('10.0.0.100');
    testbed.sim.control.setIps('node-2', 0, ['10.0.0.2']);
    await clock.advance(1000);
    expect(changed.toSorted()).toEqual(['node-1', 'node-2']);
  });
});

describe('locate', () => {
  const labels = { zone: 'k8s-zone', region: 'k8s-region' };
  const locate = async (index = 1) => {
    const vm = await find(queryOf(index));
    return testbed.during(() => testbed.vms.locate(vm));
  };
  const tagCalls = () => testbed.sim.recorder.calls().filter(({ method }) => method.includes('/tagging/')).length;

  test('asks nothing when no category is configured', async () => {
    setup();
    expect(await locate()).toEqual({});
    expect(tagCalls()).toBe(0);
  });

  test('asks once for many VMs and again only for one that moved', async () => {
    setup({ labels });
    const [one, two] = [await find(queryOf(1)), await find(queryOf(4))];
    expect(await testbed.during(() => Promise.all([testbed.vms.locate(one), testbed.vms.locate(two)]))).toEqual([
      { zone: 'zone-a', region: 'region-1' },
      { zone: 'zone-b', region: 'region-1' },
    ]);
    const before = tagCalls();
    await locate(1);
    await locate(4);
    expect(tagCalls()).toBe(before);
    testbed.sim.control.migrate('node-1', 'esx-b3.demo.example');
    expect(await locate(1)).toEqual({ zone: 'zone-b', region: 'region-1' });
    expect(tagCalls()).toBeGreaterThan(before);
  });

  test('looks for a missing tag again after five minutes', async () => {
    setup({ labels });
    testbed.sim.control.untag('/demo', 'k8s-region', 'region-1');
    expect(await locate()).toEqual({ zone: 'zone-a' });
    const before = tagCalls();
    testbed.sim.control.tag('/demo', 'k8s-region', 'region-1');
    expect(await locate()).toEqual({ zone: 'zone-a' });
    expect(tagCalls()).toBe(before);
    await testbed.clock.advance(300_000);
    expect(await locate()).toEqual({ zone: 'zone-a', region: 'region-1' });
  });
});
