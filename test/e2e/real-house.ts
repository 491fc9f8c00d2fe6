import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import { connectKube } from '@vdo/kube/connect-kube';
import { createProcessKubelet } from '@vdo/sandbox/process-kubelet/process-kubelet';
import { createSpawnRunner } from '@vdo/sandbox/process-kubelet/spawn-runner';
import { createTempFolder } from '../harness/cleanup.ts';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { type LoggedProcess, spawnLogged } from '../harness/process.ts';
import { startVcsim, type Vcsim } from '../harness/vcsim.ts';

export const operatorNamespace = 'vmware-system-vdo';
const root = fileURLToPath(new URL('../..', import.meta.url));
export const repositoryFile = (path: string): string => join(root, path);
const bundle = (app: string): string => repositoryFile(`apps/${app}/dist/main.js`);

/** The whole house on real parts: etcd, kube-apiserver, kube-controller-manager, vcsim, and our bundles as processes. */
export interface RealHouse {
  readonly controlPlane: ControlPlane;
  readonly vcsim: Vcsim;
  readonly kube: KubeClient;
  readonly logFolder: string;
  /** Starts the operator under its own service account. */
  startOperator(): Promise<LoggedProcess>;
  stop(): Promise<void>;
}

export const startRealHouse = async (options: { readonly audit?: boolean } = {}): Promise<RealHouse> => {
  const folder = await createTempFolder('house');
  const logFolder = folder.file('logs');
  await mkdir(logFolder);
  const [controlPlane, vcsim] = await Promise.all([
    startControlPlane({ audit: options.audit ?? false }),
    startVcsim({ vms: 1, hosts: 2, datastores: 2 }),
  ]);
  await controlPlane.kubectl([
    'apply',
    '--server-side',
    '-f',
    repositoryFile('deploy/crds'),
    '-f',
    repositoryFile('deploy/operator.yaml'),
  ]);
  await controlPlane.kubectl([
    'wait',
    '--for=condition=Established',
    'crd/vspheredrivers.vdo.vmware.com',
    '--timeout=30s',
  ]);
  // The operator runs as a process of the test; its Deployment would start a second one.
  await controlPlane.kubectl(['-n', operatorNamespace, 'delete', 'deployment', '--all']);

  const clock = createSystemClock();
  const random = createSystemRandom();
  const kube = await connectKube({
    kubeconfigPath: controlPlane.kubeconfigPath,
    env: {},
    clock,
  });
  const stopping = new AbortController();
  const kubelet = createProcessKubelet({
    kube,
    namespace: operatorNamespace,
    folder: folder.file('pods'),
    clock,
    random,
    logger: silentLogger,
    metrics: createMetrics(),
    run: createSpawnRunner({
      bundle,
      logFolder,
      env: { PATH: process.env.PATH ?? '' },
      extraArgs: async (_, serviceAccount) => [
        '--kubeconfig',
        await controlPlane.asServiceAccount(operatorNamespace, serviceAccount),
      ],
    }),
  });
  const running = kubelet.run(stopping.signal);
  const operators: LoggedProcess[] = [];

  return {
    controlPlane,
    vcsim,
    kube,
    logFolder,
    startOperator: async () => {
      const kubeconfig = await controlPlane.asServiceAccount(operatorNamespace, 'vdo-operator');
      const operator = spawnLogged(
        process.execPath,
        [bundle('operator'), '--kubeconfig', kubeconfig, '--health-port', '0'],
        { name: 'operator' },
      );
      operators.push(operator);
      return operator;
    },
    stop: async () => {
      await Promise.all(operators.map((operator) => operator.stop()));
      stopping.abort(new Error('the test is over'));
      await running;
      await kube.close();
      await Promise.all([controlPlane.stop(), vcsim.stop()]);
      await folder.remove();
    },
  };
};
