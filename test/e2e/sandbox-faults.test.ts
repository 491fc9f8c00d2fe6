import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DashboardModel } from '@vdo/dashboard/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatusReport } from '../../apps/vdoctl/src/commands/status/report.ts';
import { waitFor } from '../harness/wait-for.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
// Short: unix sockets live below it.
const folder = mkdtempSync(join(tmpdir(), 'sb-'));
const env = { ...process.env, TMPDIR: folder, VDO_SANDBOX_RECORD: join(folder, 'record.json'), KUBECONFIG: '' };
const vdoctl = (...args: readonly string[]) =>
  run(process.execPath, [join(root, 'apps/vdoctl/bin/vdoctl.mjs'), ...args], { cwd: folder, env }).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => error,
  );
const status = async (): Promise<StatusReport> => JSON.parse((await vdoctl('status', '-o', 'json')).stdout);

const condition = (report: StatusReport, type: string) => report.conditions.find((one) => one.type === type);
const failing = (report: StatusReport, id: string) => report.failing.find((check) => check.id === id);
const until = (what: string, attempt: () => Promise<boolean>) =>
  waitFor(attempt, { what, timeoutMs: 90_000, everyMs: 500 });

/** What a user sees while a fault holds. */
const cases: readonly { readonly fault: string; readonly shows: (report: StatusReport) => string | undefined }[] = [
  {
    fault: 'vcenter-down',
    shows: (report) =>
      report.health === 'Degraded' && condition(report, 'VCenterReachable')?.status === 'False'
        ? failing(report, 'VC/tcp')?.remedy
        : undefined,
  },
  {
    fault: 'bad-password',
    shows: (report) =>
      condition(report, 'CredentialsValid')?.status === 'False' ? failing(report, 'CR/login')?.remedy : undefined,
  },
  { fault: 'datastore-full', shows: (report) => failing(report, 'ST/free-space')?.remedy },
  {
    fault: 'privilege-lost',
    shows: (report) =>
      condition(report, 'PrivilegesSufficient')?.status === 'False'
        ? report.failing.find(({ id }) => id.startsWith('PR/'))?.remedy
        : undefined,
  },
  { fault: 'tools-stopped', shows: (report) => failing(report, 'ND/tools-running')?.remedy },
  { fault: 'disk-uuid-off', shows: (report) => failing(report, 'ND/disk-enable-uuid')?.remedy },
  { fault: 'datastore-gone', shows: (report) => failing(report, 'ST/datastore-accessible')?.remedy },
  { fault: 'vm-deleted', shows: (report) => failing(report, 'ND/vm-found')?.remedy },
];

describe('breaking and healing a running sandbox', { timeout: 240_000 }, () => {
  let sandbox: ChildProcess | undefined;
  let ended: Promise<number | null> | undefined;
  let told = '';

  beforeAll(async () => {
    await run(process.execPath, ['tools/build.mjs'], { cwd: root });
    const args = [join(root, 'apps/vdoctl/bin/vdoctl.mjs'), 'sandbox', '--simulate-mounts', '--timeout', '200'];
    const child = spawn(process.execPath, args, { cwd: folder, env });
    sandbox = child;
    ended = new Promise((resolve) => child.once('exit', resolve));
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        told += String(chunk);
      });
    await waitFor(async () => told.includes('It runs until'), { what: 'the sandbox', timeoutMs: 300_000 }).catch(
      (error: Error) => {
        throw new Error(`${error.message}\n${told}`);
      },
    );
  }, 400_000);

  afterAll(async () => {
    sandbox?.kill('SIGINT');
    const code = await ended;
    const left = readdirSync(folder);
    rmSync(folder, { recursive: true, force: true });
    expect({ code, left }).toEqual({ code: 0, left: [] });
  }, 60_000);

  it('shows the logs of the operator and the drivers', async () => {
    const { stdout } = await vdoctl('logs', '--tail', '1000');
    for (const pod of [
      'vdo-operator',
      'vsphere-cloud-controller-manager',
      'vsphere-csi-controller',
      'vsphere-csi-node',
    ])
      expect(stdout).toMatch(new RegExp(`^\\[${pod}-[^\\]]+\\] .*"level"`, 'm'));
  });

  it('shows where everything is, and serves the dashboard', async () => {
    const address = /Dashboard +(http:\S+)/.exec(told)?.[1] ?? '';
    const model = (await (await fetch(`${address}model`)).json()) as DashboardModel;
    expect(model).toMatchObject({ health: 'Healthy', nodes: { total: 5, initialized: 5 }, volumes: { bound: 3 } });
    expect(model.topology[0]).toMatchObject({ kind: 'vCenter', health: 'good' });
    const { stdout } = await vdoctl('sandbox', 'status', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ pid: sandbox?.pid, dashboard: address, broken: [] });
    expect(stdout).not.toContain('obviously-fake');
  });

  it.each(cases)('$fault is shown with a remedy, and heals', async ({ fault, shows }) => {
    const broken = await vdoctl('sandbox', 'break', fault);
    expect(broken.stdout).toContain(`vdoctl sandbox heal ${fault}`);
    let last: StatusReport | undefined;
    await until(`${fault} to show`, async () => {
      last = await status();
      return (shows(last) ?? '').length > 10;
    }).catch((error: Error) => {
      throw new Error(`${error.message}\n${JSON.stringify(last, undefined, 1)}`);
    });
    expect((await vdoctl('sandbox', 'status')).stdout).toContain(fault);
    expect((await vdoctl('sandbox', 'heal')).stdout).toContain(`Healed: ${fault}`);
    await until(`health after ${fault}`, async () => {
      const report = await status();
      return report.health === 'Healthy' && shows(report) === undefined;
    });
  });

  it('survives what passes by itself', async () => {
    for (const fault of ['session-expired', 'csi-controller-killed']) {
      expect((await vdoctl('sandbox', 'break', fault)).stdout).toContain('passes by itself');
      await until(`health after ${fault}`, async () => (await status()).health === 'Healthy');
    }
    expect((await vdoctl('sandbox', 'heal')).stdout).toBe('Nothing was broken.\n');
  });
});
