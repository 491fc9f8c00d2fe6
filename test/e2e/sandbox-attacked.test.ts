import { readFileSync } from 'node:fs';
import { readBody } from '@vdo/base/http';
import { createHttpClient } from '@vdo/base/http-client';
import type { DashboardModel } from '@vdo/dashboard/model';
import { events as eventResource, persistentVolumeClaims, serviceAccounts } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onlyWhereTheyBelong, showingsOf } from './canary-scan.ts';
import { createFaultTestbed } from './fault-testbed.ts';
import { askPort, floodPort, growthDuring, listenersOf, longestAnswers } from './port-attack.ts';
import { attackSandbox } from './sandbox-attack.ts';
import { processesOf } from './sandbox-process.ts';

const testbed = createFaultTestbed();
const { folder, env, passwords, record, vdoctl, until } = testbed;

const illsIn = ({ tables }: DashboardModel): readonly string[] =>
  [...tables.nodes, ...tables.hosts, ...tables.datastores, ...tables.volumes].flatMap(({ name, health, note }) =>
    health === 'good' ? [] : [`${name} is ${health}: ${note}`],
  );

describe('a running sandbox', { timeout: 240_000 }, () => {
  beforeAll(testbed.start, 400_000);
  afterAll(testbed.stop, 60_000);

  it('shows the logs of the operator and the drivers', async () => {
    const { stdout } = await vdoctl('logs', '--tail', '1000');
    for (const pod of [
      'vdo-operator',
      'vsphere-cloud-controller-manager',
      'vsphere-csi-controller',
      'vsphere-csi-node',
    ])
      expect(stdout).toMatch(new RegExp(`^\\[${pod}-[^\\]]+\\] \\d{4}-\\d\\d-\\S+ (?:INFO|WARN|ERROR|DEBUG) `, 'm'));
  });

  it('shows where everything is, and serves the dashboard', async () => {
    const address = /Dashboard +(http:\S+)/.exec(testbed.sandbox.reported())?.[1] ?? '';
    const read = async () => (await (await fetch(`${address}model`)).json()) as DashboardModel;
    const model = await read();
    expect(model.summary).toMatchObject({ health: 'Healthy', nodes: { total: 5, initialized: 5 } });
    expect(model.tables.volumes.filter(({ phase }) => phase === 'Bound')).toHaveLength(3);
    // What the operator keeps in memory about disks arrives through its endpoint.
    const datastores = async () => (await read()).tables.datastores.length;
    await expect.poll(datastores, { timeout: 120_000, interval: 1_000 }).toBeGreaterThan(0);
    expect(model.tables.hosts[0]).toMatchObject({ vcenter: expect.stringMatching(/./) });
    // Once, on a busy machine, a place was bad at the first look, and it is not known why: if one stays so, it is named here.
    await expect.poll(async () => illsIn(await read()), { timeout: 120_000, interval: 1_000 }).toEqual([]);
    const { stdout } = await vdoctl('sandbox', 'status', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ pid: testbed.sandbox.pid, dashboard: address, broken: [] });
    expect(stdout).not.toContain(testbed.password);
  });

  it('lets another user of this machine read and do nothing', async () => {
    const { kubeconfig, control, dashboard, vcenter } = record();
    const api = JSON.parse(readFileSync(kubeconfig, 'utf8'));
    const secrets = [
      testbed.password,
      vcenter.password,
      control.token,
      api.users[0].user.token,
      new URL(dashboard).pathname,
    ];
    const attack = {
      folder,
      server: api.clusters[0].cluster.server,
      control: control.url,
      dashboard,
      vcenter: vcenter.url,
    };
    const found = await attackSandbox(attack);
    expect(found.refused.length).toBeGreaterThan(20);
    expect({ open: found.open, read: found.read }).toEqual({ open: [], read: [] });
    expect(secrets.filter((secret) => secret.length < 16 || found.text.includes(secret))).toEqual([]);
    expect((await vdoctl('sandbox', 'status')).stdout).toMatch(/Faults +none/);
  });

  /** The programs that are shipped, as the pods of the sandbox run them. */
  const shipped = () =>
    processesOf(folder).flatMap(({ pid, command }) => {
      const [, program, rest] = /\/apps\/(operator|cpi|csi)\/dist\/main\.js ?(controller|node|)/.exec(command) ?? [];
      const isSecure = (port: number) => new RegExp(`--(metrics|secure)-port=${port}( |$)`).test(command);
      return program === undefined
        ? []
        : listenersOf(pid).map((at) => ({ pid, at, command, tls: isSecure(at.port), role: rest || program }));
    });

  it('keeps none of the gigabytes that somebody pours into the ports of the programs', async () => {
    const targets = shipped();
    expect(targets.length).toBeGreaterThanOrEqual(8);
    for (const { pid, at, tls } of targets) {
      const growth = await growthDuring(pid, async () => {
        const floods = await floodPort(at, tls);
        // Nobody takes it: refused at once, or the connection is dropped.
        for (const { sent, answer } of floods) {
          expect(answer).toMatch(/^(HTTP\/1\.1 4\d\d .*|)$/);
          expect(sent).toBeLessThan(64 << 20);
        }
        expect(await askPort(at, tls)).toBe(tls ? 'HTTP/1.1 401 Unauthorized' : 'HTTP/1.1 200 OK');
      });
      expect(growth, `of ${at.host}:${at.port}`).toBeLessThan(20 << 20);
    }
  });

  it('shows the metrics of the programs to nobody on the network, and to a reader over TLS', async () => {
    const read = async ({ at, tls }: ReturnType<typeof shipped>[number], headers: Record<string, string>) => {
      const origin = `${tls ? 'https' : 'http'}://${at.host}:${at.port}`;
      const { transport, close } = createHttpClient({ origin, tls: { insecure: true } });
      try {
        const reply = await transport({ method: 'GET', path: '/metrics', headers });
        return { status: reply.status, text: (await readBody(reply.body)).toString() };
      } finally {
        await close();
      }
    };
    const metadata = { name: 'metrics-reader', namespace: 'default' };
    await testbed.kube.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec: {} };
    const issued = await testbed.kube.create(serviceAccounts, request, { subresource: 'token' });
    const { token } = (issued as unknown as { readonly status: { readonly token: string } }).status;
    const targets = shipped();
    expect(targets.map(({ role }) => role)).toContain('node');
    const open: string[] = [];
    let shown = 0;
    for (const target of targets) {
      for (const headers of [{}, { authorization: 'Bearer guessed' }, { 'x-vdo-metrics-token': token }]) {
        const { status, text } = await read(target, headers);
        if (![401, 404, 429].includes(status) || text.includes('vdo_')) open.push(`${status} ${target.command}`);
      }
      const { status, text } = await read(target, { authorization: `Bearer ${token}` });
      expect(status).toBe(target.tls ? 200 : 404);
      if (target.tls && text.includes('vdo_event_loop_lag_seconds')) shown += 1;
    }
    expect(open).toEqual([]);
    expect(shown).toBeGreaterThanOrEqual(2);
    await testbed.kube.delete(serviceAccounts, metadata);
  });

  it('has a controller that keeps answering while it reads a claim with 4,000 spaces', async () => {
    const [controller] = shipped().filter(({ role, tls }) => role === 'controller' && !tls);
    if (!controller) throw new Error('no controller');
    const name = 'hostile';
    await testbed.kube.create(persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      // As the scheduler does for a class that waits for a pod.
      metadata: { name, namespace: 'default', annotations: { 'volume.kubernetes.io/selected-node': 'node-1' } },
      spec: {
        storageClassName: 'vsphere',
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        dataSource: { kind: 'PersistentVolumeClaim', name: `authorization${' '.repeat(4_000)}x` },
      },
    });
    const done = new AbortController();
    const answering = longestAnswers(
      controller.pid,
      `http://${controller.at.host}:${controller.at.port}/healthz`,
      done.signal,
    );
    const said = until('what the controller says of the claim', async () =>
      (await testbed.kube.list(eventResource)).items.some(
        ({ involvedObject, reason }) => involvedObject.name === name && reason === 'ProvisioningFailed',
      ),
    );
    await said.finally(() => done.abort());
    await testbed.kube.delete(persistentVolumeClaims, { namespace: 'default', name });
    const { computed } = await answering;
    // Of its own computing time, which a busy machine does not lengthen.
    expect(computed).toBeLessThan(100);
  });

  it('leaves the password of the drivers where it belongs, and nowhere else', async () => {
    expect(passwords.size).toBe(1);
    const { objects, found, reported, ...shown } = await showingsOf(testbed);
    expect(reported.length).toBeGreaterThan(1_000);
    expect(objects.length).toBeGreaterThan(100);
    expect(found('record', readFileSync(env.VDO_SANDBOX_RECORD, 'utf8'))).toEqual(['record']);
    expect(shown).toEqual(onlyWhereTheyBelong);
  });
});
