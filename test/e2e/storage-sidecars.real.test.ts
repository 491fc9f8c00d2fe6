import { readFile } from 'node:fs/promises';
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { defaultCsiConfig, noAddressRules } from '@vdo/config/driver-config';
import { createCsiController } from '@vdo/csi/app';
import { runSnapshotControllerApp } from '@vdo/csi/snapshot-controller-app';
import type { KubeClient } from '@vdo/kube/client';
import { connectKube } from '@vdo/kube/connect-kube';
import { leases } from '@vdo/kube/types/cluster';
import { persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import type { AnyObject, KubeObject } from '@vdo/kube/types/object';
import { volumeSnapshots } from '@vdo/kube/types/snapshots';
import { snapshotCrds } from '@vdo/releases/render/shared/snapshot-crds';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { type PartName, partPath } from '../harness/parts.ts';
import { type LoggedProcess, spawnLogged } from '../harness/process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { repositoryFile } from './operator-testbed.ts';

const namespace = 'vmware-system-vdo';
const leaseNamespace = 'vmware-system-csi';
const account = { username: 'csi@vsphere.local', password: 'obviously-fake-csi', version: '1' };
const clock = createSystemClock();
const random = createSystemRandom();
const common = { clock, random, logger: silentLogger };
const sidecars = {
  'csi-provisioner': { lease: 'csi-vsphere-vmware-com', args: ['--default-fstype=ext4', '--extra-create-metadata'] },
  'csi-resizer': { lease: 'external-resizer-csi-vsphere-vmware-com', args: [] },
  'csi-snapshotter': { lease: 'external-snapshotter-leader-csi-vsphere-vmware-com', args: [] },
} as const satisfies Partial<Record<PartName, { readonly lease: string; readonly args: readonly string[] }>>;

let plane: ControlPlane;
let kube: KubeClient;
let folder: TempFolder;
const started: LoggedProcess[] = [];
const stopping = new AbortController();
const running: Promise<void>[] = [];
const sim = createVSphereSim({ model: demoModel(), clock, random });

const startController = (identity: string, mode: 'builtin' | 'external', csiEndpoint?: string) => {
  const metrics = createMetrics();
  const vcenter = createVCenter({
    ...common,
    metrics,
    server: 'vc.example.com',
    credentials: async () => account,
    transport: sim.handler,
  });
  const controller = createCsiController({
    ...common,
    metrics,
    kube,
    vcenters: [vcenter],
    userOf: async () => account.username,
    config: {
      vcenters: [],
      labels: {},
      nodes: { internal: noAddressRules, external: noAddressRules },
      csi: defaultCsiConfig,
    },
    clusterId: 'sidecars',
    namespace,
    leaseNamespace,
    identity,
    sidecars: mode,
    ...(csiEndpoint ? { csiEndpoint } : {}),
  });
  running.push(controller.run(stopping.signal).then(() => vcenter.close()));
  return controller;
};

const until = <T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> =>
  waitFor(ask, { what, timeoutMs: 60_000, everyMs: 200, processes: started }) as Promise<T>;
const apply = async (object: KubeObject): Promise<void> => {
  const resource = await kube.resourceFor(object.apiVersion, object.kind);
  await kube.apply(resource, object, { fieldManager: 'test', force: true });
};
const named = (name: string) => ({ name, namespace: 'default' });
const claim = (name: string, more: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: named(name),
  spec: {
    storageClassName: 'vsphere',
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    ...more,
  },
});
/** Who provisioned a claim, by the identity that provisioners leave in the volume. */
const provisionedBy = async (name: string): Promise<string> => {
  const bound = await until(`claim ${name} to be bound`, async () => {
    const found = await kube.find(persistentVolumeClaims, named(name));
    return found?.status?.phase === 'Bound' ? found : undefined;
  });
  const volume = await kube.get(persistentVolumes, { name: bound.spec.volumeName ?? '' });
  return volume.spec.csi?.volumeAttributes?.['storage.kubernetes.io/csiProvisionerIdentity'] ?? '';
};
const holderOf = async (lease: string): Promise<string> =>
  (await kube.find(leases, { namespace: leaseNamespace, name: lease }))?.spec?.holderIdentity ?? '';

