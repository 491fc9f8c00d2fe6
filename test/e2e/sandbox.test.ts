import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = () => readdirSync(tmpdir()).filter((name) => /^vdo-[A-Za-z0-9]{6}$/.test(name));

const sandbox = async (...args: readonly string[]) => {
  try {
    const { stdout } = await run(process.execPath, ['apps/sandbox/dist/main.js', ...args], { cwd: root });
    return { code: 0, stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, stdout };
  }
};

describe('the sandbox', { timeout: 180_000 }, () => {
  beforeAll(() => run(process.execPath, ['tools/build.mjs'], { cwd: root }), 120_000);

  it('walks the thread with Node alone and ends with 0', async () => {
    const { code, stdout } = await sandbox('--nodes', '1', '--timeout', '120');
    expect(stdout).toContain('ok Ready');
    expect(stdout).toMatch(/ok node-1: 10\.10\.0\.11, region-1\/zone-a, vsphere:\/\/42120000-/);
    expect(stdout).toContain('default/demo is Bound');
    expect(stdout).toMatch(/NodesInitialized\s+True\s+AllInitialized/);
    expect(stdout).toContain('Done: reached Ready, and cleaned up.');
    expect(code).toBe(0);
  });

  it('ends with 1 and says what is missing when it does not reach Ready', async () => {
    const before = folders();
    const { code, stdout } = await sandbox('--nodes', '1', '--timeout', '1');
    expect(code).toBe(1);
    expect(stdout).toContain('Not reached: DeadlineExceeded: waited 1 s in vain for VSphereDrivers to become Ready');
    expect(folders().filter((name) => !before.includes(name))).toEqual([]);
  });

  it('ships programs that load what they need on demand: a kubeconfig with a credential plugin', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bundle-test-'));
    const kubeconfig = join(folder, 'kubeconfig');
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
    const args = ['apps/operator/dist/main.js', '--kubeconfig', kubeconfig, '--health-port', '0'];
    const ended = await run(process.execPath, args, { cwd: root, timeout: 4_000 }).catch((error) => error);
    rmSync(folder, { recursive: true });
    expect(ended.stderr).toContain('KubeUnreachable');
    expect(ended.stderr).not.toContain('Internal');
  });
});
