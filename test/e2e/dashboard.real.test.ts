import { createSystemClock } from '@vdo/base/clock';
import { type HttpServer, serveHttp } from '@vdo/base/http-server';
import { createSystemRandom } from '@vdo/base/random';
import { type VSphereDrivers, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { names } from '@vdo/config/names';
import { createDashboardHandler } from '@vdo/dashboard/create-dashboard-handler';
import type { Inventory } from '@vdo/dashboard/inventory';
import { createKubeSource } from '@vdo/dashboard/source/create-kube-source';
import { notePlaces, placesNote } from '@vdo/dashboard/source/places-note';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { configMaps, namespaces, nodes, persistentVolumeClaims, persistentVolumes, pods } from '@vdo/kube/types/core';
import { volumeSnapshots } from '@vdo/kube/types/snapshots';
import { storageClasses, volumeAttachments } from '@vdo/kube/types/storage';
import { snapshotCrds } from '@vdo/releases/render/shared/snapshot-crds';
import { vdoCrds } from '@vdo/vdoctl/shared/operator/vdo-crds';
import { type SimCluster, startSimCluster } from '@vdo/vdoctl/testing/sim-cluster';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChromium } from '../harness/chromium.ts';

const time = '2026-01-01T00:00:00Z';
const condition = (type: string, status: 'True' | 'False', message: string) => ({
  type,
  status,
  reason: 'Test',
  message,
  lastTransitionTime: time,
});

const ready = (status: 'True' | 'False') => ({
  type: 'Ready',
  status,
  reason: 'Kubelet',
  message: '',
  lastTransitionTime: time,
});

const healthy = {
  conditions: [condition('Ready', 'True', 'Everything runs.'), condition('Available', 'True', 'Drivers run.')],
  drivers: [
    { kind: 'CPI', distribution: 'Native', version: '0.1.0', controllers: { desired: 1, ready: 1 } },
    {
      kind: 'CSI',
      distribution: 'Native',
      version: '0.1.0',
      controllers: { desired: 1, ready: 1 },
      nodes: { desired: 6, ready: 6 },
    },
  ],
  versions: { operator: '0.1.0', kubernetes: 'v1.34.4', vcenters: [{ server: 'vc1.example.com', version: '8.0.3' }] },
  nodes: { total: 6, initialized: 6 },
  checks: { pass: 40, warn: 0, fail: 0, unknown: 0, skipped: 2 },
};
const remedy = 'Check that vCenter runs: nc -vz vc1.example.com 443';
const broken = {
  ...healthy,
  conditions: [
    condition('Available', 'True', 'Drivers run.'),
    condition('Degraded', 'True', 'vCenter vc1.example.com is unreachable.'),
  ],
  checks: {
    ...healthy.checks,
    pass: 39,
    fail: 1,
    failing: [
      {
        id: 'vcenter/tcp',
        result: 'Fail',
        reason: 'VCenterUnreachable',
        message: 'vc1.example.com:443 refused the connection.',
        remedy,
        object: { kind: 'VCenter', name: 'vc1.example.com' },
      },
    ],
  },
};

const inventory: Inventory = {
  vcenters: [
    {
      vcenter: 'vc1.example.com',
      volumesAtMs: Date.parse(time),
      problem: '',
      volumes: [
        { id: 'disk-1', name: 'pvc-1', at: 0, mb: 1024, health: 'green', path: '[datastore-1] fcd/disk-1.vmdk' },
      ],
      datastores: [
        { name: 'datastore-1', url: 'ds:///1/', type: 'VMFS', capacity: 1e12, free: 5e11, problem: '', hosts: [] },
      ],
      hosts: [],
      policies: [{ name: 'gold', exists: true, datastores: ['datastore-1'] }],
      slots: {},
    },
  ],
};

