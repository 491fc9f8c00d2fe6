import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '@vdo/base/clock';
import { type HttpServer, serveHttp } from '@vdo/base/http-server';
import { createDashboardHandler } from '@vdo/dashboard/create-dashboard-handler';
import { createFixedSource } from '@vdo/dashboard/testing/fixed-source';
import { hostileFacts, type StateName, states } from '@vdo/dashboard/testing/states';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChromium } from '../harness/chromium.ts';

const folder = fileURLToPath(new URL('../../.ci/out/screenshots/', import.meta.url));
const sizes = { phone: [390, 844], desk: [1280, 900], wall: [1920, 1080] } as const;
const themes = ['light', 'dark'] as const;

/** The views that are drawn of each state: the overview of all, the others where they have something to show. */
const views: readonly (readonly [state: StateName, view: string, hash: string])[] = [
  ...(Object.keys(states) as StateName[]).map((state) => [state, 'overview', '#/'] as const),
  ['degraded', 'map', '#/map'],
  ['attention', 'map', '#/map'],
  ['newLeader', 'map', '#/map'],
  ['degraded', 'map-vcenter', '#/map/vc1.example.com'],
  ['degraded', 'map-cluster', '#/map/vc1.example.com/Frankfurt/compute-b'],
  ['healthy', 'map-datastore', '#/map?datastore=vc1.example.com%2Fvsan-gold'],
  ['degraded', 'time', '#/time'],
  ['healthy', 'time', '#/time?range=24h'],
  ['newLeader', 'time', '#/time?range=1h'],
  ['scraped', 'time', '#/time?range=7d'],
  ['busy', 'volumes', '#/volumes'],
  ['attention', 'orphans', '#/volumes?show=orphans'],
  ['busy', 'volume', '#/claim/platform/queue-data-1'],
  ['degraded', 'volume', '#/claim/shop/shop-db-data-0'],
  ['degraded', 'explain', '#/explain/VCenterUnreachable'],
  ['attention', 'orphan', '#/orphan/vc1.example.com/00000005-0000-4000-8000-000000000900'],
  ['degraded', 'nodes', '#/nodes?show=problems'],
  ['degraded', 'node', '#/node/worker-4'],
  ['attention', 'storage', '#/storage'],
  ['attention', 'datastore', '#/datastore/vc1.example.com/vsan-gold'],
  ['healthy', 'policy', '#/policy/gold'],
  ['healthy', 'host', '#/host/vc1.example.com/esx-00.example.com'],
  ['healthy', 'pod', '#/pod/shop/shop-db-0'],
  ['degraded', 'vcenter', '#/vcenter/vc1.example.com'],
  ['degraded', 'check', '#/check/vcenter/tcp'],
  ['degraded', 'cause', '#/cause/check%2FVCenterUnreachable'],
  ['healthy', 'search', '#/search/10.0.0.3'],
  ['degraded', 'events', '#/events'],
];

const words: Readonly<Record<StateName, string>> = {
  healthy: 'Healthy',
  attention: 'Attention',
  degraded: 'Degraded',
  unavailable: 'Unavailable',
  actionRequired: 'Action required',
  progressing: 'Progressing',
  busy: 'Degraded',
  removing: 'Removing',
  notInstalled: 'not installed',
  notConfigured: 'connect your vCenter',
  apiLost: 'Unknown',
  scraped: 'Healthy',
  newLeader: 'Healthy',
};

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

