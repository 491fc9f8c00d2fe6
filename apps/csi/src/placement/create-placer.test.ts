import type { DatastoreModel, VSphereModel } from '@vdo/vsphere-sim/model';
import { afterEach, describe, expect, it } from 'vitest';
import { createDomainTestbed, type DomainTestbed, nodeId } from '../testing/domain-testbed.ts';
import type { PlacementRequest } from './placer.ts';
import type { Segments } from './segments.ts';

const hourMs = 3_600_000;
const account = { username: 'administrator@vsphere.local', password: 'obviously-fake' };
const zone = (value: string): Segments => ({ 'topology.csi.vmware.com/k8s-zone': value });
const datastore = (name: string, overrides: Partial<DatastoreModel> = {}): DatastoreModel => ({
  name,
  type: 'VMFS',
  capacityGb: 4096,
  freeGb: 512,
  ...overrides,
});
const [a, b, local] = [datastore('a'), datastore('b', { freeGb: 2048 }), datastore('local', { freeGb: 100 })];

/** Number of a node → datastores that the host of its VM mounts. */
type Mounts = Readonly<Record<number, readonly DatastoreModel[]>>;

/** A vCenter of node VMs, each on a host of its own. */
const mounting = (mounts: Mounts, overrides: Partial<VSphereModel> = {}): VSphereModel => {
  const indexes = Object.keys(mounts).map(Number);
  const all = new Map(Object.values(mounts).flatMap((stores) => stores.map((one) => [one.name, one] as const)));
  const hostsOf = (name: string) =>
    indexes.filter((index) => mounts[index]?.some((one) => one.name === name)).map((index) => `host-${index}`);
  return {
    datacenters: [
      {
        name: 'dc',
        clusters: [{ name: 'compute', hosts: indexes.map((index) => ({ name: `host-${index}` })) }],
        datastores: [...all.values()].map((one) => ({ ...one, hosts: hostsOf(one.name) })),
        // Its own files lie anywhere: a host may mount none of these.
        vms: indexes.map((index) => ({
          name: `node-${index}`,
          uuid: nodeId(index),
          host: `host-${index}`,
          datastore: [...all.keys()][0] ?? '',
        })),
      },
    ],
    ...overrides,
  };
};

let testbed: DomainTestbed;
/** The zone of each node, if there are zones: the first for node-1. */
const setUp = (models: readonly VSphereModel[], { nodes = 1, zones = [] as readonly string[], as = account } = {}) => {
  const labels = Object.fromEntries(zones.map((value, index) => [index + 1, zone(value)]));
  testbed = createDomainTestbed({ models, nodes, labels, account: as });
};
afterEach(() => testbed.close());

const place = (request: Partial<PlacementRequest> = {}) =>
  testbed.run(testbed.placer.place({ topologies: [], ...request }, testbed.context));
const names = async (request?: Partial<PlacementRequest>) => (await place(request)).datastores.map(({ name }) => name);
const urlOf = (name: string) => String(testbed.sim.control.read(name, 'summary.url'));

describe('placement', () => {
  it('takes the datastores that all nodes reach, most free space first', async () => {
    setUp([mounting({ 1: [a, b, local], 2: [a, b] })], { nodes: 2 });
    expect(await names()).toEqual(['b', 'a']);
  });

  it('takes only the datastore of the StorageClass', async () => {
    setUp([mounting({ 1: [a, b] })]);
    expect(await names({ datastoreUrl: urlOf('a').replace(/\/$/, '') })).toEqual(['a']);
  });

  it('keeps to the preferred zone and tells which it was', async () => {
    setUp([mounting({ 1: [a], 2: [b] })], { nodes: 2, zones: ['z1', 'z2'] });
    const choice = await place({ topologies: [zone('z2'), zone('z1')] });
    expect(choice.topology).toEqual(zone('z2'));
    expect(choice.datastores.map(({ name }) => name)).toEqual(['b']);
  });

  it('goes to the next zone when the preferred one has no datastore', async () => {
    setUp([mounting({ 1: [a], 2: [] })], { nodes: 2, zones: ['z1', 'z2'] });
    expect((await place({ topologies: [zone('z2'), zone('z1')] })).topology).toEqual(zone('z1'));
  });

  it('finds the vCenter of the zone', async () => {
    setUp([mounting({ 1: [a] }), mounting({ 2: [b] })], { nodes: 2, zones: ['z1', 'z2'] });
    expect((await place({ topologies: [zone('z2')] })).vcenter.server).toBe('vc2.example.com');
  });

  it('serves the zones of the vCenters that answer while another is down', async () => {
    setUp([mounting({ 1: [a] }), mounting({ 2: [b] })], { nodes: 2, zones: ['z1', 'z2'] });
    testbed.sim.control.restart(hourMs);
    expect((await place({ topologies: [zone('z2')] })).vcenter.server).toBe('vc2.example.com');
    await expect(place({ topologies: [zone('z1')] })).rejects.toMatchObject({ code: 'VCenterUnreachable' });
  });
});