/** A claim with all that belongs to it. */
const createVolumeObjects = async ({ kube }: SimCluster): Promise<void> => {
  const metadata = { namespace: 'default' };
  await kube.create(storageClasses, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: names.csiDriver,
    parameters: { storagePolicyName: 'gold' },
  });
  const { uid = '' } = (
    await kube.create(persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { ...metadata, name: 'data' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'fast',
        volumeName: 'pv-1',
        resources: { requests: { storage: '1Gi' } },
      },
    })
  ).metadata;
  await kube.create(persistentVolumes, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv-1' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'fast',
      claimRef: { ...metadata, name: 'data', uid },
      csi: { driver: names.csiDriver, volumeHandle: 'disk-1' },
    },
  });
  await kube.create(volumeAttachments, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'va-1' },
    spec: { attacher: names.csiDriver, nodeName: 'node-1', source: { persistentVolumeName: 'pv-1' } },
    status: { attached: true },
  });
  await kube.create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name: 'writer' },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      nodeName: 'node-1',
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  });
  for (const crd of snapshotCrds) await kube.create(customResourceDefinitions, crd);
  await kube.create(volumeSnapshots, {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: { ...metadata, name: 'monday' },
    spec: { source: { persistentVolumeClaimName: 'data' } },
  });
};

