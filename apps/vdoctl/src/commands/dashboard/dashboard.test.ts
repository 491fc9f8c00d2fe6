import { createSystemClock } from '@vdo/base/clock';
import { httpResponse } from '@vdo/base/http';
import { serveHttp } from '@vdo/base/http-server';
import { names } from '@vdo/config/names';
import type { DashboardModel } from '@vdo/dashboard/model';
import { createCallSampler } from '@vdo/dashboard/source/call-sampler';
import { notePlaces, placesNote } from '@vdo/dashboard/source/places-note';
import { createPrometheusServer } from '@vdo/dashboard/testing/prometheus-server';
import { connectKube } from '@vdo/kube/connect-kube';
import { configMaps, namespaces, nodes, type Pod, pods, serviceAccounts } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { seedResource } from '../../testing/seed-resource.ts';
import { type SimCluster, startSimCluster } from '../../testing/sim-cluster.ts';
import { createPodMeter } from './pod-meter.ts';

const namespace = 'vmware-system-vdo';
const freePort = async (): Promise<number> => {
  const server = await serveHttp({ handler: async () => httpResponse(200, ''), port: 0 });
  await server.close();
  return Number(new URL(server.url).port);
};
const pod = (name: string, port: { readonly name: string; readonly containerPort: number }): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace },
  spec: { containers: [{ name: 'main', image: 'x', ports: [port] }] },
});

describe('vdoctl dashboard', () => {
  let cluster: SimCluster;
  const made: Record<string, number> = { 'https:vdo-operator-a-b:9820': 3 };
  beforeAll(async () => {
    cluster = await startSimCluster({
      podMetrics: (address) =>
        made[address] === undefined ? undefined : `vdo_vcenter_calls_total{server="vc1"} ${made[address]}\n`,
    });
    const { kube } = cluster;
    const vcenters = [{ server: 'vc1.example.com', credentialsSecret: 'vc' }];
    await seedResource(kube, { distribution: 'Native', vcenters, cpi: {}, csi: {} });
    await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await kube.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, spec: {} });
    const place = { node: 'n1', vcenter: 'vc1.example.com', datacenter: 'DC0', cluster: 'C0', host: 'esx-1' };
    await kube.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: placesNote.name, namespace },
      data: { [placesNote.key]: JSON.stringify(notePlaces([place])) },
    });
  });
  afterAll(() => cluster.stop());

  it('serves the page with the map of the operator until it is stopped', async () => {
    const stopping = new AbortController();
    const port = await freePort();
    const argv = ['dashboard', '--port', String(port), '--kubeconfig', cluster.kubeconfig];
    let address = '';
    const onOut = (text: string) => {
      address = text.trim();
    };
    const running = runVdoctl(argv, { signal: stopping.signal, onOut });
    const model = await vi.waitFor(
      async () => {
        const read = (await (await fetch(`${address}model`)).json()) as DashboardModel;
        expect(read.tables.hosts).toHaveLength(1);
        expect(read.summary.calls?.problem).not.toBe('');
        return read;
      },
      { timeout: 45_000 },
    );
    expect(model.tables.nodes).toMatchObject([{ name: 'n1', host: 'esx-1', vcenter: 'vc1.example.com' }]);
    expect(model.summary.calls?.problem).toContain('no pod of the operator or of a native driver is running');
    // The port is everybody's on this machine, the page is not.
    for (const path of ['/', '/model', '/stream', '/dashboard.js', '/model?token=x'])
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(401);
    stopping.abort(new Error('Ctrl-C'));
    const { exitCode, out, err } = await running;
    expect(exitCode).toBe(0);
    expect(out).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/[0-9a-f-]{36}/\n$`));
    await expect(err.replaceAll(String(port), 'PORT')).toMatchFileSnapshot('golden/serving.txt');
  });

  it('reads the rates of a week where a Prometheus is given', async () => {
    const stopping = new AbortController();
    const labels = { server: 'vc1', method: 'RetrievePropertiesEx', result: 'ok' };
    const series = { name: 'vdo_vcenter_calls_total', labels, fromMs: 0, rate: () => 0.5 };
    const prometheus = await serveHttp({ handler: createPrometheusServer([series]).handler, port: 0 });
    let address = '';
    const onOut = (text: string) => {
      address = text.trim();
    };
    const argv = ['dashboard', '--prometheus', prometheus.url, '--kubeconfig', cluster.kubeconfig];
    const running = runVdoctl(argv, { signal: stopping.signal, onOut });
    const model = await vi.waitFor(
      async () => {
        const read = (await (await fetch(`${address}model`)).json()) as DashboardModel;
        expect(read.summary.ratesOf).not.toBe('');
        return read;
      },
      { timeout: 45_000 },
    );
    expect(model.summary.ratesOf).toBe(`Prometheus at ${new URL(prometheus.url).host}`);
    expect(model.tables.samples.at(-1)).toMatchObject({ calls: 30, everyMs: 60_000 });
    const [first, last] = [model.tables.samples[0], model.tables.samples.at(-1)];
    expect((last?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(6.9 * 86_400_000);
    stopping.abort(new Error('Ctrl-C'));
    expect((await running).exitCode).toBe(0);
    await prometheus.close();
  });

  it('refuses what is no address of a Prometheus', async () => {
    const { exitCode, err } = await runVdoctl(['dashboard', '--prometheus', 'prometheus:9090']);
    expect(exitCode).not.toBe(0);
    expect(err).toContain('expected a URL such as http://prometheus.monitoring:9090');
  });

  it('says that the port is taken', async () => {
    const taken = await serveHttp({ handler: async () => httpResponse(200, ''), port: 0 });
    const { port } = new URL(taken.url);
    const { exitCode, err } = await runVdoctl(['dashboard', '--port', port, '--kubeconfig', cluster.kubeconfig]);
    await taken.close();
    expect(exitCode).not.toBe(0);
    await expect(err.replaceAll(port, 'PORT')).toMatchFileSnapshot('golden/port-taken.txt');
  });

  it('counts the calls of all pods that make some, through the API server, and bears one that does not answer', async () => {
    const clock = createSystemClock();
    const kube = await connectKube({ kubeconfigPath: cluster.kubeconfig, env: {}, clock });
    const reader = { name: names.metricsReader, namespace };
    await cluster.kube.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: reader });
    const started = [
      pod('vdo-operator-a-b', { name: 'metrics', containerPort: 9820 }),
      pod('vsphere-cloud-controller-manager-c', { name: 'https', containerPort: 10258 }),
    ];
    for (const one of started) {
      await cluster.kube.create(pods, one);
      const body = { status: { phase: 'Running' } };
      const key = { namespace, name: one.metadata.name ?? '' };
      await cluster.kube.patch(pods, key, { type: 'merge', body }, { subresource: 'status' });
    }
    const sampler = createCallSampler(createPodMeter(kube, namespace, clock), clock);
    const { signal } = new AbortController();
    await sampler.observe(signal);
    made['https:vdo-operator-a-b:9820'] = 5;
    await sampler.observe(signal);
    made['https:vsphere-cloud-controller-manager-c:10258'] = 4;
    await sampler.observe(signal);
    made['https:vsphere-cloud-controller-manager-c:10258'] = 7;
    await sampler.observe(signal);
    expect(sampler.history()).toMatchObject({ problem: '', samples: [{ calls: 2 }, { calls: 0 }, { calls: 3 }] });
    await kube.close();
  });
});