describe('preferred datastores', () => {
  const category = 'cns.vmware.topology-preferred-datastores';
  const small = datastore('small', { freeGb: 10 });
  const preferred = async (topologies: readonly Segments[]) => {
    const { datastores, preferred: found } = await place({ topologies });
    return datastores.filter(({ ref }) => found?.has(ref.value)).map(({ name }) => name);
  };
  const createdOn = async (name: string, zoneName: string, parameters = {}): Promise<string | undefined> => {
    const segments = zone(zoneName);
    const { volumeId } = await testbed.create(name, {
      accessibilityRequirements: { requisite: [{ segments }], preferred: [{ segments }] },
      parameters,
    });
    const chosen = testbed.sim.volumes.get(volumeId)?.datastore.value;
    return String(testbed.sim.control.read(chosen ?? '', 'name'));
  };

  it('get the volume of their zone, although another one has more space', async () => {
    setUp([mounting({ 1: [a, b, small], 2: [a, b, small] })], { nodes: 2, zones: ['z1', 'z2'] });
    testbed.sim.control.tag('/dc/datastore/small', category, 'z1');
    expect(await preferred([zone('z1')])).toEqual(['small']);
    expect(await createdOn('one', 'z1')).toBe('small');
    expect(await createdOn('two', 'z2')).not.toBe('small');
  });

  it('count without topology in no way, and with a tag of another category neither', async () => {
    setUp([mounting({ 1: [a, small] })], { zones: ['z1'] });
    testbed.sim.control.tag('/dc/datastore/small', 'other', 'z1');
    expect(await preferred([zone('z1')])).toEqual([]);
    expect((await place()).preferred).toBeUndefined();
  });

  it('are found by the name of a higher level that the request leaves out', async () => {
    const region = { 'topology.csi.vmware.com/k8s-region': 'r1' };
    const labels = { 1: { ...zone('z1'), ...region } };
    const csi = { topologyCategories: [{ name: 'k8s-region' }, { name: 'k8s-zone' }] };
    testbed = createDomainTestbed({ models: [mounting({ 1: [a, small] })], nodes: 1, labels, account, csi });
    testbed.sim.control.tag('/dc/datastore/small', category, 'r1');
    expect(await preferred([zone('z1')])).toEqual(['small']);
  });

  it('that do not fit the storage policy are passed over', async () => {
    setUp([mounting({ 1: [a, small] }, { policies: [{ name: 'gold', datastores: ['a'] }] })], { zones: ['z1'] });
    testbed.sim.control.tag('/dc/datastore/small', category, 'z1');
    expect(await createdOn('one', 'z1', { storagepolicyname: 'gold' })).toBe('a');
    expect(await createdOn('two', 'z1')).toBe('small');
  });

  it('follow a new tag after five minutes', async () => {
    setUp([mounting({ 1: [a, small] })], { zones: ['z1'] });
    expect(await preferred([zone('z1')])).toEqual([]);
    testbed.sim.control.tag('/dc/datastore/small', category, 'z1');
    await testbed.clock.advance(4 * 60_000);
    expect(await preferred([zone('z1')])).toEqual([]);
    await testbed.clock.advance(60_000);
    expect(await preferred([zone('z1')])).toEqual(['small']);
  });

  it('stay the last known ones while tags cannot be read, and hold no volume up', async () => {
    setUp([mounting({ 1: [a, small], 2: [a, b] })], { nodes: 2, zones: ['z1', 'z2'] });
    testbed.sim.control.tag('/dc/datastore/small', category, 'z1');
    expect(await preferred([zone('z1')])).toEqual(['small']);
    await testbed.clock.advance(6 * 60_000);
    testbed.sim.control.addFault({ method: '*tag-association*', effect: { kind: 'http', status: 503 } });
    expect(await createdOn('one', 'z1')).toBe('small');
    expect(await createdOn('two', 'z2')).toBeDefined();
  });
});

