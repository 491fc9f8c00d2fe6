import { readFileSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { partPath } from '../harness/parts.ts';
import { run } from '../harness/run.ts';
import { waitFor } from '../harness/wait-for.ts';
import { leftOf, nothingLeft, sandboxHome } from './sandbox-process.ts';

const { folder, env, start } = sandboxHome();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the sandbox on a real control plane', { timeout: 400_000 }, () => {
  it('brings everything up, and ends its programs with it even when it is not given the time', async () => {
    const sandbox = start(['--real', '--timeout', '200']);
    await sandbox.says('It runs until');
    expect(sandbox.told()).toMatch(/Kubernetes v1\.\d+\.\d+: kube-apiserver, etcd and kube-controller-manager/);
    expect(sandbox.told()).toContain('3 of 3 volumes bound; mounts are real (loop devices)');
    const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager'];
    const running = leftOf(folder).processes;
    for (const program of programs) expect(running.some((command) => command.includes(`/${program} `))).toBe(true);
    const { kubeconfig } = JSON.parse(readFileSync(env.VDO_SANDBOX_RECORD, 'utf8'));
    const get = ['--kubeconfig', kubeconfig, 'get', 'pods', '-l', 'app=diary', '--no-headers'];
    const pods = await run(partPath('kubectl'), get, { env: { HOME: folder } });
    expect(pods.match(/1\/1 +Running/g)).toHaveLength(3);
    rmSync(`${folder}/.kube`, { recursive: true, force: true });
    sandbox.kill('SIGINT');
    await sandbox.says('Stopping everything');
    sandbox.kill('SIGINT');
    expect(await sandbox.ended).toBe(130);
    await waitFor(() => leftOf(folder).processes.length === 0, { what: 'the processes to be gone' });
    expect(leftOf(folder)).toEqual(nothingLeft);
  });

  it('is up, verified and down with --once', async () => {
    const sandbox = start(['--real', '--once', '--simulate-mounts', '--timeout', '200']);
    expect({ code: await sandbox.ended, told: sandbox.told() }).toMatchObject({ code: 0 });
    expect(sandbox.told()).toContain('the drivers are gone');
    expect(leftOf(folder)).toEqual(nothingLeft);
  });

  it('names the command that builds what is missing', async () => {
    const sandbox = start(['--real'], { XDG_CACHE_HOME: `${folder}/empty` });
    expect(await sandbox.ended).toBe(1);
    expect(sandbox.told()).toContain('--real needs etcd, kube-apiserver, kube-controller-manager, which are not built');
    expect(sandbox.told().replace(/\s+/g, ' ')).toContain(
      'npm run parts -- etcd kube-apiserver kube-controller-manager',
    );
    expect(leftOf(folder)).toEqual(nothingLeft);
  });
});