describe('every state of the dashboard in Chromium', () => {
  const fixed = createFixedSource(states.healthy);
  let server: HttpServer;
  let browser: Browser;
  let page: Page;
  const outside: string[] = [];

  beforeAll(async () => {
    await mkdir(folder, { recursive: true });
    // Heartbeats tell the time of the states, too: on a slow machine they come before the pictures are taken.
    const clock = { ...createSystemClock(), now: () => states.healthy.nowMs };
    server = await serveHttp({
      handler: createDashboardHandler({ source: fixed.source, clock }),
      port: 0,
    });
    browser = await startChromium();
    page = await browser.newPage({ timezoneId: 'UTC' });
    page.on('request', (request) => {
      const { origin } = new URL(request.url());
      if (!request.url().startsWith('data:') && origin !== new URL(server.url).origin) outside.push(request.url());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = async (state: StateName, hash: string): Promise<void> => {
    fixed.show(states[state]);
    await page.goto('about:blank');
    await page.goto(`${server.url}/${hash}`);
    await page.locator('main', { hasText: words[state] }).waitFor();
  };
  /** Through the debugger: the page's own policy forbids scripts from elsewhere. */
  const violations = async (): Promise<readonly string[]> => {
    await page.evaluate(axe.source);
    const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
      readonly violations: readonly Violation[];
    };
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
    );
  };
  const sideways = () => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  it.each(views)('%s, %s: fits every size and theme, and is accessible', async (state, view, hash) => {
    await open(state, hash);
    for (const [size, [width, height]] of Object.entries(sizes)) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const path = `${folder}${state}-${view}-${size}-${colorScheme}.png`;
        await page.screenshot({ path, fullPage: size !== 'wall' });
        expect(await sideways(), `${size} scrolls sideways`).toBe(0);
        expect(await violations(), `${size} ${colorScheme}`).toEqual([]);
      }
    }
    const structure = (await page.locator('#app').ariaSnapshot())
      .replaceAll(/\b\d+ (s|min|h|d)\b/g, 'N time')
      // The roles of a list of facts, by the names of their elements: the other name is a word that we do not use.
      .replaceAll(/^( *- )definition\b/gm, '$1dd')
      .replaceAll(/^( *- )term\b/gm, '$1dt');
    await expect(structure).toMatchFileSnapshot(`golden/dashboard/${state}-${view}.txt`);
  });

  it('asks nobody but its own server for anything', () => {
    expect(outside).toEqual([]);
  });

  it('shows hostile names as the text they are, in every view', async () => {
    const facts = hostileFacts();
    fixed.show(facts);
    const { tables, summary } = fixed.source.current();
    const part = encodeURIComponent;
    const hashes = [
      '#/',
      '#/map',
      ...tables.hosts.map(({ vcenter, datacenter = '', cluster = '' }) =>
        ['#/map', part(vcenter), part(datacenter), part(cluster)].join('/'),
      ),
      '#/volumes',
      '#/nodes',
      '#/storage',
      '#/events',
      '#/time',
      '#/attention',
      `#/search/${part('onerror')}`,
      ...summary.attention.map(({ key }) => `#/cause/${part(key)}`),
      ...summary.attention.flatMap(({ checks }) => checks.map((id) => `#/check/${part(id)}`)),
      ...tables.volumes.map(({ key }) => `#/volume/${part(key.slice('volume/'.length))}`),
      ...tables.nodes.map(({ key }) => `#/node/${part(key)}`),
      ...tables.hosts.map(({ vcenter, name }) => `#/host/${part(vcenter)}/${part(name)}`),
      ...tables.datastores.map(({ vcenter, name }) => `#/datastore/${part(vcenter)}/${part(name)}`),
      ...tables.policies.map(({ key }) => `#/policy/${part(key)}`),
      ...tables.volumes.flatMap(({ pods }) =>
        pods.map(({ namespace, name }) => `#/pod/${part(namespace)}/${part(name)}`),
      ),
    ];
    await page.goto('about:blank');
    for (const hash of hashes) {
      await page.goto(`${server.url}/${hash}`);
      await page.locator('main h1').first().waitFor({ state: 'attached' });
      expect(await page.locator('main').innerText(), hash).toContain('onerror');
      expect(await page.evaluate('window.hacked'), hash).toBeUndefined();
      expect(await page.locator('img, iframe, [onerror], a[href^="javascript:"]').count(), hash).toBe(0);
      expect(await page.locator('script').count(), hash).toBe(1);
    }
  });

  it('leads by keyboard from what is red to the copied remedy in two activations', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.setViewportSize({ width: 1280, height: 900 });
    await open('degraded', '#/');
    const focused = () =>
      page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('Skip to the content');
    // First activation: past the navigation. The way to what is red is then a few steps of the Tab key.
    await page.keyboard.press('Enter');
    const path: unknown[] = [];
    do {
      await page.keyboard.press('Tab');
      path.push(await focused());
    } while (!String(path.at(-1)).startsWith('Copy') && path.length < 15);
    expect(path.at(-1)).toBe('Copy: nc -vz vc1.example.com 443');
    // Second activation.
    await page.keyboard.press('Enter');
    await page.getByText('Copied').first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('nc -vz vc1.example.com 443');
  });

  it('leads by keyboard over the map from what is red to its page, and says where it is', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await open('degraded', '#/map');
    const grid = page.getByRole('grid', { name: 'Hosts and nodes of compute-b, zone-b' });
    await grid.focus();
    const active = () =>
      page.evaluate(
        'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.textContent ?? ""',
      );
    expect(await active()).toMatch(/^esx-01.example.com, 3 nodes/);
    await page.keyboard.press('ArrowRight');
    await expect.poll(active).toMatch(/^worker-1, Ready/);
    await page.keyboard.press('PageDown');
    await expect.poll(active).toMatch(/^worker-4, problem, not Ready/);
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('main h1', { hasText: 'Node worker-4' }).waitFor();
  });

  it('shows by pointer what is on the map, as a link that can be copied', async () => {
    await open('degraded', '#/map');
    const grid = page.getByRole('grid', { name: 'Hosts and nodes of compute-b, zone-b' });
    const { x = 0, y = 0 } = (await grid.boundingBox()) ?? {};
    // The second node of the first host: below the name of the host, after the first square.
    await page.mouse.move(x + 100, y + 60);
    const link = grid.getByRole('link');
    await expect.poll(() => link.getAttribute('href')).toBe('#/node/worker-4');
    expect(await page.locator('.peek').innerText()).toContain('not Ready');
    await page.mouse.click(x + 100, y + 60);
    await page.locator('main h1', { hasText: 'Node worker-4' }).waitFor();
  });

  it('turns the whole page when the connection is lost, and back when it returns', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await open('healthy', '#/');
    const handler = createDashboardHandler({ source: fixed.source, clock: createSystemClock() });
    const { port } = new URL(server.url);
    await server.close();
    await page.locator('body[data-doubt=yes] .headline.lost', { hasText: 'Unknown' }).waitFor();
    expect(await page.title()).toContain('Unknown');
    expect(await page.locator('.headline').innerText()).toContain('lost the connection');
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await violations()).toEqual([]);
      await page.screenshot({ path: `${folder}connection-lost-desk-${colorScheme}.png` });
    }
    server = await serveHttp({ handler, port: Number(port) });
    await page.locator('body[data-doubt=no] .headline', { hasText: 'Healthy' }).waitFor({ timeout: 60_000 });
  });

  it('keeps the chosen theme, and prints', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open('degraded', '#/');
    await page.getByLabel('Theme').selectOption('dark');
    await page.reload();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.getByLabel('Theme').selectOption('system');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.search').isVisible()).toBe(false);
    await page.screenshot({ path: `${folder}degraded-print.png`, fullPage: true });
    await page.emulateMedia({ media: 'screen' });
  });

  it('leads from what is red to what the word means, and shows a volume with all that came of it', async () => {
    await open('degraded', '#/');
    await page.locator('.cause .meta a', { hasText: 'VCenterUnreachable' }).first().click();
    const meaning = page.getByRole('region', { name: 'What it means' });
    await expect.poll(() => meaning.innerText()).toMatch(/What to do: \S+/);
    expect(await meaning.innerText()).toContain('vdoctl explain VCenterUnreachable');
    await open('degraded', '#/claim/shop/shop-db-data-0');
    const tree = page.getByRole('region', { name: 'Snapshots and copies' });
    expect(await tree.innerText()).toMatch(
      /nightly-1.*restored as shop\/shop-db-data-6.*cloned as shop\/shop-db-data-18/s,
    );
    await tree.getByRole('link', { name: 'shop/shop-db-data-18' }).click();
    await page.locator('main h1', { hasText: 'shop/shop-db-data-18' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('a clone of shop/shop-db-data-6');
    // How it grew, and how long that took.
    await open('degraded', '#/claim/shop/shop-db-data-0');
    const happened = await page.getByRole('region', { name: 'What happened' }).innerText();
    expect(happened).toMatch(/A volume was expanded.*7\.4 s.*10Gi → 20Gi/s);
  });

  it('offers a week where Prometheus knows it, and leaves a gap where nobody counted', async () => {
    await open('healthy', '#/time');
    expect(await page.getByRole('link', { name: '7 d' }).count()).toBe(0);
    await open('scraped', '#/time?range=7d');
    expect(await page.getByRole('link', { name: '7 d' }).getAttribute('aria-current')).toBe('page');
    expect(await page.locator('main').innerText()).toContain('From Prometheus at prometheus.monitoring:9090.');
  });

  it('is found by name, uid, address, UUID and path, and every hit leads somewhere', async () => {
    await open('healthy', '#/');
    const box = page.locator('header input[type=search]');
    await page.keyboard.press('/');
    await expect.poll(() => box.evaluate((element) => element.matches(':focus'))).toBe(true);
    for (const [query, name] of [
      ['worker-3', 'worker-3'],
      ['00000001-0000-4000-8000-000000000003', 'worker-3'],
      ['10.0.0.4', 'worker-3'],
      ['00000002-0000-4000-8000-000000000003', 'worker-3'],
      ['fcd/00000009-0000-4000-8000-000000000005.vmdk', 'analytics/mail-data-5'],
      ['nightly-2', 'shop/shop-db-data-0'],
    ] as const) {
      await box.fill(query);
      await page
        .locator('main .list a', { hasText: new RegExp(`^${name}$`) })
        .first()
        .click();
      await page.locator('main h1', { hasText: name }).waitFor();
    }
  });
});