describe('no placement', () => {
  const refusal = async (request?: Partial<PlacementRequest>): Promise<string> => {
    const error = await place(request).catch((caught) => caught);
    expect(error).toMatchObject({ code: 'VolumeNoDatastore' });
    return error.message;
  };

  it('names the node that lacks the datastore', async () => {
    setUp([mounting({ 1: [a], 2: [] })], { nodes: 2 });
    const message = await refusal();
    expect(message).toContain('no datastore is accessible to all of node-1, node-2');
    expect(message).toContain('a is not mounted on the host of node-2');
  });

  it('names a datastore in maintenance and one that is not accessible', async () => {
    setUp([mounting({ 1: [datastore('a', { maintenance: true }), b] })]);
    testbed.sim.control.setDatastoreAccessible('b', false);
    expect(await refusal()).toContain('a is in maintenance mode; b is not accessible');
  });

  it('tells which datastores would do when the one of the class does not', async () => {
    setUp([mounting({ 1: [a] })]);
    expect(await refusal({ datastoreUrl: 'ds:///x/' })).toContain(
      `datastore ds:///x/ is not accessible to all of node-1: shared datastores are a (${urlOf('a')})`,
    );
  });

  it('names nodes whose VM is on no vCenter', async () => {
    setUp([mounting({ 9: [a] })], { nodes: 2 });
    expect(await refusal()).toContain('the VM of node-1, node-2 was not found');
  });

  describe('by privilege', () => {
    const user = { username: 'csi@vsphere.local', password: 'obviously-fake-csi' };
    const granting = (...datastores: readonly string[]): Partial<VSphereModel> => ({
      users: [user],
      roles: [{ name: 'files', privileges: ['Datastore.FileManagement'] }],
      permissions: [
        { principal: user.username, role: 'ReadOnly', path: '/' },
        ...datastores.map((name) => ({ principal: user.username, role: 'files', path: `/dc/datastore/${name}` })),
      ],
    });

    it('names the one that the user lacks, and on which datastore', async () => {
      setUp([mounting({ 1: [a, b] }, granting())], { as: user });
      await expect(place()).rejects.toMatchObject({
        code: 'VolumeNoDatastore',
        message: expect.stringContaining('the user lacks the privilege Datastore.FileManagement on a'),
        remedy: expect.stringContaining('the privilege Datastore.FileManagement'),
      });
    });

    it('passes over a datastore where it is missing while another has it', async () => {
      setUp([mounting({ 1: [a, b] }, granting('a'))], { as: user });
      expect(await names()).toEqual(['a']);
    });
  });

  it('names the place that was asked for, and the nodes whose hosts carry no tag', async () => {
    setUp([mounting({ 1: [a], 2: [a] })], { nodes: 2, zones: ['z1'] });
    expect(await refusal({ topologies: [zone('z9')] })).toMatch(
      /requested topology \(.*k8s-zone=z9\): node-2 have no such label/,
    );
  });

  it('says that vCenters share nothing', async () => {
    setUp([mounting({ 1: [a] }), mounting({ 2: [a] })], { nodes: 2 });
    expect(await refusal()).toContain('on several vCenters (vc1.example.com, vc2.example.com)');
  });
});

describe('reading vCenter', () => {
  /** Calls of a kind that only a look at nodes or mounts makes: the watch of VMs is not among them. */
  const looks = () =>
    testbed.sim.recorder.calls().filter(({ method }) => !/WaitForUpdates|Session/.test(method)).length;

  it('happens once for many volumes', async () => {
    setUp([mounting({ 1: [a] })]);
    await names();
    const before = looks();
    for (let i = 0; i < 20; i++) await names();
    expect(looks()).toBe(before);
  });

  it('happens again when a node joins', async () => {
    setUp([mounting({ 1: [a, b], 2: [a] })]);
    expect(await names()).toEqual(['b', 'a']);
    testbed.setNodes((nodes) => [...nodes, { name: 'node-2', labels: {}, query: { key: 'node-2', uuid: nodeId(2) } }]);
    expect(await names()).toEqual(['a']);
  });

  it('happens again for the datastores when a VM moves to another host', async () => {
    setUp([mounting({ 1: [a], 2: [b, local] })]);
    expect(await names()).toEqual(['a']);
    testbed.sim.control.migrate('node-1', 'host-2');
    await testbed.clock.advance(1000);
    expect(await names()).toEqual(['b', 'local']);
  });

  it('happens again after a minute, because mounts are not watched', async () => {
    setUp([mounting({ 1: [a, b] })]);
    expect(await names()).toEqual(['b', 'a']);
    testbed.sim.control.setDatastoreAccessible('b', false);
    expect(await names()).toEqual(['b', 'a']);
    await testbed.clock.advance(60_000);
    expect(await names()).toEqual(['a']);
  });
});
