import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { standardControllers } from '@vdo/sandbox/control-plane/program-args';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { run } from '../harness/run.ts';
import { waitFor } from '../harness/wait-for.ts';
import { leftOf, nothingLeft, sandboxHome, vdoctlProgram } from './sandbox-process.ts';

let cluster: ControlPlane;
const { folder, env, start } = sandboxHome();

/** Every object of the cluster by its name, but for what tells of the past. */
const objects = async (): Promise<readonly string[]> => {
  const kinds = (await cluster.kubectl(['api-resources', '--verbs=list', '-o', 'name'])).trim().split('\n');
  const lasting = kinds.filter((kind) => !kind.startsWith('events'));
  const lines = await cluster.kubectl(['get', lasting.join(','), '-A', '-o', 'name', '--ignore-not-found']);
  return lines.trim().split('\n').sort();
};

/** As of somebody who works with several clusters: the current context leads elsewhere. */
const withOtherCurrentContext = async (): Promise<string> => {
  const config = JSON.parse(await readFile(cluster.kubeconfigPath, 'utf8'));
  const path = join(dirname(cluster.kubeconfigPath), 'several.kubeconfig');
  const elsewhere = { name: 'elsewhere', cluster: { server: 'https://127.0.0.1:1' } };
  const several = {
    ...config,
    'current-context': 'elsewhere',
    clusters: [...config.clusters, elsewhere],
    contexts: [...config.contexts, { name: 'elsewhere', context: { cluster: 'elsewhere', user: 'test' } }],
  };
  await writeFile(path, JSON.stringify(several), { mode: 0o600 });
  return path;
};

