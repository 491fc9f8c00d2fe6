import { silentLogger } from '@vdo/base/logger';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { moref } from '@vdo/vsphere/wire/moref';
import { describe, expect, test } from 'vitest';
import { createFakeVCenter, type FakeVCenter, unreachable } from '../testing/fake-vcenter.ts';
import { nics, vmFacts } from '../testing/vm-facts.ts';
import { createNodeVms } from './node-vms.ts';

const uuidOf = (index: number): string => `42000000-0000-0000-0000-${index.toString(16).padStart(12, '0')}`;
const vmOf = (index: number, server = 'vc.example.com') =>
  vmFacts({
    server,
    ref: moref('VirtualMachine', `vm-${index}`),
    name: `node-${index}`,
    uuid: uuidOf(index),
    nics: nics({ net: [`10.0.0.${index}`] }),
  });
const queryOf = (index: number) => ({ key: `node-${index}`, uuid: uuidOf(index) });

const setup = (fakes: readonly FakeVCenter[], labels = {}) => {
  const clock = createVirtualClock();
  const { signal } = new AbortController();
  const members = fakes.map(({ vcenter }) => ({ vcenter, datacenters: [] }));
  const vms = createNodeVms({ members, labels, clock, signal, logger: silentLogger });
  void vms.run(signal);
  /** Runs `task` while time passes. */
  const during = async <T>(task: Promise<T>): Promise<T> => {
    task.catch(() => {});
    await clock.advance(50);
    return task;
  };
  return { clock, vms, during };
};

describe('find', () => {
  test('asks each vCenter once for many nodes', async () => {
    const [a, b] = [createFakeVCenter('a'), createFakeVCenter('b')];
    for (let i = 0; i < 50; i++) (i % 2 ? a : b).put(vmOf(i, i % 2 ? 'a' : 'b'));
    const { vms, during } = setup([a, b]);
    const found = await during(Promise.all(Array.from({ length: 50 }, (_, i) => vms.find(queryOf(i)))));
    expect(found.map(({ name }) => name)).toEqual(Array.from({ length: 50 }, (_, i) => `node-${i}`));
    expect([a.calls, b.calls]).toEqual([['resolve'], ['resolve']]);
  });

  test('asks once for a node that is asked for twice', async () => {
    const fake = createFakeVCenter();
    fake.put(vmOf(1));
    const { vms, during } = setup([fake]);
    const [one, other] = await during(Promise.all([vms.find(queryOf(1)), vms.find(queryOf(1))]));
    expect(one).toBe(other);
    expect(fake.queries).toEqual([queryOf(1)]);
  });

  test('answers from the watch afterwards, also in the other byte order', async () => {
    const fake = createFakeVCenter();
    fake.put(vmOf(1));
    const { vms, during } = setup([fake]);
    await during(vms.find(queryOf(1)));
    fake.put({ ...vmOf(1), numCpu: 16 });
    const again = await vms.find({ key: 'node-1', uuid: '00000042-0000-0000-0000-000000000001' });
    expect(again.numCpu).toBe(16);
    expect(fake.calls).toEqual(['resolve']);
  });

  test('looks again when the VM is gone or the node has another UUID', async () => {
    const fake = createFakeVCenter();
    fake.put(vmOf(1));
    fake.put(vmOf(2));
    const { vms, during } = setup([fake]);
    await during(vms.find(queryOf(1)));
    expect((await during(vms.find({ key: 'node-1', uuid: uuidOf(2) }))).name).toBe('node-2');
    fake.remove(vmOf(2));
    await expect(during(vms.find({ key: 'node-1', uuid: uuidOf(2) }))).rejects.toMatchObject({
      code: 'NodeVmNotFound',
    });
    expect(fake.calls).toHaveLength(3);
  });

  test('finds the nodes of one vCenter while another is down', async () => {
    const [a, b] = [createFakeVCenter('a'), createFakeVCenter('b')];
    a.put(vmOf(1, 'a'));
    b.failure = unreachable('b');
    const { vms, during } = setup([a, b]);
    expect((await during(vms.find(queryOf(1)))).server).toBe('a');
    await expect(during(vms.find(queryOf(2)))).rejects.toMatchObject({ code: 'VCenterUnreachable' });
  });
});

describe('changes', () => {
  test('name the node, and the neighbours of an address that wandered', async () => {
    const fake = createFakeVCenter();
    fake.put({ ...vmOf(1), nics: nics({ net: ['10.0.0.1', '10.0.0.100'] }) });
    fake.put(vmOf(2));
    const { vms, during } = setup([fake]);
    await during(Promise.all([vms.find(queryOf(1)), vms.find(queryOf(2))]));
    const changed: string[] = [];
    vms.onChange((node) => changed.push(node));
    fake.put({ ...vmOf(2), nics: nics({ net: ['10.0.0.2', '10.0.0.100'] }) });
    expect(changed).toEqual(['node-1', 'node-2']);
    expect([...vms.sharedAddresses]).toEqual(['10.0.0.100']);
    vms.forget('node-2');
    expect([...vms.sharedAddresses]).toEqual([]);
    fake.put(vmOf(2));
    expect(changed).toEqual(['node-1', 'node-2']);
  });
});

describe('locate', () => {
  const labels = { zone: 'k8s-zone', region: 'k8s-region' };

  test('asks nothing when no category is configured', async () => {
    const fake = createFakeVCenter();
    const { vms } = setup([fake]);
    expect(await vms.locate(vmOf(1))).toEqual({});
    expect(fake.calls).toEqual([]);
  });

  test('asks once for many VMs and again only for one that moved', async () => {
    const fake = createFakeVCenter();
    fake.tags.set('host-1', { zone: 'z1', region: 'r1' });
    fake.tags.set('host-2', { zone: 'z2', region: 'r1' });
    const { vms, during } = setup([fake], labels);
    const located = await during(Promise.all([vms.locate(vmOf(1)), vms.locate(vmOf(2))]));
    expect(located).toEqual([
      { zone: 'z1', region: 'r1' },
      { zone: 'z1', region: 'r1' },
    ]);
    await vms.locate(vmOf(1));
    expect(fake.calls).toEqual(['locate']);
    const moved = { ...vmOf(1), host: moref('HostSystem', 'host-2') };
    expect(await during(vms.locate(moved))).toEqual({ zone: 'z2', region: 'r1' });
    expect(fake.calls).toEqual(['locate', 'locate']);
  });

  test('looks for a missing tag again after five minutes', async () => {
    const fake = createFakeVCenter();
    fake.tags.set('host-1', { zone: 'z1' });
    const { clock, vms, during } = setup([fake], labels);
    expect(await during(vms.locate(vmOf(1)))).toEqual({ zone: 'z1' });
    await vms.locate(vmOf(1));
    expect(fake.calls).toHaveLength(1);
    fake.tags.set('host-1', { zone: 'z1', region: 'r1' });
    await clock.advance(300_000);
    expect(await during(vms.locate(vmOf(1)))).toEqual({ zone: 'z1', region: 'r1' });
  });
});
