import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { connectKube } from '@vdo/kube/connect-kube';
import { joinNodes } from '@vdo/sandbox/environment/join-nodes';
import { createProcessKubelet } from '@vdo/sandbox/process-kubelet/process-kubelet';
import { createSpawnRunner } from '@vdo/sandbox/process-kubelet/spawn-runner';
import { afterEach, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { startVcsim, type Vcsim } from '../harness/vcsim.ts';
import { leftOf, nothingLeft, sandboxHome } from './sandbox-process.ts';

const undo: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const vmName = 'DC0_C0_RP0_VM0';
const namespace = 'vmware-system-vdo';

/** A cluster with a node that is a VM of vcsim, and a kubelet that is none of the sandbox's. */
const startTheirs = async (vcsim: Vcsim): Promise<ControlPlane> => {
  await vcsim.govc('vm.change', '-vm', vmName, '-e', 'SET.guest.ipAddress=10.20.30.40', '-e', 'SET.guest.hostName=a');
  const [vm] = JSON.parse(await vcsim.govc('vm.info', '-json', vmName)).virtualMachines;
  const cluster = await startControlPlane();
  undo.push(() => cluster.stop());
  const clock = createSystemClock();
  const random = createSystemRandom();
  const kube = await connectKube({ kubeconfigPath: cluster.kubeconfigPath, env: {}, clock });
  undo.push(() => kube.close());
  const stopping = new AbortController();
  await joinNodes(kube, [{ name: 'a', uuid: vm.config.uuid, hollow: false }], { signal: stopping.signal });
  const { folder } = sandboxHome();
  mkdirSync(join(folder, 'logs'));
  const kubelet = createProcessKubelet({
    kube,
    namespace,
    folder: join(folder, 'pods'),
    clock,
    random,
    logger: silentLogger,
    metrics: createMetrics(),
    run: createSpawnRunner({
      bundle: (app) => fileURLToPath(new URL(`../../apps/${app}/dist/main.js`, import.meta.url)),
      logFolder: join(folder, 'logs'),
      env: { PATH: process.env['PATH'] ?? '' },
      extraArgs: async (_, account) => ['--kubeconfig', await cluster.asServiceAccount(namespace, account)],
    }),
  });
  const running = kubelet.run(stopping.signal);
  undo.push(async () => {
    stopping.abort(new Error('the test is over'));
    await running;
    rmSync(folder, { recursive: true, force: true });
  });
  return cluster;
};

describe('the sandbox in a cluster that has nodes of its own', { timeout: 400_000 }, () => {
  it('runs the operator alone, which installs the drivers there, and takes both away again', async () => {
    const vcsim = await startVcsim({ vms: 1, hosts: 1 });
    undo.push(() => vcsim.stop());
    const cluster = await startTheirs(vcsim);
    const { folder, start } = sandboxHome();
    const passwords = sandboxHome().folder;
    undo.push(() => {
      for (const one of [folder, passwords]) rmSync(one, { recursive: true, force: true });
    });
    const passwordFile = join(passwords, 'password');
    writeFileSync(passwordFile, vcsim.password, { mode: 0o600 });
    const place = [
      ...['--kubeconfig', cluster.kubeconfigPath, '--yes', '--timeout', '120s'],
      ...['--vcenter', `https://${vcsim.host}:${vcsim.port}`, '--thumbprint', vcsim.thumbprintSha256],
      ...['--user', vcsim.username, '--password-file', passwordFile],
    ];
    const superfluous = start([...place, '--node-vms', '/DC0/vm']);
    expect(await superfluous.ended).toBe(2);
    expect(superfluous.reported()).toContain('--node-vms has no effect on a cluster that has nodes');

    const sandbox = start(place);
    await sandbox.says('The sandbox runs until');
    expect(sandbox.reported()).toContain('1 of 1 nodes initialized');
    expect(sandbox.reported()).not.toContain('diary');
    const operator = leftOf(folder).processes.filter((command) => command.includes('operator/dist/main.js'));
    expect(operator).toHaveLength(1);
    const pods = await cluster.kubectl(['-n', namespace, 'get', 'pods', '-o', 'name']);
    expect(pods).toContain('vsphere-csi-controller');
    expect(pods).not.toContain('vdo-operator');
    const refused = start(['break', 'node-notready']);
    expect(await refused.ended).toBe(2);
    expect(refused.reported()).toContain('node-notready needs nodes that the sandbox runs itself');
    sandbox.kill('SIGINT');
    expect(await sandbox.ended, sandbox.reported()).toBe(0);
    expect(sandbox.reported()).not.toContain('demo');
    expect(sandbox.reported()).toContain('stopped; nothing is left behind');
    expect(await cluster.kubectl(['get', 'nodes', '-o', 'name'])).toBe('node/a\n');
    const kinds = 'namespaces,crd,clusterroles,clusterrolebindings,csidrivers,storageclasses,leases';
    expect(await cluster.kubectl(['get', kinds, '-A', '-o', 'name'])).not.toMatch(
      /vdo|vsphere|cloud-controller-manager$/m,
    );
    expect(leftOf(folder)).toEqual(nothingLeft);
  });
});