describe('the sandbox in a cluster that is not its own', { timeout: 400_000 }, () => {
  beforeAll(async () => {
    // With the one that takes nodes without a heartbeat for dead, as every cluster has it.
    cluster = await startControlPlane({ controllers: [...standardControllers, 'node-lifecycle-controller'] });
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const inCluster = (...args: readonly string[]) => start(['--kubeconfig', cluster.kubeconfigPath, ...args]);

  it('asks before it touches it', async () => {
    const before = await objects();
    const sandbox = inCluster();
    expect(await sandbox.ended).toBe(2);
    expect(sandbox.reported()).toContain(`In the cluster at ${cluster.url}: the operator with its CRDs`);
    expect(sandbox.reported()).toContain('add --yes');
    expect(await objects()).toEqual(before);
  });

  it('runs on nodes of its own, leaves the pods of others alone, and leaves the cluster as it was', async () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'stranger' } };
    const spec = { containers: [{ name: 'one', image: 'example.com/one' }], tolerations: [] };
    await cluster.kubectl(['apply', '-f', '-'], { stdin: JSON.stringify({ ...pod, spec }) });
    const before = await objects();
    // Looks like a pod of the demo and sits on a node of the sandbox, which would run its command as a process of this machine.
    const taken = join(folder, 'taken-over');
    const evil = {
      nodeName: 'node-1',
      containers: [{ name: 'diary', image: 'example.com/one', command: ['touch', taken] }],
      tolerations: [{ operator: 'Exists' }],
    };
    const disguised = { ...pod, metadata: { name: 'disguised', labels: { app: 'diary' } }, spec: evil };
    await cluster.kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(disguised) });
    const kubeconfig = await withOtherCurrentContext();
    const chosen = ['--kubeconfig', kubeconfig, '--context', 'test'];
    const sandbox = start([...chosen, '--yes', '--simulate-mounts', '--timeout', '150s']);
    await sandbox.says('The sandbox runs until');
    expect(sandbox.reported()).toContain(`the cluster at ${cluster.url}`);
    expect(sandbox.reported()).toContain('3 of 3 pods ready, 3 of 3 volumes bound');
    expect(await cluster.kubectl(['get', 'pod', 'stranger', '-o', 'jsonpath={.status.phase}'])).toBe('Pending');
    expect(await cluster.kubectl(['get', 'pod', 'disguised', '-o', 'jsonpath={.status.phase}'])).toBe('Pending');
    expect(existsSync(taken)).toBe(false);
    await cluster.kubectl(['delete', 'pod', 'disguised', '--grace-period=0', '--force']);
    expect(sandbox.reported()).toContain(`kubectl --kubeconfig ${kubeconfig} --context test get pods -A`);
    expect(await run(process.execPath, [vdoctlProgram, 'status'], { env })).toMatch(/^Healthy/);
    const beating = await cluster.kubectl(['-n', 'kube-node-lease', 'get', 'leases', '-o', 'name']);
    expect(beating.trim().split('\n')).toHaveLength(5);
    const silenced = start(['break', 'node-notready']);
    expect(await silenced.ended).toBe(0);
    const broken = start(['break', 'vcenter-down']);
    expect(await broken.ended).toBe(0);
    sandbox.kill('SIGINT');
    expect(await sandbox.ended, sandbox.reported()).toBe(0);
    expect(sandbox.reported()).toContain('operator and nodes removed from the cluster');
    expect(sandbox.reported()).toContain('stopped; nothing is left behind');
    expect(await objects()).toEqual(before);
    expect(leftOf(folder)).toEqual(nothingLeft);
    await cluster.kubectl(['delete', 'pod', 'stranger', '--grace-period=0', '--force']);
  });

  it('gives it back when it is interrupted half-way through the installation', async () => {
    const before = await objects();
    const sandbox = inCluster('--yes', '--simulate-mounts', '--timeout', '150s');
    await sandbox.says('Installing the operator');
    sandbox.kill('SIGINT');
    expect(await sandbox.ended, sandbox.reported()).toBe(130);
    expect(sandbox.reported()).toContain('stopped; nothing is left behind');
    expect(await objects()).toEqual(before);
  });

  it('says what is left after a second Ctrl-C, and the next one removes it', async () => {
    const before = await objects();
    const sandbox = inCluster('--yes', '--simulate-mounts', '--timeout', '150s');
    await sandbox.says('nodes: 5 joined');
    sandbox.kill('SIGINT');
    await sandbox.says('Stopping; press Ctrl-C');
    sandbox.kill('SIGINT');
    expect(await sandbox.ended).toBe(130);
    expect(sandbox.reported()).toContain('nothing is left on this machine');
    expect(sandbox.reported()).toContain(`vdoctl sandbox --once --yes --kubeconfig ${cluster.kubeconfigPath}`);
    await waitFor(() => leftOf(folder).processes.length === 0, { what: 'the processes to be gone' });
    expect(leftOf(folder)).toEqual(nothingLeft);
    const next = inCluster('--yes', '--once', '--simulate-mounts', '--timeout', '150s');
    expect(await next.ended, next.reported()).toBe(0);
    expect(next.reported()).toContain(
      'An earlier sandbox in this cluster was killed; this one takes over its objects.',
    );
    expect(await objects()).toEqual(before);
  });

  it('refuses what it must not change, and a cluster that cannot reach its vCenter', async () => {
    await cluster.kubectl(['create', 'namespace', 'vmware-system-vdo']);
    const taken = inCluster('--yes');
    expect(await taken.ended).toBe(2);
    expect(taken.reported().replace(/\s+/g, ' ')).toContain('already has Namespace vmware-system-vdo');
    await cluster.kubectl(['delete', 'namespace', 'vmware-system-vdo']);
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'theirs' } };
    await cluster.kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(node) });
    const unreachable = inCluster('--yes');
    expect(await unreachable.ended).toBe(2);
    expect(unreachable.reported().replace(/\s+/g, ' ')).toContain('has 1 nodes, whose pods cannot reach');
    await cluster.kubectl(['delete', 'node', 'theirs']);
    const both = inCluster('--real');
    expect(await both.ended).toBe(2);
    expect(both.reported()).toContain('--real starts a local cluster');
    writeFileSync(join(folder, 'nonsense'), '{');
    const unreadable = start(['--kubeconfig', join(folder, 'nonsense'), '--yes']);
    expect(await unreadable.ended).toBe(4);
    rmSync(join(folder, 'nonsense'));
  });
});
