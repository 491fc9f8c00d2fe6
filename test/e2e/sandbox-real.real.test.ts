import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import type { DashboardModel } from '@vdo/dashboard/model';
import type { Pod } from '@vdo/kube/types/core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { partPath } from '../harness/parts.ts';
import { run } from '../harness/run.ts';
import { waitFor } from '../harness/wait-for.ts';
import { leftOf, nothingLeft, processesOf, sandboxHome, vdoctlProgram } from './sandbox-process.ts';

const { folder, env, start, stop, clean } = sandboxHome();
afterEach(stop, 60_000);
afterAll(clean);

const vdoctl = (...args: readonly string[]): Promise<string> =>
  run(process.execPath, [vdoctlProgram, ...args], { env, cwd: folder, timeoutMs: 60_000 });

/** A command that runs until it is told to end, and what it prints. */
const startVdoctl = (...args: readonly string[]) => {
  const child = spawn(process.execPath, [vdoctlProgram, ...args], { cwd: folder, env });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    printed: () => printed,
    end: async (): Promise<number | null> => {
      child.kill('SIGINT');
      return ended;
    },
  };
};

/** kube-apiserver asks the kubelets of the sandbox, as it asks any. */
const readsLogs = async (): Promise<void> => {
  const all = await vdoctl('logs', '--json', '--tail', '2');
  for (const program of [
    'vdo-operator',
    'vsphere-cloud-controller-manager',
    'vsphere-csi-controller',
    'vsphere-csi-node',
  ])
    expect(all).toMatch(new RegExp(`^\\[${program}-[a-z0-9-]+\\] \\{.*\\}$`, 'm'));
  const lineCount = async (...args: readonly string[]) =>
    (await vdoctl('logs', 'csi-controller', '--tail', '1000', ...args)).split('\n').length - 1;
  expect(await lineCount()).toBeGreaterThan(3);
  expect(await lineCount('--since', '1h')).toBe(await lineCount());
  expect(await lineCount('--since', '1s')).toBeLessThan(await lineCount());
  await expect(vdoctl('logs', 'csi-controller', '--previous')).rejects.toThrow('previous terminated container');

  const following = startVdoctl('logs', 'csi-controller', '--follow', '--tail', '1');
  const lines = () => following.printed().split('\n').length - 1;
  await waitFor(() => lines() === 1, { what: 'the last line before' });
  const pid = processesOf(folder).find(({ command }) => /csi\S*main\.js controller/.test(command))?.pid;
  expect(pid).toBeDefined();
  process.kill(pid ?? 0, 'SIGTERM');
  await waitFor(() => lines() > 1, { what: 'the last words of the driver' });
  await following.end();
  await waitFor(() => vdoctl('logs', 'csi-controller', '--json', '--previous').then((text) => text.includes('"msg"')), {
    what: 'the log of the run before',
  });
};

/** The page of vdoctl counts by what pods serve through the API server. */
const plotsCalls = async (kubeconfig: string): Promise<void> => {
  const home = '/api/v1/namespaces/vmware-system-vdo/pods';
  const raw = (path: string) => run(partPath('kubectl'), ['--kubeconfig', kubeconfig, 'get', '--raw', path]);
  const { items } = JSON.parse(await raw(home)) as { items: readonly Pod[] };
  const served = items.flatMap(({ metadata, spec }) =>
    spec.containers
      .flatMap(({ ports = [] }) => ports)
      .filter(({ name }) => name === 'https' || name === 'metrics')
      .map(({ containerPort }) => `https:${metadata.name}:${containerPort}`),
  );
  expect(served.length).toBeGreaterThanOrEqual(2);
  // The API server takes the reader's token for itself: whoever may use the proxy may not read for that alone.
  for (const address of served)
    await waitFor(
      () =>
        raw(`${home}/${address}/proxy/metrics`).then(
          () => false,
          (error: Error) => /bearer token is needed|Unauthorized|must be logged in/.test(error.message),
        ),
      { what: `a refusal by ${address}`, timeoutMs: 60_000 },
    );
  const serving = startVdoctl('dashboard', '--port', '0');
  await waitFor(() => /^http\S+\n/.test(serving.printed()), { what: 'the address of the page' });
  const model = async () => (await (await fetch(`${serving.printed().trim()}model`)).json()) as DashboardModel;
  const counted = async () => {
    const { calls } = (await model()).summary;
    return calls?.problem === '' && calls.samples.length > 0;
  };
  await waitFor(counted, { what: 'two looks at the calls', timeoutMs: 60_000 }).catch(async (error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify((await model()).summary.calls)}`);
  });
  expect(await serving.end()).toBe(0);
};

describe('the sandbox on a real control plane', { timeout: 400_000 }, () => {
  it('brings everything up, and ends its programs with it even when it is not given the time', async () => {
    const sandbox = start(['--real', '--timeout', '200s']);
    await sandbox.says('The sandbox runs until');
    expect(sandbox.reported()).toMatch(/Kubernetes v1\.\d+\.\d+: kube-apiserver, etcd and kube-controller-manager/);
    expect(sandbox.reported()).toContain('3 of 3 volumes bound; mounts are real (loop devices)');
    const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager'];
    const running = leftOf(folder).processes;
    for (const program of programs) expect(running.some((command) => command.includes(`/${program} `))).toBe(true);
    const { kubeconfig } = JSON.parse(readFileSync(env.VDO_SANDBOX_RECORD, 'utf8'));
    const get = ['--kubeconfig', kubeconfig, 'get', 'pods', '-l', 'app=diary', '--no-headers'];
    const pods = await run(partPath('kubectl'), get, { env: { HOME: folder } });
    expect(pods.match(/1\/1 +Running/g)).toHaveLength(3);
    await readsLogs();
    await plotsCalls(kubeconfig);
    rmSync(`${folder}/.kube`, { recursive: true, force: true });
    sandbox.kill('SIGINT');
    await sandbox.says('Stopping; press Ctrl-C');
    sandbox.kill('SIGINT');
    expect(await sandbox.ended).toBe(130);
    await waitFor(() => leftOf(folder).processes.length === 0, { what: 'the processes to be gone' });
    expect(leftOf(folder)).toEqual(nothingLeft);
  });

  it('is up, verified and down with --once', async () => {
    const sandbox = start(['--real', '--once', '--simulate-mounts', '--timeout', '200s']);
    expect({ code: await sandbox.ended, reported: sandbox.reported() }).toMatchObject({ code: 0 });
    expect(sandbox.reported()).toContain('drivers removed');
    expect(leftOf(folder)).toEqual(nothingLeft);
  });

  it('names the command that builds what is missing', async () => {
    const sandbox = start(['--real'], { XDG_CACHE_HOME: `${folder}/empty` });
    expect(await sandbox.ended).toBe(1);
    expect(sandbox.reported()).toContain(
      '--real needs etcd, kube-apiserver, kube-controller-manager, which are not built',
    );
    expect(sandbox.reported().replace(/\s+/g, ' ')).toContain(
      'npm run parts -- etcd kube-apiserver kube-controller-manager',
    );
    expect(leftOf(folder)).toEqual(nothingLeft);
  });
});
