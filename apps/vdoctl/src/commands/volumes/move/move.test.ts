import { createSystemClock } from '@vdo/base/clock';
import { openFence } from '@vdo/base/fence';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { names } from '@vdo/config/names';
import { configMaps, persistentVolumes, secrets } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { createVCenter, type FullVCenter } from '@vdo/vsphere/create-vcenter';
import { morefKey } from '@vdo/vsphere/wire/moref';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVdoctl, type VdoctlOptions } from '../../../testing/run-vdoctl.ts';
import { seedResource } from '../../../testing/seed-resource.ts';
import { type SimTestbed, startSimTestbed, testbedNamespace } from '../../../testing/sim-testbed.ts';
import { administrator } from '../../../testing/sim-vcenter.ts';

const wanted = [
  'free',
  'fast',
  'cancelled',
  'lost-reply',
  'dropped',
  'attached',
  'claimed',
  'snapshotted',
  'foreign',
  'in-tree',
] as const;

describe('vdoctl volumes move', () => {
  let testbed: SimTestbed;
  let vcenter: FullVCenter;
  const ids = new Map<string, string>();
  const id = (name: (typeof wanted)[number]): string => ids.get(name) ?? '';
  const refOf = (name: string) => testbed.vcenter.sim.control.find(name, 'Datastore');
  const datastoreOf = (name: (typeof wanted)[number]) =>
    String(testbed.vcenter.sim.control.read(testbed.vcenter.sim.volumes.get(id(name))?.datastore.value ?? '', 'name'));

  const make = async (name: string, clusterId: string): Promise<string> => {
    const cluster = { clusterId, vSphereUser: administrator.username, distribution: 'VANILLA' };
    const spec = { name, capacityMb: 2048n, datastores: [refOf('shared-vmfs')], cluster };
    return (await vcenter.cns.createBlockVolume(spec, { fence: openFence })).id;
  };
  const persistentVolume = (name: string, handle: string) =>
    testbed.cluster.kube.create(persistentVolumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        capacity: { storage: '2Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: names.csiDriver, volumeHandle: handle },
      },
    });

  beforeAll(async () => {
    testbed = await startSimTestbed();
    const { kube } = testbed.cluster;
    const [, server = '', , port, , , , thumbprint = ''] = testbed.vcenter.flags;
    const vcenters = [{ server, port: Number(port), credentialsSecret: 'vcenter', tls: { thumbprints: [thumbprint] } }];
    await seedResource(kube, { distribution: 'Native', vcenters, csi: { volumeMoves: true } });
    const data = {
      [`${server}.username`]: Buffer.from(administrator.username).toString('base64'),
      [`${server}.password`]: Buffer.from(administrator.password).toString('base64'),
    };
    const metadata = { name: 'vcenter', namespace: testbedNamespace };
    await kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data });
    await kube.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: names.csiClusterId, namespace: testbedNamespace },
      data: { clusterID: 'this-cluster' },
    });
    vcenter = createVCenter({
      server,
      port: Number(port),
      tls: { thumbprints: [thumbprint] },
      credentials: async () => ({ ...administrator, version: '1' }),
      clock: createSystemClock(),
      random: createSystemRandom(),
      logger: silentLogger,
      metrics: createMetrics(),
    });
    for (const name of wanted) ids.set(name, await make(name, name === 'foreign' ? 'another-cluster' : 'this-cluster'));
    for (const name of wanted)
      if (name !== 'foreign' && name !== 'in-tree') await persistentVolume(`pv-${name}`, id(name));
    await persistentVolume('pv-in-tree', testbed.vcenter.sim.volumes.get(id('in-tree'))?.path ?? '');
    await vcenter.cns.createSnapshot(id('snapshotted'), 'kept', { fence: openFence });
    const vm = testbed.vcenter.sim.control.find('node-1', 'VirtualMachine');
    const [attached] = await vcenter.cns.attach([{ volumeId: id('attached'), vm }], { fence: openFence });
    expect(attached?.ok).toBe(true);
    await kube.create(volumeAttachments, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: 'of-claimed' },
      spec: { attacher: names.csiDriver, nodeName: 'node-2', source: { persistentVolumeName: 'pv-claimed' } },
    });
  });
  afterAll(async () => {
    await vcenter?.close();
    await testbed?.stop();
  });

  const move = (argv: readonly string[], options: VdoctlOptions = {}) =>
    runVdoctl(['volumes', 'move', '--kubeconfig', testbed.cluster.kubeconfig, ...argv], options);
  const plan = async (argv: readonly string[]) => {
    const { out, err } = await move([...argv, '--dry-run', '-o', 'json']);
    try {
      return JSON.parse(out) as readonly {
        readonly handle: string;
        readonly action: string;
        readonly rule: string | null;
      }[];
    } catch {
      throw new Error(`${out}${err}`);
    }
  };
  const rules = async (argv: readonly string[]) =>
    Object.fromEntries(
      (await plan(argv)).map(({ handle, rule }) => [[...ids].find(([, one]) => one === handle)?.[0] ?? handle, rule]),
    );
  const moves = () => testbed.vcenter.sim.recorder.count('CnsRelocateVolume');

  it('wants volumes or a datastore to empty', async () => {
    expect(await move(['--to', 'vsanDatastore'])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--from DATASTORE'),
    });
    expect(await move(['--from', 'nowhere', '--to', 'vsanDatastore', '--dry-run'])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('no vCenter has a datastore nowhere'),
    });
  });

  it('says for each volume of a datastore what becomes of it, and changes nothing', async () => {
    expect(await rules(['--from', 'shared-vmfs', '--to', 'vsanDatastore'])).toMatchObject({
      free: null,
      fast: null,
      attached: 'attached',
      claimed: 'attached',
      snapshotted: 'has-snapshots',
      'in-tree': 'in-tree',
    });
    expect(await rules(['--from', 'vsanDatastore', '--to', 'shared-vmfs'])).toEqual({});
    expect(moves()).toBe(0);
  });

  it.each([
    ['another name', 'nowhere', 'no-such-datastore'],
    ['its own datastore', 'shared-vmfs', 'already-there'],
    ['a datastore that hosts of its nodes do not mount', 'local-a', 'not-reachable'],
  ])('refuses %s', async (_what, to, rule) => {
    expect(await rules(['pv-free', '--to', to])).toEqual({ free: rule });
  });

  it('refuses a datastore that is full or in maintenance', async () => {
    const { control } = testbed.vcenter.sim;
    const [free, state] = [control.read('vsanDatastore', 'summary.freeSpace'), 'summary.maintenanceMode'];
    control.write('vsanDatastore', { 'summary.freeSpace': 3n * 1024n ** 3n });
    expect(await rules(['pv-free', 'pv-fast', '--to', 'vsanDatastore'])).toEqual({ fast: null, free: 'no-space' });
    control.write('vsanDatastore', { 'summary.freeSpace': free, [state]: 'inMaintenance' });
    expect(await rules(['pv-free', '--to', 'vsanDatastore'])).toEqual({ free: 'target-unavailable' });
    control.write('vsanDatastore', { [state]: 'normal' });
  });

  it('asks before it moves', async () => {
    expect(await move(['pv-free', '--to', 'vsanDatastore'])).toMatchObject({ exitCode: 2 });
    expect(moves()).toBe(0);
  });

  it('moves a volume, tells the way back, and the way back works', async () => {
    const { exitCode, err } = await move(['pv-free', '--to', 'vsanDatastore', '--yes']);
    expect(exitCode, err).toBe(0);
    expect(err).toContain('1 of 1: pv-free moved to vsanDatastore');
    expect(err).toContain("vdoctl volumes move pv-free --to 'shared-vmfs'");
    expect(datastoreOf('free')).toBe('vsanDatastore');
    expect((await move(['pv-free', '--to', 'shared-vmfs', '--yes'])).exitCode).toBe(0);
    expect(datastoreOf('free')).toBe('shared-vmfs');
    // What is there already is no failure.
    expect((await move(['pv-free', '--to', 'shared-vmfs', '--yes'])).exitCode).toBe(0);
  });

  it('keeps the storage policy', async () => {
    const { policies } = vcenter;
    const [policy] = await policies.list();
    const { ref } = { ref: refOf('vsanDatastore') };
    expect((await policies.placement(policy?.id ?? '', [ref])).compatible.map(morefKey)).toEqual([morefKey(ref)]);
    await move(['pv-fast', '--to', 'vsanDatastore', '--yes']);
    await vcenter.cns.changePolicy(id('fast'), policy?.id ?? '', { fence: openFence });
    expect(await rules(['pv-fast', '--to', 'shared-vmfs'])).toEqual({ fast: 'policy' });
    expect(testbed.vcenter.sim.volumes.get(id('fast'))?.policyId).toBe(policy?.id);
  });

  it('asks vCenter where the volume is when the reply is lost, and does not move it twice', async () => {
    const before = moves();
    testbed.vcenter.sim.control.addFault({
      method: 'CnsRelocateVolume',
      times: 1,
      effect: { kind: 'drop', when: 'after' },
    });
    const { exitCode, err } = await move(['pv-lost-reply', '--to', 'vsanDatastore', '--yes']);
    expect(exitCode, err).toBe(0);
    expect(datastoreOf('lost-reply')).toBe('vsanDatastore');
    expect(moves()).toBe(before + 1);
  });

  it('says that a volume did not move when the call never arrived, and a second run moves it', async () => {
    testbed.vcenter.sim.control.addFault({
      method: 'CnsRelocateVolume',
      times: 1,
      effect: { kind: 'drop', when: 'before' },
    });
    const first = await move(['pv-dropped', '--to', 'vsanDatastore', '--yes']);
    expect(first).toMatchObject({ exitCode: 1, err: expect.stringContaining('not moved') });
    expect(datastoreOf('dropped')).toBe('shared-vmfs');
    expect((await move(['pv-dropped', '--to', 'vsanDatastore', '--yes'])).exitCode).toBe(0);
    expect(datastoreOf('dropped')).toBe('vsanDatastore');
  });

  it('can be stopped: vCenter ends the move, and the same command goes on from there', async () => {
    const { control } = testbed.vcenter.sim;
    control.addFault({ method: 'CnsRelocateVolume', times: 1, effect: { kind: 'task-latency', ms: 3_000 } });
    const stop = new AbortController();
    const before = moves();
    const running = move(['pv-cancelled', 'pv-free', '--to', 'vsanDatastore', '--yes'], { signal: stop.signal });
    await expect.poll(moves, { timeout: 10_000 }).toBe(before + 1);
    stop.abort();
    const stopped = await running;
    expect(stopped.exitCode).toBe(130);
    expect(stopped.err).toContain('run the same command again');
    expect(datastoreOf('cancelled')).toBe('shared-vmfs');
    // It waits for the running move, sees that it has ended well, and moves the other volume.
    const { exitCode, err } = await move(['pv-cancelled', 'pv-free', '--to', 'vsanDatastore', '--yes']);
    expect(exitCode, err).toBe(0);
    expect([datastoreOf('cancelled'), datastoreOf('free')]).toEqual(['vsanDatastore', 'vsanDatastore']);
    expect(moves()).toBe(before + 2);
  }, 60_000);

  it('empties a datastore of what can be moved, and says with its exit code that something is left', async () => {
    const { exitCode, out } = await move(['--from', 'vsanDatastore', '--to', 'shared-vmfs', '--yes']);
    expect(exitCode, out).toBe(1);
    expect(['free', 'cancelled', 'lost-reply', 'dropped', 'fast'].map((name) => datastoreOf(name as 'free'))).toEqual([
      ...Array.from({ length: 4 }, () => 'shared-vmfs'),
      'vsanDatastore',
    ]);
  }, 60_000);
});
