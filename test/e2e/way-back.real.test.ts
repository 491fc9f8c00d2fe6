import { names } from '@vdo/config/names';
import { configMaps, namespaces, persistentVolumeClaims, persistentVolumes, pods } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { volumeSnapshots } from '@vdo/kube/types/snapshots';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { runVdoctl } from '@vdo/vdoctl/testing/run-vdoctl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { releasedProgram } from '../harness/parts.ts';
import { type LifecycleTestbed, startLifecycleTestbed } from './lifecycle-testbed.ts';
import { writerPod } from './lifecycle-writers.ts';
import { operatorNamespace } from './operator-testbed.ts';

let testbed: LifecycleTestbed;
/** The one volume that goes through all of it. */
let volume: { readonly name: string; readonly handle: string };
const data = { name: 'data', namespace: 'default' };
const stranger = { name: 'of-somebody-else', namespace: operatorNamespace };

/** Images of the first release hold its own programs: every station after it starts from what those have written. */
const programOf = (app: string, image: string): string | undefined =>
  image.endsWith(':0.1.0') ? releasedProgram('vdo-v0.1.0', app as 'csi') : undefined;

const vdoctl = (...argv: readonly string[]) => runVdoctl([...argv, '--kubeconfig', testbed.kubeconfigPath]);
const settings = (more: object = {}) => ({
  vcenters: [testbed.a.spec],
  cpi: {},
  csi: { snapshots: { install: true } },
  updates: testbed.updates,
  ...more,
});
const versions = async () =>
  ((await testbed.drivers())?.status?.drivers ?? [])
    .filter(({ kind }) => kind !== 'CNI')
    .map(({ kind, distribution, version, target }) => `${kind} ${distribution} ${target ?? version}`);
const health = async (): Promise<{ readonly code: number; readonly word: string }> => {
  const { exitCode, out } = await vdoctl('status', '-o', 'json');
  return { code: exitCode, word: JSON.parse(out).health };
};
const becomes = (word: string) => testbed.until(`the status ${word}`, async () => (await health()).word === word);

/** What vCenter and Kubernetes have of the volume is as it was, and its pod writes: every line once, by the pod of the first day. */
const keepsData = async (): Promise<void> => {
  const before = testbed.writers.written('data');
  await testbed.until('another line', async () => testbed.writers.written('data') > before);
  expect(testbed.writers.starts('data')).toBe(1);
  expect(await testbed.writers.readBack('data')).toBeGreaterThanOrEqual(before);
  const found = await testbed.kube.get(persistentVolumes, { name: volume.name });
  expect(found).toMatchObject({ status: { phase: 'Bound' }, spec: { csi: { volumeHandle: volume.handle } } });
  expect(testbed.a.sim.volumes.list().map(({ id }) => id)).toContain(volume.handle);
};
/** The status tells of the newest spec, nothing waits for anybody, and the exit code says the same. */
const standsAt = async (...expected: readonly string[]): Promise<void> => {
  await testbed.until(`${expected.join(', ')}, serving`, async () => {
    const found = await testbed.drivers();
    return (
      found?.status?.observedGeneration === found?.metadata.generation &&
      (await versions()).join() === expected.join() &&
      (await health()).word === 'Attention'
    );
  });
  // Attention alone because the administrator of vCenter may do more than the drivers need.
  expect(await health()).toEqual({ code: 0, word: 'Attention' });
  expect(await testbed.condition('Stalled')).toMatchObject({ status: 'False' });
  expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
  await keepsData();
};
/** Everything that people can change and nobody may, where something is refused. */
const wishes = async () => {
  const { metadata, spec } = (await testbed.drivers()) ?? { metadata: {} };
  const { generation, deletionTimestamp, annotations, finalizers } = metadata;
  return JSON.stringify({ generation, deletionTimestamp, annotations, finalizers, spec });
};
const refused = async (what: Promise<unknown>): Promise<string> => {
  const before = await wishes();
  const said = await what.then(
    () => 'it was done',
    (error: unknown) => String(error),
  );
  expect(await wishes()).toBe(before);
  return said;
};

