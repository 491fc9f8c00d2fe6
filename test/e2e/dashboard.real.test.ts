import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '@vdo/base/clock';
import { type HttpServer, serveHttp } from '@vdo/base/http-server';
import { createSystemRandom } from '@vdo/base/random';
import { type VSphereDrivers, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { createDashboardHandler } from '@vdo/dashboard/create-dashboard-handler';
import { createKubeSource } from '@vdo/dashboard/source/create-kube-source';
import { notePlaces, placesNote } from '@vdo/dashboard/source/places-note';
import { configMaps, namespaces, nodes } from '@vdo/kube/types/core';
import { definitions } from '@vdo/vdoctl/shared/operator/definitions';
import { startSimCluster } from '@vdo/vdoctl/testing/sim-cluster';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChromium } from '../harness/chromium.ts';

const folder = fileURLToPath(new URL('../../.ci/out/screenshots/', import.meta.url));
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
        id: 'VC/tcp',
        result: 'Fail',
        reason: 'VCenterUnreachable',
        message: 'vc1.example.com:443 refused the connection.',
        remedy,
        object: { kind: 'VCenter', name: 'vc1.example.com' },
      },
    ],
  },
};

describe('the dashboard in Chromium', () => {
  const clock = createSystemClock();
  const stopping = new AbortController();
  let cluster: Awaited<ReturnType<typeof startSimCluster>>;
  let server: HttpServer;
  let browser: Browser;
  let page: Page;

  const report = async (status: unknown): Promise<void> => {
    const body = { status };
    await cluster.kube.patch(vsphereDrivers, { name: 'cluster' }, { type: 'merge', body }, { subresource: 'status' });
  };

  beforeAll(async () => {
    await mkdir(folder, { recursive: true });
    cluster = await startSimCluster({ clock });
    const { kube } = cluster;
    for (const crd of definitions()) {
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
    const source = createKubeSource({
      client: kube,
      cluster: 'test',
      clock,
      random: createSystemRandom(),
      namespace,
      meter,
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
  /** Runs in the page. */
  const inPage = (expression: string): Promise<unknown> => page.evaluate(expression);

  it('shows the health word, the drivers and where the nodes run, in light and in dark', async () => {
    await health('Healthy');
    expect(await page.title()).toBe('Healthy – VDO');
    expect(await page.locator('#drivers tr').count()).toBe(2);
    expect(await page.locator('#topology .host').count()).toBe(5);
    expect(await page.locator('#topology').innerText()).toContain('Host esx-2.0.example.com');
    expect(await page.locator('#topology .bad').count()).toBe(0);
    await page.locator('#calls figure').nth(1).waitFor();
    expect(await page.locator('#calls svg rect').count()).toBeGreaterThan(0);
    expect(await page.locator('#failing').innerText()).toContain('Nothing');
    await page.screenshot({ path: `${folder}healthy-light.png`, fullPage: true });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.screenshot({ path: `${folder}healthy-dark.png`, fullPage: true });
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('changes by itself when something breaks and heals, with a remedy to copy', async () => {
    await report(broken);
    await health('Degraded');
    expect(await page.locator('#failing code').innerText()).toBe(remedy);
    await page.screenshot({ path: `${folder}degraded-light.png`, fullPage: true });
    expect(await page.locator('#topology summary .dot.bad').count()).toBe(1);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('#failing button').click();
    await page.locator('#failing button', { hasText: 'Copied' }).waitFor();
    expect(await inPage('navigator.clipboard.readText()')).toBe(remedy);
    await report({ ...healthy, checks: { ...healthy.checks, failing: [] } });
    await health('Healthy');
  });

  it('colours a node that stops, and all places above it; what the reader has closed stays closed', async () => {
    const bad = page.locator('#topology .dot.bad');
    await page.locator('#topology summary', { hasText: 'cluster-1' }).click();
    const patch = (status: 'True' | 'False') =>
      cluster.kube.patch(
        nodes,
        { name: 'node-2' },
        { type: 'merge', body: { status: { conditions: [ready(status)] } } },
        { subresource: 'status' },
      );
    await patch('False');
    await bad.nth(4).waitFor();
    // The node, its host, cluster, datacenter and vCenter.
    expect(await bad.count()).toBe(5);
    expect(await page.locator('#topology').innerText()).toContain('not Ready');
    expect(await page.locator('#topology details:not([open])').count()).toBe(1);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('#topology').screenshot({ path: `${folder}map-dark.png` });
    await page.emulateMedia({ colorScheme: 'light' });
    await patch('True');
    await expect.poll(() => bad.count()).toBe(0);
  });

  it('is used by keyboard alone, and every part has a name for screen readers', async () => {
    await page.reload();
    await health('Healthy');
    await page.keyboard.press('Tab');
    expect(await inPage('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await inPage('document.activeElement.id')).toBe('main');
    await page.keyboard.press('Tab');
    expect(await inPage('document.activeElement.tagName')).toBe('SUMMARY');
    const labels = await page
      .locator('section')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-labelledby')));
    const names = await Promise.all(labels.map((label) => page.locator(`#${label}`).textContent()));
    expect(names).not.toContain(null);
    expect(names).not.toContain('');
    expect(await page.locator('#health').getAttribute('aria-live')).toBe('polite');
    expect(await page.locator('.dot[role=img][aria-label]').count()).toBe(await page.locator('.dot').count());
  });

  it('fits a telephone without scrolling sideways', async () => {
    await page.setViewportSize({ width: 380, height: 800 });
    const root = 'document.documentElement';
    const overflow = await inPage(`${root}.scrollWidth - ${root}.clientWidth`);
    await page.screenshot({ path: `${folder}phone.png`, fullPage: true });
    expect(overflow).toBe(0);
  });
});
