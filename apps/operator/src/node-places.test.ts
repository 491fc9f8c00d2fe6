import { silentLogger } from '@vdo/base/logger';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import type { ClusterFacts, NodeFacts } from '@vdo/checks/facts';
import type { VCenterFacts } from '@vdo/checks/facts/vcenter-facts';
import { type NotedPlaces, parsePlacesNote, placesNote, readNotedPlaces } from '@vdo/dashboard/source/places-note';
import { configMaps } from '@vdo/kube/types/core';
import { morefKey } from '@vdo/vsphere/wire/moref';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlaceKeeper, learnClusters, learnPlaces } from './node-places.ts';
import { account, createSimTestbed, type SimTestbed } from './testing/sim-testbed.ts';

const ref = (type: string, value: string) => ({ type, value });
const [host, cluster, folder, datacenter] = [
  ref('HostSystem', 'host-1'),
  ref('ClusterComputeResource', 'domain-c1'),
  ref('Folder', 'group-h1'),
  ref('Datacenter', 'dc-1'),
];
const ancestors = new Map(
  [
    { ref: host, name: 'esx-1', parent: cluster },
    { ref: cluster, name: 'C0', parent: folder },
    { ref: folder, name: 'host', parent: datacenter },
    { ref: datacenter, name: 'DC0', parent: undefined },
  ].map((one) => [morefKey(one.ref), one]),
);
const vcenter = (connection = 'connected'): VCenterFacts =>
  ({
    server: 'vc1:443',
    spec: { server: 'vc1' },
    ancestors,
    places: {
      value: {
        hosts: new Map([
          [morefKey(host), { ref: host, name: 'esx-1', parent: cluster, connection, maintenance: false }],
        ]),
        support: new Map(),
      },
    },
  }) as unknown as VCenterFacts;
const nodeOf = (changes: object = {}): NodeFacts => {
  const vm = { server: 'vc1:443', ref: ref('VirtualMachine', 'vm-1'), name: 'n1', host, powerState: 'poweredOn' };
  return {
    node: { metadata: { name: 'n1' } },
    resolution: { state: 'found', vm },
    vm,
    ...changes,
  } as unknown as NodeFacts;
};
const known = { node: 'n1', vcenter: 'vc1', datacenter: 'DC0', cluster: 'C0', host: 'esx-1' };

describe('where a node runs', () => {
  const clusters = learnClusters(new Map(), [vcenter()]);

  it('is told from its VM, the host and what is above', () => {
    expect(learnPlaces([], { nodes: [nodeOf()], vcenters: [vcenter()] }, clusters)).toEqual([known]);
  });
  it('tells that the host is down', () => {
    const [place] = learnPlaces([], { nodes: [nodeOf()], vcenters: [vcenter('notResponding')] }, clusters);
    expect(place).toMatchObject({ hostNote: 'does not respond', isHostDown: true });
  });
  it('stays as it was while the vCenter does not answer', () => {
    const silent = { node: { metadata: { name: 'n1' } } } as unknown as NodeFacts;
    const down = { server: 'vc1:443', spec: { server: 'vc1' } } as unknown as VCenterFacts;
    expect(learnPlaces([known], { nodes: [silent], vcenters: [down] }, clusters)).toEqual([known]);
  });
  it('is nowhere once the VM is gone', () => {
    const gone = nodeOf({ resolution: { state: 'not-found', searched: 'DC0' }, vm: undefined });
    expect(learnPlaces([known], { nodes: [gone], vcenters: [vcenter()] }, clusters)).toEqual([]);
  });
  it('goes with the node', () => {
    expect(learnPlaces([known], { nodes: [], vcenters: [vcenter()] }, clusters)).toEqual([]);
  });
});

describe('the keeper of the note', () => {
  const facts = (name: string) => {
    const node = { ...nodeOf(), node: { metadata: { name } } };
    return { nodes: [node], vcenters: [vcenter()] } as unknown as ClusterFacts;
  };
  const createKeeper = () => {
    const clock = createVirtualClock();
    const saved: string[] = [];
    const store = {
      load: async () => ({}),
      save: async (value: NotedPlaces) => {
        saved.push(
          readNotedPlaces(value)
            .places.map(({ node }) => node)
            .join(),
        );
      },
    };
    return { clock, saved, keeper: createPlaceKeeper({ store, clock, logger: silentLogger }) };
  };

  it('writes at most once a minute, and then the newest', async () => {
    const { clock, saved, keeper } = createKeeper();
    for (const name of ['n1', 'n2', 'n3']) await keeper.see(facts(name));
    expect(saved).toEqual(['n1']);
    await clock.advance(59_000);
    expect(saved).toEqual(['n1']);
    await clock.advance(2_000);
    expect(saved).toEqual(['n1', 'n3']);
  });
  it('does not write what is noted already', async () => {
    const { clock, saved, keeper } = createKeeper();
    for (const name of ['n1', 'n2', 'n1']) await keeper.see(facts(name));
    await clock.advance(120_000);
    expect(saved).toEqual(['n1']);
  });
  it('writes nothing after it was stopped, so that a note which was deleted stays away', async () => {
    const { clock, saved, keeper } = createKeeper();
    for (const name of ['n1', 'n2']) await keeper.see(facts(name));
    keeper.stop();
    await clock.advance(120_000);
    expect(saved).toEqual(['n1']);
  });
});

describe('the note of the operator', { timeout: 120_000 }, () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await createSimTestbed();
  });
  afterEach(() => testbed.stop());

  const noted = async () => {
    const found = await testbed.kube.find(configMaps, { namespace: 'vmware-system-vdo', name: placesNote.name });
    return found && parsePlacesNote(found.data?.[placesNote.key]).places;
  };

  it('tells where each node runs, follows a new one, and goes with the resource', async () => {
    for (const name of ['node-1', 'node-2']) await testbed.joinNode(name);
    await testbed.putSecret(account);
    await testbed.describe();
    await testbed.becomes('Ready', 'True', 'AllReady');
    const places = await noted();
    expect(places?.map(({ node }) => node).sort()).toEqual(['node-1', 'node-2']);
    for (const { datacenter: in_, cluster: of, host: on } of places ?? []) {
      expect(in_).toMatch(/./);
      expect(of).toMatch(/./);
      expect(on).toMatch(/^esx|^host/);
    }
    await testbed.joinNode('node-3');
    await testbed.until('node-3 to be on the map', async () => (await noted())?.some(({ node }) => node === 'node-3'));
    await testbed.kube.delete(
      {
        group: 'vdo.vmware.com',
        version: 'v1beta1',
        plural: 'vspheredrivers',
        kind: 'VSphereDrivers',
        namespaced: false,
      },
      { name: 'cluster' },
    );
    await testbed.until('the note to go', async () => (await noted()) === undefined);
  });
});
