import { setTimeout as delay } from 'node:timers/promises';
import { openFence } from '@vdo/base/fence';
import { swapUuid } from '@vdo/base/uuid';
import { destructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import type { VCenter } from '@vdo/vsphere/vcenter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connection, connectTo, type Target } from './target.ts';

const vmName = (index: number) => `DC0_C0_RP0_VM${index}`;

const until = async <T>(what: string, probe: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  for (let tries = 0; tries < 200; tries++) {
    const value = await probe();
    if (value !== undefined) return value;
    await delay(50);
  }
  throw new Error(`waited 10 s in vain for ${what}`);
};

/** What every vCenter, simulated or real, must do for this client. */
export const describeVCenterContract = (start: () => Promise<Target>): void => {
  let target: Target;
  let main: Connection;
  let vcenter: VCenter;
  const vms = new Map<string, VmFacts>();

  beforeAll(async () => {
    target = await start();
    main = connectTo(target);
    vcenter = main.vcenter;
  }, 60_000);
  afterAll(async () => {
    await vcenter?.close();
    await target?.stop();
  });

  const byName = async (client: VCenter, names: readonly string[]): Promise<VmFacts[]> => {
    const found = await client.nodes.resolve(names.map((name) => ({ key: name, names: [name] })));
    return names.map((name) => {
      const resolution = found.get(name);
      if (resolution?.state !== 'found') throw new Error(`${name}: ${JSON.stringify(resolution)}`);
      return resolution.vm;
    });
  };

  describe('session', () => {
    it('tells what it is without a login', async () => {
      const { vcenter: fresh, calls } = connectTo(target);
      const about = await fresh.about();
      expect(about.apiType).toBe('VirtualCenter');
      expect(about.version).toMatch(/^\d+\.\d+\.\d+/);
      expect(about.instanceUuid).toMatch(/^[0-9a-f-]{36}$/);
      expect(await calls('Login')).toBe(0);
      await fresh.close();
    });

    it('logs in once for many callers at the same time', async () => {
      const { vcenter: fresh, calls } = connectTo(target);
      await Promise.all(Array.from({ length: 20 }, () => fresh.login()));
      expect(await calls('Login')).toBe(1);
      await fresh.close();
      expect(await calls('Logout')).toBe(1);
    });

    it('sends a wrong password once, then says until when it waits', async () => {
      const { vcenter: fresh, calls } = connectTo(target, { password: 'wrong' });
      await expect(fresh.login()).rejects.toMatchObject({ code: 'VCenterLoginRejected' });
      await expect(fresh.login()).rejects.toMatchObject({
        code: 'VCenterLoginSuspended',
        message: expect.stringMatching(/before \d{4}-/),
      });
      await expect(fresh.topology.locate([], { zone: 'z' })).resolves.toBeDefined();
      expect(await calls('Login')).toBe(1);
      await fresh.close();
    });

    it('logs in again when its session was ended', async () => {
      const { vcenter: fresh, calls } = connectTo(target);
      await byName(fresh, [vmName(0)]);
      await target.control.endSessions();
      await byName(fresh, [vmName(0)]);
      expect(await calls('Login')).toBe(2);
      await fresh.close();
    });
  });

  describe('node inventory', () => {
    it('finds VMs by guest host name, in any case', async () => {
      const names = [0, 1, 2, 3].map(vmName);
      for (const vm of await byName(vcenter, names)) vms.set(vm.name, vm);
      expect([...vms.keys()]).toEqual(names);
      const [lower] = await byName(vcenter, [vmName(0).toLowerCase()]);
      expect(lower?.name).toBe(vmName(0));
    });

    it('knows the facts the programs need', () => {
      const vm = vms.get(vmName(0));
      expect(vm).toMatchObject({ server: target.server, powerState: 'poweredOn', toolsRunning: true });
      expect(vm?.uuid).toMatch(/^[0-9a-f-]{36}$/);
      expect(vm?.instanceUuid).toMatch(/^[0-9a-f-]{36}$/);
      expect(vm?.numCpu).toBeGreaterThan(0);
      expect(vm?.memoryMb).toBeGreaterThan(0);
      expect(vm?.host?.type).toBe('HostSystem');
      expect(vm?.folder?.type).toBe('Folder');
      expect(vm?.resourcePool?.type).toBe('ResourcePool');
      expect(vm?.nics[0]?.ips.length).toBeGreaterThan(0);
    });

    it('finds VMs by UUID in both byte orders, by instance UUID and by IP', async () => {
      const vm = vms.get(vmName(1));
      const found = await vcenter.nodes.resolve([
        { key: 'plain', uuid: vm?.uuid ?? '' },
        { key: 'swapped', uuid: swapUuid(vm?.uuid ?? '').toUpperCase() },
        { key: 'instance', instanceUuid: vm?.instanceUuid.toUpperCase() ?? '' },
        { key: 'ip', ips: [vm?.nics[0]?.ips[0] ?? ''] },
      ]);
      expect([...found.values()]).toMatchObject(
        Array.from({ length: 4 }, () => ({ state: 'found', vm: { name: vmName(1) } })),
      );
    });

    it('finds many by one pass over all VMs', async () => {
      const { vcenter: fresh, calls } = connectTo(target);
      await fresh.login();
      const queries = Array.from({ length: 30 }, (_, i) => ({
        key: `n${i}`,
        uuid: vms.get(vmName(i % 4))?.uuid ?? '',
      }));
      const before = await calls();
      const found = await fresh.nodes.resolve(queries);
      expect([...found.values()].every(({ state }) => state === 'found')).toBe(true);
      expect((await calls()) - before).toBeLessThanOrEqual(5);
      expect(await calls('FindAllByUuid')).toBe(0);
      await fresh.close();
    });

    it('says what it searched for in vain', async () => {
      const uuid = '00000000-0000-4000-8000-000000000000';
      const others = { names: ['nobody'], ips: ['192.0.2.1'] };
      const found = await vcenter.nodes.resolve([
        { key: 'n', uuid, ...others },
        { key: 'without UUID', ...others },
      ]);
      expect(found.get('n')).toEqual({ state: 'not-found', searched: `uuid ${uuid}` });
      expect(found.get('without UUID')).toEqual({ state: 'not-found', searched: 'name nobody; IP 192.0.2.1' });
    });

    it('looks only into the given datacenters, by name, path and MOID', async () => {
      const query = [{ key: 'n', uuid: vms.get(vmName(0))?.uuid ?? '' }];
      for (const datacenters of [['DC0'], ['/DC0']]) {
        const found = await vcenter.nodes.resolve(query, { datacenters });
        expect(found.get('n')?.state).toBe('found');
      }
      await expect(vcenter.nodes.resolve(query, { datacenters: ['DC9'] })).rejects.toMatchObject({
        code: 'ConfigInvalid',
        message: expect.stringContaining('/DC0'),
      });
    });

    it('is told of changes by the watch, without reading', async () => {
      const { vcenter: fresh, calls } = connectTo(target);
      const [vm] = await byName(fresh, [vmName(2)]);
      const stop = new AbortController();
      const seen: VmFacts[] = [];
      fresh.nodes.onChange((changed) => seen.push(changed));
      const running = fresh.nodes.run(stop.signal);
      await until('the watch', async () => ((await calls('WaitForUpdatesEx')) > 0 ? true : undefined));
      const reads = await calls('RetrievePropertiesEx');
      await target.control.powerOff(vmName(2));
      await until('the power state', () => seen.find(({ powerState }) => powerState === 'poweredOff'));
      expect(vm && fresh.nodes.get(vm.ref)?.powerState).toBe('poweredOff');
      expect(await calls('RetrievePropertiesEx')).toBe(reads);
      stop.abort();
      await running;
      await fresh.close();
    });

    it('goes on watching after its session was ended', async () => {
      const { vcenter: fresh, calls } = connectTo(target);
      const [vm] = await byName(fresh, [vmName(3)]);
      const stop = new AbortController();
      const running = fresh.nodes.run(stop.signal);
      await until('the watch', async () => ((await calls('WaitForUpdatesEx')) > 0 ? true : undefined));
      await target.control.endSessions();
      await fresh.topology.locate([], {});
      await target.control.rename(vmName(3), 'renamed');
      await until('the new name', () => (vm && fresh.nodes.get(vm.ref)?.name === 'renamed' ? true : undefined));
      stop.abort();
      await running;
      await fresh.close();
    });

    it('forgets a VM that was destroyed', async () => {
      const { vcenter: fresh, calls } = connectTo(target);
      const found = await fresh.nodes.resolve([{ key: 'n', uuid: vms.get(vmName(3))?.uuid ?? '' }]);
      const vm = found.get('n');
      if (vm?.state !== 'found') throw new Error('not found');
      const stop = new AbortController();
      const running = fresh.nodes.run(stop.signal);
      await until('the watch', async () => ((await calls('WaitForUpdatesEx')) > 0 ? true : undefined));
      await target.control.destroy('renamed');
      await until('the VM to go', () => (fresh.nodes.get(vm.vm.ref) === undefined ? true : undefined));
      stop.abort();
      await running;
      await fresh.close();
    });
  });

  describe('topology', () => {
    it('takes the tag of the nearest ancestor, per category', async () => {
      await target.control.tag('k8s-region', 'region-dc', '/DC0');
      await target.control.tag('k8s-zone', 'zone-dc', '/DC0');
      await target.control.tag('k8s-zone', 'zone-cluster', '/DC0/host/DC0_C0');
      const vm = vms.get(vmName(0));
      if (!vm) throw new Error('no VM');
      const found = await vcenter.topology.locate([vm], { region: 'k8s-region', zone: 'k8s-zone', rack: 'k8s-rack' });
      expect(found.get(vm.ref.value)).toEqual({ region: 'region-dc', zone: 'zone-cluster' });
    });
  });

  describe('placement', () => {
    it('finds the datastores all hosts share', async () => {
      const refs = [0, 1].flatMap((i) => vms.get(vmName(i))?.ref ?? []);
      const { shared, missing } = await vcenter.placement.sharedDatastores(refs);
      expect(shared.length).toBeGreaterThan(0);
      expect(shared[0]?.url).not.toBe('');
      expect(shared[0]?.capacityBytes).toBeGreaterThan(0n);
      expect([...missing.keys()]).toEqual([]);
    });
  });

  describe('container volumes', () => {
    const cluster = { clusterId: 'contract', vSphereUser: 'someone', distribution: 'test' };
    const create = async (name: string, onTask = async () => {}) => {
      const refs = [0, 1].flatMap((i) => vms.get(vmName(i))?.ref ?? []);
      const { shared } = await vcenter.placement.sharedDatastores(refs);
      const datastores = shared.map(({ ref }) => ref);
      return vcenter.cns.createBlockVolume(
        { name, capacityMb: 1024n, datastores, cluster },
        { fence: openFence, onTask },
      );
    };

    it('are created, found by name and cluster, and deleted', async () => {
      let reported = 0;
      const volume = await create('pv-one', async () => {
        reported++;
      });
      expect(reported).toBe(1);
      expect(volume).toMatchObject({
        name: 'pv-one',
        type: 'BLOCK',
        capacityMb: 1024n,
        containerClusterIds: ['contract'],
      });
      expect(await vcenter.cns.queryVolumes({ names: ['pv-one'], clusterIds: ['contract'] })).toEqual([volume]);
      expect(await vcenter.cns.queryVolumes({ names: ['pv-one'], clusterIds: ['another'] })).toEqual([]);
      expect(await destructiveCalls(vcenter).deleteVolume(volume.id, { fence: openFence })).toBe(true);
      expect(await destructiveCalls(vcenter).deleteVolume(volume.id, { fence: openFence })).toBe(false);
      expect(await vcenter.cns.queryVolumes({ volumeIds: [volume.id] })).toEqual([]);
    });

    it('share one waiter for all their tasks', async () => {
      const before = await main.calls('CreateListView');
      const volumes = await Promise.all(Array.from({ length: 10 }, (_, i) => create(`pv-${i}`)));
      expect(new Set(volumes.map(({ id }) => id)).size).toBe(10);
      expect((await main.calls('CreateListView')) - before).toBeLessThanOrEqual(1);
      await Promise.all(volumes.map(({ id }) => destructiveCalls(vcenter).deleteVolume(id, { fence: openFence })));
    });

    it('do not start once the lease is lost', async () => {
      const before = await main.calls('CnsDeleteVolume');
      const fence = {
        assertHeld: () => {
          throw new Error('lost');
        },
      };
      await expect(destructiveCalls(vcenter).deleteVolume('x', { fence })).rejects.toThrow('lost');
      expect(await main.calls('CnsDeleteVolume')).toBe(before);
    });

    it('of an earlier process can be awaited by their task', async () => {
      let task: Parameters<typeof vcenter.cns.awaitCreate>[0] | undefined;
      const refs = [0].flatMap((i) => vms.get(vmName(i))?.ref ?? []);
      const { shared } = await vcenter.placement.sharedDatastores(refs);
      const volume = await vcenter.cns.createBlockVolume(
        { name: 'pv-task', capacityMb: 64n, datastores: shared.map(({ ref }) => ref), cluster },
        {
          fence: openFence,
          onTask: async (ref) => {
            task = ref;
          },
        },
      );
      if (!task) throw new Error('no task');
      const later = connectTo(target);
      expect(await later.vcenter.cns.awaitCreate(task)).toEqual(volume);
      expect(await later.vcenter.cns.awaitCreate({ type: 'Task', value: 'task-that-never-was' })).toBeUndefined();
      await later.vcenter.close();
    });
  });
};