describe('the way back, with a volume in use all the way', () => {
  beforeAll(async () => {
    testbed = await startLifecycleTestbed({
      operator: releasedProgram('vdo-v0.1.0', 'operator'),
      bundle: programOf,
    });
    await testbed.putSecret(testbed.a);
    await testbed.joinNode(testbed.a, false);
  });
  afterAll(async () => {
    await testbed?.stop();
  });

  it('begins with the programs of v0.1.0, a claim and a pod that writes', async () => {
    await testbed.publish(200, { cpi: ['0.1.0'], csi: ['0.1.0'] });
    await testbed.describe(settings());
    await testbed.becomesReady();
    await testbed.apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'growing' },
      provisioner: names.csiDriver,
      allowVolumeExpansion: true,
      // A mounted ext4 grows only with a right that not every machine gives.
      parameters: { 'csi.storage.k8s.io/fstype': 'xfs' },
    } as AnyObject);
    await testbed.claim('data', 'growing', '320Mi');
    await testbed.kube.create(pods, writerPod('data'));
    await testbed.until('the pod to write', async () => testbed.writers.written('data') > 0);
    const { spec } = await testbed.kube.get(persistentVolumeClaims, data);
    const found = await testbed.kube.get(persistentVolumes, { name: spec.volumeName ?? '' });
    volume = { name: found.metadata.name ?? '', handle: found.spec.csi?.volumeHandle ?? '' };
    await standsAt('CPI Native 0.1.0', 'CSI Native 0.1.0');
  });

  it('the operator of this repository upgrades what the one of v0.1.0 has installed', async () => {
    await testbed.stopOperator();
    await testbed.startOperator();
    await testbed.publish(201, { cpi: ['0.1.0', '0.2.0'], csi: ['0.1.0', '0.2.0'] });
    await standsAt('CPI Native 0.2.0', 'CSI Native 0.2.0');
  });

  it('a rollback across minor releases is refused before anything changes, unless the matrix allows it', async () => {
    const before = await wishes();
    const { exitCode, err } = await vdoctl('rollback', '--yes');
    expect(exitCode).toBe(1);
    expect(err).toContain('whose data it may not be able to read');
    expect(await wishes()).toBe(before);
  });

  it('a rollback brings the programs of v0.1.0 back, which read what their successors wrote', async () => {
    await testbed.publish(202, { cpi: ['0.1.0', '0.2.0'], csi: ['0.1.0', '0.2.0'] }, '0.1.0');
    await testbed.until('the operator to know the matrix', async () => {
      const found = await testbed.drivers();
      return found?.status?.versions?.matrix?.serial === 202;
    });
    expect((await vdoctl('rollback', '--yes', '--timeout', '90s')).exitCode).toBe(0);
    await standsAt('CPI Native 0.1.0', 'CSI Native 0.1.0');
  });

  it('an upgrade goes forward again', async () => {
    const { exitCode, err } = await vdoctl('upgrade', '--yes', '--timeout', '90s');
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: expect.any(String) });
    await standsAt('CPI Native 0.2.0', 'CSI Native 0.2.0');
  });

  it('an uninstallation is refused while the volume is there, and changes nothing', async () => {
    const before = await wishes();
    const { exitCode, err } = await vdoctl('uninstall', '--yes');
    expect(exitCode).toBe(1);
    expect(err).toContain(volume.name);
    expect(await wishes()).toBe(before);
    await testbed.recount();
    // Who uses kubectl is refused as early, by the API server itself.
    expect(await refused(testbed.kubectl(['delete', 'vspheredrivers', 'cluster', '--wait=false']))).toMatch(
      /1 PersistentVolumes and 1 VolumeAttachments .*would lose their driver/,
    );
    const merge = ['patch', 'vspheredrivers', 'cluster', '--type=merge', '-p'];
    expect(await refused(testbed.kubectl([...merge, '{"spec":{"csi":null}}']))).toContain('without spec.csi');
    expect(
      await refused(testbed.kubectl([...merge, JSON.stringify({ spec: { vcenters: [testbed.b.spec] } })])),
    ).toContain('would be missing from spec.vcenters');
    // What has nothing to do with it passes.
    await testbed.kubectl([...merge, '{"spec":{"advanced":{"logLevel":"debug"}}}']);
    await testbed.kubectl([...merge, '{"spec":{"advanced":{"logLevel":"info"}}}']);
    await standsAt('CPI Native 0.2.0', 'CSI Native 0.2.0');
  });

  it('an uninstallation that leaves the volumes takes all of ours and nothing else', async () => {
    await testbed.kube.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: stranger });
    const { exitCode, err } = await vdoctl('uninstall', '--yes', '--orphan-volumes', '--timeout', '90s');
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: expect.stringContaining(`ConfigMap ${operatorNamespace}/`) });
    await testbed.stopOperator();
    expect(await testbed.kube.find(configMaps, stranger)).toBeDefined();
    expect(await testbed.kube.find(namespaces, { name: names.upstreamCsiNamespace })).toBeUndefined();
    for (const kind of [deployments, daemonSets])
      expect((await testbed.kube.list(kind, { namespace: operatorNamespace })).items).toEqual([]);
    expect(await health()).toEqual({ code: 3, word: 'Absent' });
    await keepsData();
    expect(err).toContain(`ConfigMap ${names.csiClusterId}`);
    // Somebody tidies up, and takes the id of the cluster away.
    await testbed.kube.delete(configMaps, { name: names.csiClusterId, namespace: operatorNamespace });
  });

  it('a next installation proposes the id under which vCenter lists the volume, and takes it when told', async () => {
    const { exitCode } = await vdoctl(
      'install',
      '--yes',
      '--operator-version',
      '0.2.0',
      '--registry',
      'localhost',
      '--timeout',
      '90s',
    );
    expect(exitCode).toBe(0);
    await testbed.putSecret(testbed.a);
    await testbed.publish(203, { cpi: ['0.1.0', '0.2.0'], csi: ['0.1.0', '0.2.0'] }, '0.1.0');
    await testbed.describe(settings());
    await becomes('ActionRequired');
    expect((await health()).code).toBe(3);
    const stalled = await testbed.condition('Stalled');
    expect(stalled).toMatchObject({ status: 'True', reason: 'ClusterIdMismatch' });
    const [, accept = ''] = /: (kubectl patch vspheredrivers .*)$/.exec(stalled?.message ?? '') ?? [];
    const [, patch = ''] = /-p '(.*)'$/.exec(accept) ?? [];
    await testbed.kubectl(['patch', 'vspheredrivers', 'cluster', '--type', 'merge', '-p', patch]);
    await standsAt('CPI Native 0.2.0', 'CSI Native 0.2.0');
  });

  it('the volume grows, is copied by a snapshot and goes, as if nothing had happened', async () => {
    await testbed.kube.patch(persistentVolumeClaims, data, {
      type: 'merge',
      body: { spec: { resources: { requests: { storage: '640Mi' } } } },
    });
    await testbed.until('the claim to have grown', async () => {
      const { status } = await testbed.kube.get(persistentVolumeClaims, data);
      return status?.capacity?.storage === '640Mi';
    });
    expect(testbed.a.sim.volumes.get(volume.handle)?.capacityMb).toBe(640n);
    await keepsData();
    const snapshot = { name: 'monday', namespace: 'default' };
    const ofDriver = { driver: names.csiDriver, deletionPolicy: 'Delete' };
    const snapshots = 'snapshot.storage.k8s.io/v1';
    await testbed.apply({
      apiVersion: snapshots,
      kind: 'VolumeSnapshotClass',
      metadata: { name: 'snap' },
      ...ofDriver,
    });
    await testbed.apply({
      apiVersion: snapshots,
      kind: 'VolumeSnapshot',
      metadata: snapshot,
      spec: { source: { persistentVolumeClaimName: 'data' }, volumeSnapshotClassName: 'snap' },
    });
    await testbed.until(
      'the snapshot',
      async () => (await testbed.kube.find(volumeSnapshots, snapshot))?.status?.readyToUse,
    );
    expect(testbed.a.sim.volumes.get(volume.handle)?.snapshots).toHaveLength(1);
    await keepsData();
    await testbed.kube.delete(volumeSnapshots, snapshot);
    await testbed.until('the snapshot to go', async () => !(await testbed.kube.find(volumeSnapshots, snapshot)));
    await testbed.kubectl(['delete', 'pod,pvc', 'data', '--wait=false']);
    await testbed.until(
      'the volume to go',
      async () => (await testbed.kube.list(persistentVolumes)).items.length === 0,
    );
    expect(testbed.a.sim.volumes.list()).toEqual([]);
  });

  it('without volumes an uninstallation is nobody’s loss', async () => {
    await testbed.kube.delete(configMaps, stranger);
    expect((await vdoctl('uninstall', '--yes', '--timeout', '90s')).exitCode).toBe(0);
    expect(await testbed.kube.find(namespaces, { name: operatorNamespace })).toBeUndefined();
    expect(await health()).toEqual({ code: 3, word: 'Absent' });
  });
});
