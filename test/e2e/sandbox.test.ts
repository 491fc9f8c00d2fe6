import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
// Short: unix sockets live below it.
const folder = mkdtempSync(join(tmpdir(), 'sb-'));
const record = join(folder, 'record.json');
const env = { ...process.env, TMPDIR: folder, VDO_SANDBOX_RECORD: record, KUBECONFIG: '' };
const vdoctl = join(root, 'apps/vdoctl/bin/vdoctl.mjs');

const sandbox = async (args: readonly string[], changes: Readonly<Record<string, string>> = {}) => {
  try {
    const options = { cwd: folder, env: { ...env, ...changes } };
    const { stdout, stderr } = await run(process.execPath, [vdoctl, 'sandbox', ...args], options);
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
};

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the sandbox', { timeout: 240_000 }, () => {
  beforeAll(() => run(process.execPath, ['tools/build.mjs'], { cwd: root }), 240_000);

  it('brings everything up with Node alone, verifies it, takes it down and ends with 0', async () => {
    const { code, stdout, stderr } = await sandbox(['--once', '--simulate-mounts', '--timeout', '150s']);
    expect(stderr).toContain('vCenter: 2 clusters, 6 hosts, 5 VMs, 3 datastores (simulated)');
    expect(stderr).toMatch(/CPI \S+: 5 of 5 nodes initialized/);
    expect(stderr).toMatch(/CSI \S+: controller and 5 node pods ready/);
    expect(stderr).toContain('3 of 3 pods ready, 3 of 3 volumes bound; mounts are simulated');
    expect(stdout).toMatch(/^Healthy {2}https/m);
    expect(stdout).toMatch(/Volumes +3 bound/);
    expect(stderr).toContain('its disks deleted from vCenter');
    expect(stderr).toContain('nothing is left behind');
    expect(code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('ends with 3 and says what fails if a check fails', async () => {
    const { code, stdout, stderr } = await sandbox([
      '--once',
      '--simulate-mounts',
      '--timeout',
      '150s',
      '--break',
      'disk-uuid-off',
    ]);
    expect(stderr).toMatch(/fault: disk\.EnableUUID of the VM \S+ was set to FALSE/);
    expect(stdout).toMatch(/^Degraded {2}https/m);
    expect(stdout).toContain('node/disk-enable-uuid');
    expect(code).toBe(3);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says what is missing when it does not get there, and leaves nothing behind', async () => {
    const { code, stderr } = await sandbox(['--once', '--timeout', '1s']);
    expect(code).toBe(124);
    expect(stderr).toContain('timed out after 1 s waiting for the drivers to be healthy');
    expect(stderr).toContain('Remedy: ');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('names its process to a second one, and ends in order when it is interrupted', async () => {
    const first = spawn(process.execPath, [vdoctl, 'sandbox'], { cwd: folder, env, stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => first.once('exit', resolve));
    await waitFor(async () => existsSync(record), { what: 'the record', timeoutMs: 60_000, everyMs: 100 });
    try {
      expect(JSON.parse(readFileSync(record, 'utf8'))).toMatchObject({ pid: first.pid });
      const second = await sandbox([]);
      expect(second.code).toBe(1);
      expect(second.stderr).toContain(`a sandbox is already running, as process ${first.pid}`);
      expect(second.stderr).toContain(`kill ${first.pid}`);
    } finally {
      first.kill('SIGINT');
    }
    expect([0, 130]).toContain(await ended);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('runs the simulated vCenter alone', async () => {
    const child = spawn(process.execPath, [vdoctl, 'sandbox', 'vcenter', '--port', '0'], { cwd: folder, env });
    let reported = '';
    child.stdout.on('data', (chunk) => {
      reported += String(chunk);
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await waitFor(async () => reported.includes('Ctrl-C'), { what: 'the vCenter', timeoutMs: 60_000, everyMs: 100 });
    expect(reported).toMatch(/Simulated vCenter at https:\/\/127\.0\.0\.1:\d+/);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it('ships programs that load what they need on demand: a kubeconfig with a credential plugin', async () => {
    const place = mkdtempSync(join(tmpdir(), 'bundle-test-'));
    const kubeconfig = join(place, 'kubeconfig');
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'x' },
    };
    writeFileSync(
      kubeconfig,
      [
        'apiVersion: v1',
        'kind: Config',
        'clusters: [{ name: c, cluster: { server: "https://127.0.0.1:1" } }]',
        `users: [{ name: u, user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: echo, args: ['${JSON.stringify(credential)}'], interactiveMode: Never } } }]`,
        'contexts: [{ name: x, context: { cluster: c, user: u } }]',
        'current-context: x',
      ].join('\n'),
    );
    const args = [
      'apps/operator/dist/main.js',
      '--kubeconfig',
      kubeconfig,
      '--health-port',
      '0',
      '--registry',
      'localhost',
    ];
    const operator = spawn(process.execPath, args, { cwd: root });
    let reported = '';
    operator.stderr.on('data', (chunk) => {
      reported += String(chunk);
    });
    await waitFor(async () => reported.includes('KubeUnreachable'), { what: 'the error', timeoutMs: 30_000 }).finally(
      () => {
        operator.kill('SIGKILL');
        rmSync(place, { recursive: true });
      },
    );
    expect(reported).not.toContain('Internal');
  });
});
