import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import type { PlaceChange } from '@vdo/vsphere/inventory/node-places';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Connection, connectTo, type Target } from './target.ts';

/** Parts of the contract that a simulator may lack; each is then shown to be lacking. */
export type PlacesFeature = 'host-changes' | 'datastore-changes';

/** Changes to hosts and datastores behind the client's back. */
export interface PlacesControl {
  /** vMotion to a host of the cluster. */
  migrate(vm: string, host: string): Promise<void>;
  enterMaintenance(host: string): Promise<void>;
  /** A folder, pool, cluster or datacenter, by its inventory path. */
  renameAt(path: string, name: string): Promise<void>;
  /** All paths of all hosts to a datastore are down. */
  cutOff(datastore: string): Promise<void>;
}

export type PlacesTarget = Target & { readonly places: PlacesControl };

const wait = { timeout: 4_000, interval: 50 };

/** The hosts of node VMs and the datastores these mount, as the watch of the nodes tells them. */
export const describePlacesContract = (
  start: () => Promise<PlacesTarget>,
  options: { readonly lacks?: readonly PlacesFeature[] } = {},
): void => {
  const lacks = new Set(options.lacks ?? []);
  const stop = new AbortController();
  let target: PlacesTarget;
  let main: Connection;
  let vcenter: FullVCenter;
  let vm: VmFacts;
  let running: Promise<void>;

  beforeAll(async () => {
    target = await start();
    main = connectTo(target);
    vcenter = main.vcenter;
    const found = (await vcenter.nodes.resolve([{ key: 'vm', names: ['DC0_C0_RP0_VM0'] }])).get('vm');
    if (found?.state !== 'found') throw new Error(JSON.stringify(found));
    vm = found.vm;
    running = vcenter.nodes.run(stop.signal);
  }, 60_000);
  afterAll(async () => {
    stop.abort();
    await running;
    await vcenter?.close();
    await target?.stop();
  });

  const can = (feature: PlacesFeature, name: string, run: () => Promise<void>): void => {
    if (lacks.has(feature)) it(`(lacks ${feature}) ${name}`, () => expect(run()).rejects.toBeDefined());
    else it(name, run);
  };

  const hostOfVm = () => {
    const ref = vcenter.nodes.get(vm.ref)?.host;
    return ref && vcenter.places.host(ref);
  };

  it('are known once the watch runs, by the filter of the VMs and without a read', async () => {
    const reads = await main.calls('RetrievePropertiesEx');
    const host = await vi.waitFor(() => hostOfVm() ?? expect.fail('the host is unknown'), wait);
    expect(host).toMatchObject({ server: target.server, connection: 'connected', maintenance: false });
    expect(vcenter.places.hosts()).toEqual([host]);
    expect(host.datastores.length).toBeGreaterThan(0);
    const datastores = host.datastores.map((ref) => vcenter.places.datastore(ref));
    expect(vcenter.places.datastores()).toHaveLength(datastores.length);
    for (const datastore of datastores) {
      expect(datastore).toMatchObject({ accessible: true, maintenance: false, url: expect.stringMatching(/./) });
      expect(datastore?.writableHosts).toContainEqual(host.ref);
    }
    expect(await main.calls('CreateFilter')).toBe(1);
    expect(await main.calls('RetrievePropertiesEx')).toBe(reads);
  });

  it('follow a VM that moves to another host', async () => {
    const from = hostOfVm();
    const other = from?.name === 'DC0_C0_H0' ? 'DC0_C0_H1' : 'DC0_C0_H0';
    await target.places.migrate('DC0_C0_RP0_VM0', other);
    await vi.waitFor(() => expect(hostOfVm()?.name).toBe(other), wait);
  });

  can('host-changes', 'tell that a host enters maintenance', async () => {
    const changes: PlaceChange[] = [];
    const forget = vcenter.places.onChange((change) => changes.push(change));
    const reads = await main.calls('RetrievePropertiesEx');
    await target.places.enterMaintenance(hostOfVm()?.name ?? '');
    await vi.waitFor(() => expect(hostOfVm()?.maintenance).toBe(true), wait);
    expect(changes).toMatchObject([{ kind: 'host', before: { maintenance: false }, after: { maintenance: true } }]);
    expect(await main.calls('RetrievePropertiesEx')).toBe(reads);
    forget();
  });

  can('datastore-changes', 'tell that a datastore is lost', async () => {
    const changes: PlaceChange[] = [];
    const forget = vcenter.places.onChange((change) => changes.push(change));
    await target.places.cutOff('LocalDS_0');
    await vi.waitFor(() => expect(changes).toHaveLength(1), wait);
    expect(changes).toMatchObject([{ kind: 'datastore', after: { name: 'LocalDS_0', accessible: false } }]);
    forget();
  });

  const pathOf = (start: MoRef | undefined): readonly string[] => {
    const names: string[] = [];
    for (let at = start; at; ) {
      const one = vcenter.places.ancestor(at);
      names.unshift(one?.name ?? `unknown ${at.value}`);
      at = one?.parent;
    }
    return names;
  };

  it('have everything above them up to the root, by the same filter and without a read', async () => {
    const reads = await main.calls('RetrievePropertiesEx');
    const now = vcenter.nodes.get(vm.ref);
    expect(pathOf(now?.folder)).toEqual(['Datacenters', 'DC0', 'vm']);
    expect(pathOf(now?.resourcePool)).toEqual(['Datacenters', 'DC0', 'host', 'DC0_C0', 'Resources']);
    expect(pathOf(hostOfVm()?.parent)).toEqual(['Datacenters', 'DC0', 'host', 'DC0_C0']);
    await vcenter.topology.locate([now ?? vm], { zone: 'no-such-category' });
    expect(await main.calls('RetrievePropertiesEx')).toBe(reads);
    expect(await main.calls('CreateFilter')).toBe(1);
  });

  it('tell that a cluster or a datacenter above them was renamed, without a read', async () => {
    const changes: PlaceChange[] = [];
    const forget = vcenter.places.onChange((change) => changes.push(change));
    const reads = await main.calls('RetrievePropertiesEx');
    await target.places.renameAt('/DC0/host/DC0_C0', 'renamed-cluster');
    await target.places.renameAt('/DC0', 'renamed-datacenter');
    await vi.waitFor(() => expect(changes.filter(({ kind }) => kind === 'ancestor')).toHaveLength(2), wait);
    expect(changes).toMatchObject([
      { kind: 'ancestor', before: { name: 'DC0_C0' }, after: { name: 'renamed-cluster' } },
      { kind: 'ancestor', before: { name: 'DC0' }, after: { name: 'renamed-datacenter' } },
    ]);
    expect(pathOf(hostOfVm()?.parent)).toEqual(['Datacenters', 'renamed-datacenter', 'host', 'renamed-cluster']);
    expect(await main.calls('RetrievePropertiesEx')).toBe(reads);
    forget();
  });
};