describe('the upstream sidecars', () => {
  beforeAll(async () => {
    folder = await createTempFolder('sidecars');
    plane = await startControlPlane();
    kube = await connectKube({ kubeconfigPath: plane.kubeconfigPath, env: {}, clock, qps: 0 });
    for (const name of [namespace, leaseNamespace])
      await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as AnyObject);
    const intents = await readFile(repositoryFile('deploy/crds/vdo.vmware.com_volumeintents.yaml'), 'utf8');
    for (const crd of [...snapshotCrds, parse(intents) as KubeObject]) await apply(crd);
    await until('the snapshot API', () =>
      kube.resourceFor('snapshot.storage.k8s.io/v1', 'VolumeSnapshot').then(
        () => true,
        () => false,
      ),
    );
    for (const index of [1, 2, 3, 4, 5])
      await apply({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: `node-${index}` },
        spec: { providerID: `vsphere://${demoUuid(index)}` },
      } as AnyObject);
    await apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'vsphere' },
      provisioner: 'csi.vsphere.vmware.com',
      allowVolumeExpansion: true,
    } as AnyObject);
    await apply({
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshotClass',
      metadata: { name: 'snap' },
      driver: 'csi.vsphere.vmware.com',
      deletionPolicy: 'Delete',
    } as AnyObject);
    const socket = folder.file('csi.sock');
    const driver = startController('driver', 'external', `unix://${socket}`);
    await until('the driver to serve', async () => driver.notReady() === undefined);
    running.push(
      runSnapshotControllerApp(
        { ...common, metrics: createMetrics(), kube, leaseNamespace, identity: 'snapshot-controller' },
        stopping.signal,
      ),
    );
    for (const [name, { args }] of Object.entries(sidecars))
      started.push(
        spawnLogged(
          partPath(name as PartName),
          [
            `--csi-address=${socket}`,
            `--kubeconfig=${plane.kubeconfigPath}`,
            '--leader-election',
            `--leader-election-namespace=${leaseNamespace}`,
            ...args,
          ],
          { name },
        ),
      );
  });
  afterAll(async () => {
    await Promise.all(started.map((process) => process.stop()));
    stopping.abort();
    await Promise.allSettled(running);
    await kube?.close();
    await plane?.stop();
    await folder?.remove();
  });

  it('hold the Leases that our loops would hold', async () => {
    for (const { lease } of Object.values(sidecars))
      await until(`a holder of ${lease}`, async () => (await holderOf(lease)) !== '');
  });

  it('provision, grow, take a snapshot, restore and copy over the socket', async () => {
    await apply(claim('data'));
    expect(await provisionedBy('data')).toContain('csi.vsphere.vmware.com');
    await apply(claim('data', { resources: { requests: { storage: '2Gi' } } }));
    await until('the disk to grow', async () => sim.volumes.list()[0]?.capacityMb === 2048n);
    await until('the claim to wait for its node', async () => {
      const found = await kube.find(persistentVolumeClaims, named('data'));
      return found?.status?.conditions?.some(({ type }) => type === 'FileSystemResizePending');
    });
    await apply({
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshot',
      metadata: named('monday'),
      spec: { source: { persistentVolumeClaimName: 'data' }, volumeSnapshotClassName: 'snap' },
    } as AnyObject);
    const snapshot = await until('the snapshot to be ready', async () => {
      const found = await kube.find(volumeSnapshots, named('monday'));
      return found?.status?.readyToUse ? found : undefined;
    });
    expect(snapshot.status?.restoreSize).toBe('2Gi');
    const resources = { requests: { storage: '2Gi' } };
    const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'monday' };
    await apply(claim('restored', { dataSource, resources }));
    await provisionedBy('restored');
    await apply(claim('copy', { dataSource: { kind: 'PersistentVolumeClaim', name: 'data' }, resources }));
    await provisionedBy('copy');
    expect(sim.volumes.list()).toHaveLength(3);
  });

  it('act alone while our own loops wait beside them', async () => {
    startController('ours', 'builtin');
    // Longer than a Lease lasts that nobody renews.
    await new Promise((resolve) => setTimeout(resolve, 17_000));
    for (const { lease } of Object.values(sidecars)) expect(await holderOf(lease)).not.toBe('ours');
    await apply(claim('beside'));
    expect(await provisionedBy('beside')).not.toBe('ours');
    expect(sim.volumes.list()).toHaveLength(4);
  });

  it('are followed by our own loops when they stop, which delete what they made', async () => {
    await Promise.all(started.splice(0).map((process) => process.stop()));
    for (const { lease } of Object.values(sidecars))
      await until(`our loops to hold ${lease}`, async () => (await holderOf(lease)) === 'ours');
    await apply(claim('after'));
    expect(await provisionedBy('after')).toBe('ours');
    await kube.delete(volumeSnapshots, named('monday'));
    await until('the snapshot to go', async () => (await kube.find(volumeSnapshots, named('monday'))) === undefined);
    for (const name of ['data', 'restored', 'copy', 'beside', 'after'])
      await kube.delete(persistentVolumeClaims, named(name));
    await until('the disks to go', async () => {
      const { items } = await kube.list(persistentVolumes);
      return items.length === 0 && sim.volumes.list().length === 0;
    });
  });
});