describe('the dashboard on a live API server, in Chromium', () => {
  const clock = createSystemClock();
  const stopping = new AbortController();
  let cluster: SimCluster;
  let server: HttpServer;
  let browser: Browser;
  let page: Page;

  const report = async (status: unknown): Promise<void> => {
    const body = { status };
    await cluster.kube.patch(vsphereDrivers, { name: 'cluster' }, { type: 'merge', body }, { subresource: 'status' });
  };

  beforeAll(async () => {
    cluster = await startSimCluster({ clock });
    const { kube } = cluster;
    for (const crd of vdoCrds()) {
      const resource = await kube.resourceFor(crd.apiVersion, crd.kind);
      await kube.create(resource, crd);
    }
    const spec = {
      distribution: 'Native',
      vcenters: [{ server: 'vc1.example.com', credentialsSecret: 'vc' }],
      cpi: {},
      csi: {},
    };
    const resource = {
      apiVersion: 'vdo.vmware.com/v1beta1',
      kind: 'VSphereDrivers',
      metadata: { name: 'cluster' },
      spec,
    };
    await kube.create(vsphereDrivers, resource as unknown as VSphereDrivers);
    await report(healthy);
    for (const index of [1, 2, 3, 4, 5, 6]) {
      await kube.create(nodes, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: `node-${index}` },
        spec: {},
        status: { conditions: [ready('True')] },
      });
    }
    const namespace = 'vmware-system-vdo';
    await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const places = [1, 2, 3, 4, 5].map((index) => ({
      node: `node-${index}`,
      vcenter: 'vc1.example.com',
      datacenter: 'DC0',
      cluster: `cluster-${index % 2}`,
      host: `esx-${Math.ceil(index / 2)}.${index % 2}.example.com`,
      ...(index === 4 ? { hostNote: 'in maintenance mode', vm: 'k8s-worker-4' } : {}),
    }));
    await kube.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: placesNote.name, namespace },
      data: { [placesNote.key]: JSON.stringify(notePlaces(places)) },
    });
    let [calls, seconds] = [0, 0];
    const meter = {
      of: 'the operator',
      everyMs: 50,
      read: async () => {
        calls += calls % 7;
        calls += 1;
        seconds += 0.02 + (calls % 5) / 50;
        const exposed = `vdo_vcenter_calls_total{server="a"} ${calls}\nvdo_vcenter_call_duration_seconds_sum{server="a"} ${seconds}`;
        return new Map([['operator', exposed]]);
      },
    };
    await createVolumeObjects(cluster);
    const source = createKubeSource({
      client: kube,
      cluster: 'test',
      clock,
      random: createSystemRandom(),
      namespace,
      meter,
      inventory: { everyMs: 60_000, read: async () => inventory },
    });
    void source.run(stopping.signal);
    server = await serveHttp({ handler: createDashboardHandler({ source, clock }), port: 0 });
    browser = await startChromium();
    page = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
    await page.goto(server.url);
  });
  afterAll(async () => {
    await browser?.close();
    stopping.abort();
    await server?.close();
    await cluster?.stop();
  });

  const health = (word: string) => page.locator('#health', { hasText: new RegExp(`^${word}$`) }).waitFor();
  /** When the page first shows it, counted from the write to the API. */
  const shownWithin = async (write: () => Promise<unknown>, shown: () => Promise<unknown>): Promise<number> => {
    await write();
    const beganMs = Date.now();
    await shown();
    return Date.now() - beganMs;
  };

  it('shows the word, the nodes by host, and the volumes with what belongs to them', async () => {
    await health('Healthy');
    expect(await page.title()).toBe('Healthy – VDO');
    expect(await page.locator('.cluster').count()).toBe(3);
    expect(await page.locator('main').innerText()).toContain('in maintenance mode');
    await page.locator('figure').nth(1).waitFor();
    await page.goto(`${server.url}/#/volumes`);
    await page.getByRole('link', { name: 'default/data' }).click();
    await page.locator('h1', { hasText: 'default/data' }).waitFor();
    const text = await page.locator('main').innerText();
    for (const part of [
      'node-1',
      'default/writer',
      'gold',
      'datastore-1',
      '[datastore-1] fcd/disk-1.vmdk',
      'default/monday',
    ])
      expect(text).toContain(part);
  });

  it('follows each link of a volume and comes back', async () => {
    for (const [link, title] of [
      ['node-1', 'Node node-1'],
      ['default/writer', 'Pod default/writer'],
      ['gold', 'Storage policy gold'],
      ['datastore-1', 'Datastore datastore-1'],
      ['vc1.example.com', 'vCenter vc1.example.com'],
    ] as const) {
      await page.goto(`${server.url}/#/claim/default/data`);
      await page.locator('main').getByRole('link', { name: link, exact: true }).first().click();
      await page.locator('h1', { hasText: title }).waitFor();
      if (link === 'vc1.example.com') continue;
      await page.getByRole('link', { name: 'default/data', exact: true }).click();
      await page.locator('h1', { hasText: 'default/data' }).waitFor();
    }
  });

  it('changes by itself when something breaks and heals', async () => {
    await page.goto(`${server.url}/#/`);
    const broke = await shownWithin(
      () => report(broken),
      () => health('Degraded'),
    );
    expect(await page.locator('.cause code').innerText()).toBe(remedy);
    const healed = await shownWithin(
      () => report({ ...healthy, checks: { ...healthy.checks, failing: [] } }),
      () => health('Healthy'),
    );
    // No bound that a busy machine could break: the figures are for the log.
    console.log(`shown ${broke} ms and ${healed} ms after the API server had it`);
  });

  it('marks a node that stops, and says so under what needs attention', async () => {
    const patch = (status: 'True' | 'False') =>
      cluster.kube.patch(
        nodes,
        { name: 'node-2' },
        { type: 'merge', body: { status: { conditions: [ready(status)] } } },
        { subresource: 'status' },
      );
    await patch('False');
    await page.locator('.cluster.bad').waitFor();
    expect(await page.locator('.cause').innerText()).toContain('kubectl describe node node-2');
    await patch('True');
    await expect.poll(() => page.locator('.cluster.bad').count(), { timeout: 30_000 }).toBe(0);
  });

  it('shows an attachment while it is under way, and the error that holds it up', async () => {
    const error = { time, message: 'no free slot for a disk' };
    const set = (status: object) =>
      cluster.kube.patch(
        volumeAttachments,
        { name: 'va-1' },
        { type: 'merge', body: { status } },
        { subresource: 'status' },
      );
    await set({ attached: false, attachError: error });
    await page.locator('.operation .error', { hasText: 'no free slot for a disk' }).first().waitFor();
    await set({ attached: true, attachError: null });
    await page.locator('.operation.failing').first().waitFor({ state: 'detached' });
  });
});
