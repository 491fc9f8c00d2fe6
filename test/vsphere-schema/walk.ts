import { createSystemClock } from '@vdo/base/clock';
import { openFence as fence } from '@vdo/base/fence';
import type { HttpTransport } from '@vdo/base/http';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { isVdoError } from '@vdo/base/vdo-error';
import { createVCenter, type FullVCenter } from '@vdo/vsphere/create-vcenter';
import { destructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import { moref } from '@vdo/vsphere/wire/moref';
import { createVSphereSim, type VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import type { VSphereModel } from '@vdo/vsphere-sim/model';

export const model = (version: string): VSphereModel => ({
  version,
  datacenters: [
    {
      name: 'DC0',
      clusters: [{ name: 'C0', hosts: [{ name: 'H0' }], vApps: ['app'] }],
      datastores: [
        { name: 'vmfs', type: 'VMFS' },
        { name: 'vsan', type: 'vsan' },
        { name: 'broken', type: 'VMFS', accessible: false },
      ],
      vms: [
        { name: 'node-1', extraConfig: { 'disk.EnableUUID': 'TRUE' } },
        { name: 'node-2', vApp: 'app' },
      ],
    },
  ],
  policies: [{ name: 'gold', datastores: ['vmfs', 'vsan'] }],
  users: [{ username: 'old@vsphere.local', password: 'obviously-fake', passwordExpired: true }],
});

const cluster = { clusterId: 'c-1', vSphereUser: 'u', distribution: 'D' };
const entities = [
  { kind: 'PERSISTENT_VOLUME' as const, name: 'pv', labels: { app: 'db' } },
  {
    kind: 'PERSISTENT_VOLUME_CLAIM' as const,
    name: 'pvc',
    namespace: 'default',
    references: [{ kind: 'PERSISTENT_VOLUME' as const, name: 'pv' }],
  },
];

/** What became of a step: done, or not offered by this version. */
export type Fate = 'done' | 'unsupported';

export interface Walk {
  /** By step. */
  readonly fates: ReadonlyMap<string, Fate>;
  /** Requests that the vCenter did not take, with its words. */
  readonly refused: readonly string[];
  readonly sessionsLeft: number;
  readonly logins: number;
}

type Step = (vcenter: FullVCenter, sim: VSphereSim, kept: Map<string, string>) => Promise<unknown>;

const assert = (condition: boolean, what: string): void => {
  if (!condition) throw new Error(what);
};

const datastore = (sim: VSphereSim, name: string) => sim.control.find(name);

const steps: Readonly<Record<string, Step>> = {
  inventory: async (vcenter) => {
    const found = await vcenter.nodes.resolve([{ key: 'n', names: ['node-1'] }]);
    assert(found.get('n')?.state === 'found', 'the VM is not found');
    assert((await vcenter.instanceUuid()) !== '', 'the vCenter has no id');
  },
  policies: async (vcenter, sim) => {
    const { id } = await vcenter.policies.find('gold');
    const { compatible } = await vcenter.policies.placement(id, [datastore(sim, 'vmfs')]);
    assert(compatible.length === 1, 'the datastore does not fit the policy');
  },
  tags: async (vcenter, sim) => {
    const { tags } = vcenter;
    const node = sim.control.find('node-1');
    const category = { name: 'walk', description: 'made by a test', types: ['VirtualMachine'] };
    const categoryId = await tags.createCategory(category);
    assert(
      (await tags.categories()).some(({ id }) => id === categoryId),
      'the category is not listed',
    );
    assert((await tags.category(categoryId))?.description === 'made by a test', 'the category cannot be read');
    const tagId = await tags.createTag({ name: 'one', categoryId });
    assert(
      (await tags.tagsIn(categoryId)).some(({ id }) => id === tagId),
      'the tag is not listed',
    );
    await tags.attach(tagId, node);
    assert((await vcenter.health.tags([node])).size === 1, 'the tag is not on the VM');
    await tags.detach(tagId, node);
    assert(await destructiveCalls(vcenter).deleteTagCategory(categoryId, { fence }), 'the category is not deleted');
  },
  create: async (vcenter, sim, kept) => {
    const datastores = ['broken', 'vmfs'].map((name) => datastore(sim, name));
    const urls = new Map(datastores.map(({ value }, i) => [value, ['ds:///broken/', 'ds:///vmfs/'][i] ?? '']));
    const spec = { name: 'v', capacityMb: 10n, datastores, cluster, metadata: entities, datastoreUrls: urls };
    const volume = await vcenter.cns.createBlockVolume(spec, { fence });
    assert(volume.datastoreUrl !== 'ds:///broken/', 'the volume is told to be where it could not be put');
    kept.set('volume', volume.id);
    const [read] = await vcenter.cns.queryVolumes({ volumeIds: [volume.id] });
    assert(read?.entities?.every(({ clusterId }) => clusterId === 'c-1') === true, 'entities of another cluster');
  },
  metadata: async (vcenter, _sim, kept) => {
    const [outcome] = await vcenter.cns.updateMetadata([{ volumeId: kept.get('volume') ?? '', cluster, entities }], {
      fence,
    });
    assert(outcome?.ok === true, 'the metadata is not taken');
  },
  attach: async (vcenter, sim, kept) => {
    const item = { volumeId: kept.get('volume') ?? '', vm: sim.control.find('node-1') };
    const [attached] = await vcenter.cns.attach([item], { fence });
    if (!attached?.ok) throw attached?.error ?? new Error('no outcome');
    const [detached] = await destructiveCalls(vcenter).detach([item], { fence });
    if (!detached?.ok) throw detached?.error ?? new Error('no outcome');
  },
  extend: (vcenter, _sim, kept) => vcenter.cns.extend(kept.get('volume') ?? '', 20n, { fence }),
  disks: async (vcenter, sim, kept) => {
    const store = datastore(sim, 'vmfs');
    const id = kept.get('volume') ?? '';
    assert((await vcenter.firstClassDisks.list(store)).includes(id), 'the disk is not listed');
    await vcenter.firstClassDisks.setKeepAfterDeleteVm({ datastore: store, id }, true, { fence });
  },
  share: async (vcenter, sim, kept) => {
    const netPermissions = [{ ips: '10.0.0.0/8', access: 'READ_WRITE' as const, rootSquash: true }];
    const datastores = [datastore(sim, 'vsan')];
    const spec = { name: 'f', capacityMb: 10n, datastores, cluster, netPermissions };
    kept.set('share', (await vcenter.cns.createFileVolume(spec, { fence })).id);
  },
  access: (vcenter, _sim, kept) =>
    vcenter.cns.grantAccess(
      kept.get('share') ?? 'none',
      ['10.0.0.1', '10.0.0.2'].map((ips) => ({ ips, access: 'READ_ONLY' as const, rootSquash: true })),
      { fence },
    ),
  snapshot: async (vcenter, sim, kept) => {
    const volumeId = kept.get('volume') ?? '';
    const { id: snapshotId } = await vcenter.cns.createSnapshot(volumeId, 'd', { fence });
    const found = await vcenter.cns.querySnapshots({ volumeId });
    assert(found.length === 1, 'the snapshot is not shown');
    const source = { volumeId, snapshotId };
    const datastores = [datastore(sim, 'vmfs')];
    await vcenter.cns.createFromSnapshot({ name: 'copy', capacityMb: 20n, datastores, cluster, source }, { fence });
    assert(await destructiveCalls(vcenter).deleteSnapshot(source, { fence }), 'the snapshot is not deleted');
  },
  relocate: (vcenter, sim, kept) =>
    destructiveCalls(vcenter).relocate(kept.get('volume') ?? '', { datastore: datastore(sim, 'vsan') }, { fence }),
  reconfigure: async (vcenter, _sim, kept) => {
    const { id } = await vcenter.policies.find('gold');
    await vcenter.cns.changePolicy(kept.get('volume') ?? '', id, { fence });
  },
  delete: async (vcenter, _sim, kept) => {
    const { deleteVolume, detach } = destructiveCalls(vcenter);
    const id = kept.get('volume') ?? '';
    assert(await deleteVolume(id, { fence }), 'the volume is not deleted');
    assert(!(await deleteVolume(id, { fence })), 'a volume that is not there was deleted');
    const [outcome] = await detach([{ volumeId: id, vm: moref('VirtualMachine', 'vm-none') }], { fence });
    assert(outcome?.ok === false && outcome.error.code === 'VolumeNotFound', 'a volume that is not there was detached');
  },
};

/** A client of a simulated vCenter. */
export const connect = (transport: HttpTransport, username = 'administrator@vsphere.local'): FullVCenter =>
  createVCenter({
    server: 'vc.example',
    credentials: async () => ({ username, password: 'obviously-fake', version: '1' }),
    transport,
    clock: createSystemClock(),
    random: createSeededRandom(2),
    logger: silentLogger,
    metrics: createMetrics(),
  });

/** Does what the drivers do with a vCenter of a release. `between` stands between the client and it. */
export const walk = async (release: string, between = (transport: HttpTransport) => transport): Promise<Walk> => {
  const clock = createSystemClock();
  const sim = createVSphereSim({ model: model(release), clock, random: createSeededRandom(1), taskLatencyMs: 0 });
  const vcenter = connect(between(sim.handler));
  const fates = new Map<string, Fate>();
  const kept = new Map<string, string>();
  try {
    for (const [name, step] of Object.entries(steps))
      try {
        await step(vcenter, sim, kept);
        fates.set(name, 'done');
      } catch (error) {
        if (!isVdoError(error, 'VCenterVersionUnsupported')) throw error;
        fates.set(name, 'unsupported');
      }
  } finally {
    await vcenter.close();
  }
  const calls = sim.recorder.calls();
  const ended = (method: string, path = '') =>
    calls.filter((call) => call.method.startsWith(method) && call.method.endsWith(path) && /^(ok|2)/.test(call.result))
      .length;
  return {
    fates,
    refused: calls
      .filter(({ endpoint, method, result }) => method === 'refused' || (endpoint === '/rest' && /^4/.test(result)))
      .map(({ method, result }) => (method === 'refused' ? result : `${method}: ${result}`)),
    logins: ended('Login'),
    sessionsLeft: ended('Login') + ended('POST', '/session') - ended('Logout') - ended('DELETE', '/session'),
  };
};
