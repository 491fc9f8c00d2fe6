import { createSystemClock } from '@vdo/base/clock';
import { readBody } from '@vdo/base/http';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import type { DashboardModel } from '@vdo/dashboard/model';
import { notePlaces, placesNote } from '@vdo/dashboard/source/places-note';
import type { KubeClient } from '@vdo/kube/client';
import { createAuthorizedHandler } from '@vdo/kube/serving/authorized-handler';
import { configMaps, nodes } from '@vdo/kube/types/core';
import { createSimWorld } from '@vdo/sim-world/create-sim-world';
import { seedNamespaces } from '@vdo/sim-world/seed';
import { describe, expect, it } from 'vitest';
import { createStatusPage } from './status-page.ts';

/** An API server that knows two tokens, one of which may read the page. */
const reviewer = {
  create: async (resource: { readonly plural: string }, object: { readonly spec: Record<string, unknown> }) => {
    if (resource.plural === 'tokenreviews') {
      const token = object.spec['token'];
      const authenticated = token === 'reader' || token === 'stranger';
      return { ...object, status: { authenticated, user: { username: token } } };
    }
    return { ...object, status: { allowed: object.spec['user'] === 'reader' } };
  },
} as unknown as KubeClient;

describe('the status page of the operator', () => {
  const common = { client: reviewer, clock: createSystemClock(), logger: silentLogger };
  const page = createStatusPage({
    ...common,
    random: createSeededRandom(1),
    metrics: createMetrics(),
    namespace: 'vmware-system-vdo',
    hosts: ['vdo.example.com'],
    inventory: () => undefined,
  });
  const handler = createAuthorizedHandler({ ...common, handler: page.handler });
  const get = async (path: string, token?: string, host = 'localhost:9820'): Promise<number> => {
    const headers = { host, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    return (await handler({ method: 'GET', path, headers })).status;
  };

  it.each([
    ['127.0.0.1:9820', 200],
    ['[::1]:9820', 200],
    ['10.0.0.7', 200],
    ['vdo-operator.vmware-system-vdo.svc:443', 200],
    ['VDO.example.com', 200],
    ['rebound.attacker.example', 421],
    ['localhost.attacker.example', 421],
    ['127.0.0.1.attacker.example:80', 421],
    ['', 421],
  ])('answers under the name %s with %d', async (host, status) => {
    expect(await get('/dashboard/model', 'reader', host)).toBe(status);
  });

  it.each(['/dashboard/', '/dashboard/model', '/dashboard/stream', '/dashboard/dashboard.js'])(
    'shows %s to nobody without a right',
    async (path) => {
      expect(await get(path)).toBe(401);
      expect(await get(path, 'unknown')).toBe(401);
      expect(await get(path, 'stranger')).toBe(403);
    },
  );

  it('shows it to who may get the path', async () => {
    expect(await get('/dashboard/', 'reader')).toBe(200);
    expect(await get('/dashboard/model', 'reader')).toBe(200);
  });

  it('shows where the nodes run, as the operator has noted it, and counts the calls of the operator', async () => {
    const { client: kube, clock, random } = createSimWorld({ controllers: false });
    const namespace = 'vmware-system-vdo';
    await seedNamespaces(kube, namespace);
    await kube.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, spec: {} });
    const place = { node: 'n1', vcenter: 'vc1', datacenter: 'DC0', cluster: 'C0', host: 'esx-1' };
    await kube.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: placesNote.name, namespace },
      data: { [placesNote.key]: JSON.stringify(notePlaces([place])) },
    });
    const metrics = createMetrics();
    const calls = metrics.counter({ name: 'vdo_vcenter_calls_total', help: 'calls', labels: ['server'] });
    const client = { ...kube, create: reviewer.create } as KubeClient;
    const page = createStatusPage({
      client,
      clock,
      random,
      logger: silentLogger,
      metrics,
      namespace,
      inventory: () => undefined,
      rates: {
        of: 'Prometheus at prometheus:9090',
        everyMs: 60_000,
        read: async () => {
          const text = { message: 'Prometheus at prometheus:9090 does not answer', remedy: 'Give its address.' };
          throw new VdoError({ code: 'SourceUnreadable', ...text });
        },
      },
    });
    const stopping = new AbortController();
    const running = page.run(stopping.signal);
    await clock.advance(1_000);
    calls.add({ server: 'vc1' }, 3);
    await clock.advance(60_000);
    const headers = { host: 'localhost', authorization: 'Bearer reader' };
    const reply = await page.handler({ method: 'GET', path: '/dashboard/model', headers });
    const model = JSON.parse((await readBody(reply.body)).toString()) as DashboardModel;
    expect(model.tables.nodes).toMatchObject([{ name: 'n1', host: 'esx-1', cluster: 'C0', vcenter: 'vc1' }]);
    const gaps = model.summary.gaps.map(({ why }) => why).join();
    expect(gaps).toContain('is not the leader');
    // Where Prometheus fails the page says so, and shows what it counted itself.
    expect(gaps).toContain('Prometheus at prometheus:9090 does not answer. Give its address.');
    expect(model.summary.ratesOf).toBe('');
    expect(model.tables.samples).toMatchObject([{ calls: 3 }]);
    expect(model.summary.calls).toMatchObject({ of: 'the operator', samples: [{ calls: 3 }] });
    stopping.abort(new Error('the test is over'));
    await clock.advance(1_000);
    await running.catch(() => undefined);
  });
});
