import { createVirtualClock } from '@vdo/base/virtual-clock';
import { healthOf } from '@vdo/config/api/health';
import { type VSphereDrivers, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys } from '@vdo/config/names';
import { afterEach, describe, expect, it } from 'vitest';
import { statusLines } from '../../shared/status/status-lines.ts';
import { statusReport } from '../../shared/status/status-report.ts';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { seedResource } from '../../testing/seed-resource.ts';
import { type SimCluster, startSimCluster } from '../../testing/sim-cluster.ts';

const nowMs = Date.parse('2026-01-01T00:00:34Z');

const condition = (type: string, status: 'True' | 'False' | 'Unknown', message = '') => ({
  type,
  status,
  reason: 'Test',
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

const drivers = (
  status: VSphereDrivers['status'],
  metadata: VSphereDrivers['metadata'] = { name: 'cluster' },
): VSphereDrivers =>
  ({ apiVersion: 'vdo.vmware.com/v1beta1', kind: 'VSphereDrivers', metadata, spec: {}, status }) as VSphereDrivers;

const withConditions = (...conditions: ReturnType<typeof condition>[]) => drivers({ conditions });

describe('the one word', () => {
  it.each([
    ['Absent', undefined],
    ['Progressing', withConditions()],
    ['Healthy', withConditions(condition('Ready', 'True'), condition('Available', 'True'))],
    ['Progressing', withConditions(condition('Available', 'False'), condition('Progressing', 'True', 'installing'))],
    ['Unavailable', withConditions(condition('Available', 'False', 'no pods'), condition('Progressing', 'False'))],
    ['Degraded', withConditions(condition('Available', 'True'), condition('Degraded', 'True', 'vCenter is down'))],
    ['ActionRequired', withConditions(condition('Degraded', 'True'), condition('Stalled', 'True', 'wrong password'))],
    ['Progressing', withConditions(condition('Ready', 'False', 'nodes wait'), condition('Available', 'True'))],
    ['Removing', drivers({ conditions: [] }, { name: 'cluster', deletionTimestamp: '2026-01-01T00:00:00Z' })],
  ])('%s', (word, resource) => {
    expect(healthOf(resource).word).toBe(word);
  });
});

describe('drivers that work', () => {
  const reported = (checks: { readonly fail: number; readonly warn: number }) =>
    statusLines(
      statusReport({
        resource: drivers({
          conditions: [condition('Ready', 'True'), condition('Available', 'True')],
          checks: { lastRunTime: '2026-01-01T00:00:00Z', pass: 9, unknown: 0, skipped: 0, ...checks },
        }),
        server: 'https://cluster',
        volumes: undefined,
      }),
      { paint: (_, text) => text, wide: false, width: 100, nowMs },
    );

  it('are not said to be all well while checks fail or warn', () => {
    expect(reported({ fail: 1, warn: 2 }).slice(0, 3)).toEqual([
      'Degraded  https://cluster',
      '  1 check fails',
      '  The drivers run as specified, but 1 check fails:',
    ]);
    expect(reported({ fail: 0, warn: 2 }).slice(0, 2)).toEqual(['Attention  https://cluster', '  2 checks warn']);
    expect(reported({ fail: 0, warn: 0 })[0]).toBe('Healthy  https://cluster');
  });
});

const sick = drivers({
  conditions: [
    condition('Available', 'True'),
    condition('Degraded', 'True', 'vCenter vc1.example.com is unreachable.'),
  ],
  drivers: [
    { kind: 'CPI', distribution: 'Native', version: '0.1.0', controllers: { desired: 1, ready: 1 } },
    {
      kind: 'CSI',
      distribution: 'Native',
      version: '0.1.0',
      target: '0.2.0',
      controllers: { desired: 1, ready: 1 },
      nodes: { desired: 5, ready: 4 },
    },
  ],
  versions: {
    operator: '0.1.0',
    kubernetes: 'v1.34.4',
    vcenters: [{ server: 'vc1.example.com', version: '8.0.3', build: '24022515' }],
    matrix: { serial: 7, source: 'the operator image' },
  },
  nodes: {
    total: 5,
    initialized: 4,
    failing: [
      {
        name: 'worker-4',
        reason: 'NodeVmNotFound',
        message: 'No VM with UUID 4212… was found in vCenter vc1.example.com.',
        remedy: 'Give the account System.Read on the folder of the VM.',
      },
    ],
  },
  checks: {
    pass: 41,
    warn: 1,
    fail: 1,
    unknown: 49,
    skipped: 3,
    lastRunTime: '2026-01-01T00:00:00Z',
    failing: [
      {
        id: 'vcenter/tcp',
        result: 'Fail',
        reason: 'VCenterUnreachable',
        message: 'vc1.example.com:443 refused the connection.',
        remedy: 'Check that vCenter runs:',
        commands: ['nc -vz vc1.example.com 443'],
        object: { kind: 'VCenter', name: 'vc1.example.com' },
      },
    ],
  },
});

describe('vdoctl status', () => {
  let cluster: SimCluster | undefined;
  afterEach(async () => {
    await cluster?.stop();
    cluster = undefined;
  });

  it('shows the word, the drivers, the facts, what fails and what helps', async () => {
    const report = statusReport({
      resource: sick,
      server: 'https://10.0.0.1:6443',
      volumes: { total: 12, bound: 10, failed: 1 },
      claims: { pending: 2, first: ['default/data-0', 'default/data-1'] },
    });
    const lines = statusLines(report, { paint: (_, text) => text, wide: false, width: 100, nowMs });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/degraded.txt');
    const wide = statusLines(report, { paint: (_, text) => text, wide: true, width: 100, nowMs });
    await expect(`${wide.join('\n')}\n`).toMatchFileSnapshot('golden/degraded-wide.txt');
  });

  it('says Absent and what to do next on a cluster without VDO, with exit code 3', async () => {
    cluster = await startSimCluster();
    const { exitCode, out } = await runVdoctl(['status', '--kubeconfig', cluster.kubeconfig]);
    expect(exitCode).toBe(3);
    expect(out).toMatch(/^Absent {2}http/);
    expect(out).toContain('vdoctl install');
    const json = await runVdoctl(['status', '--kubeconfig', cluster.kubeconfig, '-o', 'json']);
    expect(JSON.parse(json.out)).toMatchObject({ health: 'Absent', drivers: [], volumes: { total: 0 } });
  });

  const vcenters = [{ server: 'vc1.example.com', credentialsSecret: 'vcenter' }];
  const statusWith = (found: { readonly fail: number; readonly warn: number }, lastRunTime: string) => ({
    conditions: [condition('Ready', 'True'), condition('Available', 'True')],
    checks: { lastRunTime, pass: 9, unknown: 0, skipped: 0, ...found },
  });

  it.each([
    ['Healthy', { fail: 0, warn: 0 }, 0, 0],
    ['Attention', { fail: 0, warn: 1 }, 0, 3],
    ['Degraded', { fail: 1, warn: 1 }, 3, 3],
  ] as const)('ends with the exit code of the word %s, also with --strict', async (word, found, code, strictCode) => {
    cluster = await startSimCluster();
    const status = statusWith(found, '2026-01-01T00:00:00Z');
    await seedResource(cluster.kube, { distribution: 'Native', vcenters }, status);
    const plain = await runVdoctl(['status', '--kubeconfig', cluster.kubeconfig]);
    expect(plain.out).toMatch(new RegExp(`^${word} {2}http`));
    expect(plain.exitCode).toBe(code);
    const strict = await runVdoctl(['status', '--strict', '--kubeconfig', cluster.kubeconfig]);
    expect(strict.exitCode).toBe(strictCode);
  });

  it('asks the operator with --refresh to run the checks, and waits for their results', async () => {
    cluster = await startSimCluster();
    const { kube, kubeconfig } = cluster;
    await seedResource(
      kube,
      { distribution: 'Native', vcenters },
      statusWith({ fail: 1, warn: 0 }, '2026-01-01T00:00:00Z'),
    );
    const key = { name: 'cluster' };
    const operator = async () => {
      await expect
        .poll(async () => (await kube.get(vsphereDrivers, key)).metadata.annotations)
        .toHaveProperty([annotationKeys.runChecks]);
      const status = statusWith({ fail: 0, warn: 0 }, '2026-01-01T00:01:00Z');
      await kube.patch(vsphereDrivers, key, { type: 'merge', body: { status } }, { subresource: 'status' });
    };
    const [shown] = await Promise.all([runVdoctl(['status', '--refresh', '--kubeconfig', kubeconfig]), operator()]);
    expect(shown).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^Healthy {2}http/) });
  });

  it('refuses a namespace that the cluster does not have', async () => {
    cluster = await startSimCluster();
    const { exitCode, err } = await runVdoctl(['status', '-n', 'vmware-sytem-vdo', '--kubeconfig', cluster.kubeconfig]);
    expect(exitCode).toBe(2);
    expect(err).toContain('namespace vmware-sytem-vdo does not exist');
    expect(err).toMatch(/drivers\s+are\s+in\s+vmware-system-vdo/);
  });

  it('prints a field as kubectl does', async () => {
    cluster = await startSimCluster();
    const jsonpath = await runVdoctl(['status', '--kubeconfig', cluster.kubeconfig, '-o', 'jsonpath={.health}']);
    expect(jsonpath.out).toBe('Absent\n');
    const name = await runVdoctl(['status', '--kubeconfig', cluster.kubeconfig, '-o', 'name']);
    expect(name).toMatchObject({ exitCode: 2, err: expect.stringContaining('--output name: expected one of') });
  });

  it('names the server when it cannot be reached', async () => {
    cluster = await startSimCluster({ clock: createVirtualClock() });
    const { kubeconfig } = cluster;
    const refused = await runVdoctl(['status', '--kubeconfig', kubeconfig, '--context', 'nope']);
    expect(refused.exitCode).toBe(4);
    expect(refused.err).toContain('nope');
  });
});
