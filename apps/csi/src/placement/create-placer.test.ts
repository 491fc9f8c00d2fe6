import { VdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import type { DatastoreFacts } from '@vdo/vsphere/inventory/placement';
import { morefKey } from '@vdo/vsphere/wire/moref';
import { describe, expect, it } from 'vitest';
import { createFakeVCenter, datastore } from '../testing/fake-vcenter.ts';
import type { ClusterNode } from './cluster-node.ts';
import { createPlacer } from './create-placer.ts';

const { signal } = new AbortController();
const node = (name: string, labels: Record<string, string> = {}): ClusterNode => ({
  name,
  labels,
  query: { key: name, uuid: `uuid-${name}` },
});
const zone = (value: string) => ({ 'topology.csi.vmware.com/k8s-zone': value });

const setUp = (options: {
  readonly vcenters: readonly Readonly<Record<string, readonly DatastoreFacts[]>>[];
  readonly nodes: readonly ClusterNode[];
}) => {
  const clock = createVirtualClock();
  const vcenters = options.vcenters.map((mounts, index) => createFakeVCenter({ server: `vc${index + 1}`, mounts }));
  let snapshot = { version: '1', nodes: options.nodes };
  const placer = createPlacer({ vcenters, nodes: () => snapshot, clock });
  return {
    clock,
    vcenters,
    placer,
    setNodes: (nodes: readonly ClusterNode[]) => {
      snapshot = { version: `${snapshot.version}+`, nodes };
    },
    names: async (request: Parameters<typeof placer.place>[0]) =>
      (await placer.place(request, { signal })).datastores.map(({ name }) => name),
  };
};

const [a, b, local] = [datastore('a'), datastore('b', { freeBytes: 1n << 41n }), datastore('local')];

describe('placement', () => {
  it('takes the datastores that all nodes reach, most free space first', async () => {
    const { names } = setUp({
      vcenters: [{ 'node-1': [a, b, local], 'node-2': [a, b] }],
      nodes: [node('node-1'), node('node-2')],
    });
    expect(await names({ topologies: [] })).toEqual(['b', 'a']);
  });

  it('takes only the datastore of the StorageClass', async () => {
    const { names } = setUp({ vcenters: [{ 'node-1': [a, b] }], nodes: [node('node-1')] });
    expect(await names({ topologies: [], datastoreUrl: 'ds:///a' })).toEqual(['a']);
  });

  it('keeps to the preferred zone and tells which it was', async () => {
    const { placer } = setUp({
      vcenters: [{ 'node-1': [a], 'node-2': [b] }],
      nodes: [node('node-1', zone('z1')), node('node-2', zone('z2'))],
    });
    const choice = await placer.place({ topologies: [zone('z2'), zone('z1')] }, { signal });
    expect(choice.topology).toEqual(zone('z2'));
    expect(choice.datastores.map(({ name }) => name)).toEqual(['b']);
  });

  it('goes to the next zone when the preferred one has no datastore', async () => {
    const { placer } = setUp({
      vcenters: [{ 'node-1': [a], 'node-2': [] }],
      nodes: [node('node-1', zone('z1')), node('node-2', zone('z2'))],
    });
    const choice = await placer.place({ topologies: [zone('z2'), zone('z1')] }, { signal });
    expect(choice.topology).toEqual(zone('z1'));
  });

  it('finds the vCenter of the zone', async () => {
    const { placer } = setUp({
      vcenters: [{ 'node-1': [a] }, { 'node-2': [b] }],
      nodes: [node('node-1', zone('z1')), node('node-2', zone('z2'))],
    });
    const choice = await placer.place({ topologies: [zone('z2')] }, { signal });
    expect(choice.vcenter.server).toBe('vc2');
  });

  it('serves the zones of the vCenters that answer while another is down', async () => {
    const { placer, vcenters } = setUp({
      vcenters: [{ 'node-1': [a] }, { 'node-2': [b] }],
      nodes: [node('node-1', zone('z1')), node('node-2', zone('z2'))],
    });
    vcenters[0]?.fail(new VdoError({ code: 'VCenterUnreachable', message: 'down', remedy: 'wait' }));
    expect((await placer.place({ topologies: [zone('z2')] }, { signal })).vcenter.server).toBe('vc2');
    await expect(placer.place({ topologies: [zone('z1')] }, { signal })).rejects.toMatchObject({
      code: 'VCenterUnreachable',
    });
  });
});

describe('no placement', () => {
  const refusal = async (options: Parameters<typeof setUp>[0], request: { readonly datastoreUrl?: string } = {}) => {
    const { placer } = setUp(options);
    const error = await placer.place({ topologies: [], ...request }, { signal }).catch((caught) => caught);
    expect(error).toMatchObject({ code: 'VolumeNoDatastore' });
    return (error as VdoError).message;
  };
  const two = [node('node-1'), node('node-2')];

  it('names the node that lacks the datastore', async () => {
    const message = await refusal({ vcenters: [{ 'node-1': [a], 'node-2': [] }], nodes: two });
    expect(message).toContain('no datastore is reached by all of node-1, node-2');
    expect(message).toContain('a is not mounted on the host of node-2');
  });

  it('names a datastore in maintenance and one that is not accessible', async () => {
    const mounts = [datastore('a', { maintenance: true }), datastore('b', { accessible: false })];
    const message = await refusal({ vcenters: [{ 'node-1': mounts }], nodes: [node('node-1')] });
    expect(message).toContain('a is in maintenance mode; b is not accessible');
  });

  it('tells which datastores would do when the one of the class does not', async () => {
    const message = await refusal(
      { vcenters: [{ 'node-1': [a] }], nodes: [node('node-1')] },
      { datastoreUrl: 'ds:///x/' },
    );
    expect(message).toContain('datastore ds:///x/ is not reached by all of node-1: shared are a (ds:///a/)');
  });

  it('names nodes whose VM is on no vCenter', async () => {
    expect(await refusal({ vcenters: [{ other: [a] }], nodes: two })).toContain(
      'the VM of node-1, node-2 was not found',
    );
  });

  it('names the privilege that the user lacks, and on which datastore', async () => {
    const { placer, vcenters } = setUp({ vcenters: [{ 'node-1': [a, b] }], nodes: [node('node-1')] });
    const [vcenter] = vcenters;
    if (vcenter)
      vcenter.authorization.missingPrivileges = async (refs) =>
        new Map(refs.map((ref) => [morefKey(ref), ['Datastore.FileManagement']]));
    await expect(placer.place({ topologies: [] }, { signal })).rejects.toMatchObject({
      code: 'VolumeNoDatastore',
      message: expect.stringContaining('the user lacks the privilege Datastore.FileManagement on a'),
      remedy: expect.stringContaining('Grant Datastore.FileManagement'),
    });
  });

  it('passes over a datastore where the privilege is missing while another has it', async () => {
    const { placer, vcenters } = setUp({ vcenters: [{ 'node-1': [a, b] }], nodes: [node('node-1')] });
    const [vcenter] = vcenters;
    if (vcenter)
      vcenter.authorization.missingPrivileges = async () => new Map([[morefKey(b.ref), ['Datastore.FileManagement']]]);
    const { datastores } = await placer.place({ topologies: [] }, { signal });
    expect(datastores.map(({ name }) => name)).toEqual(['a']);
  });

  it('names the place that was asked for, and the nodes whose hosts carry no tag', async () => {
    const { placer } = setUp({
      vcenters: [{ 'node-1': [a], 'node-2': [a] }],
      nodes: [node('node-1', zone('z1')), node('node-2')],
    });
    await expect(placer.place({ topologies: [zone('z9')] }, { signal })).rejects.toMatchObject({
      message: expect.stringMatching(/requested topology \(.*k8s-zone=z9\): node-2 carry no such label/),
    });
  });

  it('says that vCenters share nothing', async () => {
    const message = await refusal({ vcenters: [{ 'node-1': [a] }, { 'node-2': [a] }], nodes: two });
    expect(message).toContain('spread over the vCenters vc1, vc2');
  });
});

describe('reading vCenter', () => {
  const one = { vcenters: [{ 'node-1': [a], 'node-2': [a, b] }], nodes: [node('node-1')] };

  it('happens once for many volumes', async () => {
    const { names, vcenters } = setUp(one);
    for (let i = 0; i < 20; i++) await names({ topologies: [] });
    expect(vcenters[0]?.lookups).toEqual({ resolve: 1, shared: 1 });
  });

  it('happens again when a node joins', async () => {
    const { names, vcenters, setNodes } = setUp(one);
    await names({ topologies: [] });
    setNodes([node('node-1'), node('node-2')]);
    await names({ topologies: [] });
    expect(vcenters[0]?.lookups).toEqual({ resolve: 2, shared: 2 });
  });

  it('happens again for the datastores when a VM moves to another host', async () => {
    const { names, vcenters } = setUp(one);
    await names({ topologies: [] });
    vcenters[0]?.move('node-1', [b, local]);
    expect(await names({ topologies: [] })).toEqual(['b', 'local']);
    expect(vcenters[0]?.lookups).toEqual({ resolve: 1, shared: 2 });
  });

  it('happens again after a minute, because mounts are not watched', async () => {
    const { names, vcenters, clock } = setUp(one);
    await names({ topologies: [] });
    await clock.advance(60_000);
    await names({ topologies: [] });
    expect(vcenters[0]?.lookups.shared).toBe(2);
  });
});
