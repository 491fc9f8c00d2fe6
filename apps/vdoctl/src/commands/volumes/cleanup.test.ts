import { createSystemClock } from '@vdo/base/clock';
import { openFence } from '@vdo/base/fence';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { names } from '@vdo/config/names';
import { configMaps, persistentVolumes, secrets } from '@vdo/kube/types/core';
import { createVCenter, type FullVCenter } from '@vdo/vsphere/create-vcenter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { seedResource } from '../../testing/seed-resource.ts';
import { type SimTestbed, startSimTestbed, testbedNamespace } from '../../testing/sim-testbed.ts';
import { administrator } from '../../testing/sim-vcenter.ts';

const clock = createSystemClock();
/** A week after the volumes were made. */
const later = { ...clock, now: () => clock.now() + 8 * 86_400_000 };

describe('vdoctl volumes cleanup', () => {
  let testbed: SimTestbed;
  let vcenter: FullVCenter;
  const ids = { orphan: '', owned: '', foreign: '', attached: '', snapshotted: '' };

  const make = async (name: string, clusterId: string): Promise<string> => {
    const tree = await vcenter.inventory.read(['Datastore']);
    const datastores = [...tree.values()].map(({ ref }) => ref).filter(({ type }) => type === 'Datastore');
    const cluster = { clusterId, vSphereUser: administrator.username, distribution: 'VANILLA' };
    const spec = { name, capacityMb: 2048n, datastores: datastores.slice(0, 1), cluster };
    return (await vcenter.cns.createBlockVolume(spec, { fence: openFence })).id;
  };

  beforeAll(async () => {
    testbed = await startSimTestbed();
    const { kube } = testbed.cluster;
    const [, server = '', , port, , , , thumbprint = ''] = testbed.vcenter.flags;
    const vcenters = [{ server, port: Number(port), credentialsSecret: 'vcenter', tls: { thumbprints: [thumbprint] } }];
    await seedResource(kube, { distribution: 'Native', vcenters, csi: {} });
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
      clock,
      random: createSystemRandom(),
      logger: silentLogger,
      metrics: createMetrics(),
    });
    ids.orphan = await make('orphan', 'this-cluster');
    ids.owned = await make('owned', 'this-cluster');
    ids.foreign = await make('foreign', 'another-cluster');
    ids.attached = await make('attached', 'this-cluster');
    ids.snapshotted = await make('snapshotted', 'this-cluster');
    await vcenter.cns.createSnapshot(ids.snapshotted, 'kept', { fence: openFence });
    const vms = await vcenter.inventory.read(['VirtualMachine']);
    const [vm] = [...vms.values()].map(({ ref }) => ref).filter(({ type }) => type === 'VirtualMachine');
    if (!vm) throw new Error('the demo vCenter has VMs');
    const [attached] = await vcenter.cns.attach([{ volumeId: ids.attached, vm }], { fence: openFence });
    expect(attached?.ok).toBe(true);
    await kube.create(persistentVolumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-owned' },
      spec: {
        capacity: { storage: '2Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: names.csiDriver, volumeHandle: ids.owned },
      },
    });
  });
  afterAll(async () => {
    await vcenter?.close();
    await testbed?.stop();
  });

  const cleanup = (flags: readonly string[], options: { readonly clock?: typeof clock } = { clock: later }) =>
    runVdoctl(['volumes', 'cleanup', '--kubeconfig', testbed.cluster.kubeconfig, ...flags], options);
  const all = () => Object.values(ids).flatMap((id) => ['--id', id]);
  const exists = async (id: string) => (await vcenter.cns.queryVolumes({ volumeIds: [id] })).length === 1;

  /** Ids are new each time, and columns as wide as they are. */
  const tidy = (text: string): string =>
    Object.entries(ids)
      .reduce((changed, [name, id]) => changed.replaceAll(id, `id-of-${name}`), text)
      .replaceAll(testbed.cluster.server, 'CLUSTER')
      .replaceAll(/ +/g, ' ');

  it.each([
    ['volumes', []],
    ['orphans', ['--orphans']],
  ])('are listed before (%s)', async (name, flags) => {
    const { exitCode, out, err } = await runVdoctl([
      ...['volumes', '--kubeconfig', testbed.cluster.kubeconfig],
      ...flags,
    ]);
    expect(exitCode, err).toBe(0);
    await expect(tidy(out)).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  it('wants ids', async () => {
    expect(await cleanup([])).toMatchObject({ exitCode: 2, err: expect.stringContaining('--id') });
  });

  it('tells for each what would happen and which rule keeps it', async () => {
    const { exitCode, out, err } = await cleanup(['--dry-run', ...all(), '--id', 'no-such-volume']);
    expect(exitCode, err).toBe(1);
    await expect(tidy(out)).toMatchFileSnapshot('golden/cleanup-plan.txt');
    const json = JSON.parse((await cleanup(['--dry-run', '-o', 'json', '--id', ids.foreign])).out) as unknown;
    expect(json).toEqual([expect.objectContaining({ action: 'keep', rule: 'other-cluster' })]);
    expect(await exists(ids.orphan)).toBe(true);
  });

  it('keeps what is younger than 7 days', async () => {
    const { exitCode, out } = await cleanup(['--yes', '--id', ids.orphan], { clock });
    expect(exitCode).toBe(1);
    expect(out).toContain('too-young');
    expect(await exists(ids.orphan)).toBe(true);
  });

  it('keeps what a PersistentVolume of the in-tree provider names by its path', async () => {
    const { kube } = testbed.cluster;
    const [volume] = await vcenter.cns.queryVolumes({ volumeIds: [ids.orphan] });
    const file = volume?.diskPath?.split('/').at(-1);
    expect(file).toMatch(/vmdk$/);
    const spec = {
      capacity: { storage: '2Gi' },
      accessModes: ['ReadWriteOnce'],
      vsphereVolume: { volumePath: `[elsewhere] kubevols/${file}` },
    };
    const metadata = { name: 'in-tree' };
    await kube.create(persistentVolumes, { apiVersion: 'v1', kind: 'PersistentVolume', metadata, spec } as never);
    const { exitCode, out } = await cleanup(['--yes', '--id', ids.orphan]);
    await kube.delete(persistentVolumes, { name: 'in-tree' });
    expect(exitCode).toBe(1);
    expect(out).toContain('PersistentVolume in-tree uses it');
    expect(await exists(ids.orphan)).toBe(true);
  });

  it('asks, then deletes the orphan and nothing else', async () => {
    expect((await cleanup(all())).exitCode).toBe(2);
    expect(await exists(ids.orphan)).toBe(true);
    const { exitCode, err } = await cleanup(['--yes', ...all()]);
    expect(exitCode).toBe(1);
    expect(err).toContain(`${ids.orphan} deleted`);
    const left = await Promise.all(Object.entries(ids).map(async ([name, id]) => [name, await exists(id)] as const));
    expect(Object.fromEntries(left)).toEqual({
      orphan: false,
      owned: true,
      foreign: true,
      attached: true,
      snapshotted: true,
    });
  });
});
