import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import { connectKube } from '@vdo/kube/connect-kube';
import type { AnyObject } from '@vdo/kube/types/object';
import type { ContainerRunner } from '@vdo/sandbox/process-kubelet/container-runner';
import { createProcessKubelet } from '@vdo/sandbox/process-kubelet/process-kubelet';
import { createSpawnRunner } from '@vdo/sandbox/process-kubelet/spawn-runner';
import { parseAllDocuments } from 'yaml';
import { createTempFolder } from '../harness/cleanup.ts';
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from '../harness/control-plane.ts';
import { type LoggedProcess, spawnLogged } from '../harness/process.ts';

export const operatorNamespace = 'vmware-system-vdo';
const root = fileURLToPath(new URL('../..', import.meta.url));
export const repositoryFile = (path: string): string => join(root, path);
const bundle = (app: string): string => repositoryFile(`apps/${app}/dist/main.js`);

/** A real control plane with the operator's objects, and a kubelet that runs our bundles as processes; no vCenter yet. */
export interface OperatorTestbed {
  readonly controlPlane: ControlPlane;
  readonly kube: KubeClient;
  /** The last lines of each driver. */
  driverLogs(): Promise<string>;
  /** Starts the operator under its own service account: the program of this repository, or another release's, with its rights. */
  startOperator(program?: string): Promise<LoggedProcess>;
  stop(): Promise<void>;
}

export interface OperatorTestbedOptions {
  readonly audit?: boolean;
  /** Of the control plane. Default: that of today, without a cloud. */
  readonly controlPlane?: Pick<ControlPlaneOptions, 'inTree' | 'controllers' | 'controllerManagerArgs'>;
  /** False: nothing of the operator is in the cluster, not even its definitions. Default true. */
  readonly install?: boolean;
  /** Runs the pods of this namespace only. Default: of all. */
  readonly namespace?: string;
  /** The program of an app in an image. Default: that of this repository, whatever the image. */
  readonly bundle?: (app: string, image: string) => string | undefined;
  /** Comes between the kubelet and what runs a container as a process. */
  readonly around?: (spawn: ContainerRunner) => ContainerRunner;
}

const installOperator = async ({ kubectl }: ControlPlane): Promise<void> => {
  const files = ['deploy/crds', 'deploy/operator.yaml'].flatMap((path) => ['-f', repositoryFile(path)]);
  await kubectl(['apply', '--server-side', ...files]);
  await kubectl(['wait', '--for=condition=Established', 'crd/vspheredrivers.vdo.vmware.com', '--timeout=30s']);
  // The operator runs as a process of the test; its Deployment would start a second one.
  await kubectl(['-n', operatorNamespace, 'delete', 'deployment', '--all']);
};

/** The rights that come with the release of a program, as whoever brings that release applies them. */
const applyRights = async ({ kubectl }: ControlPlane, program: string): Promise<void> => {
  const file = join(program, '../../../../deploy/operator.yaml');
  const objects = parseAllDocuments(await readFile(file, 'utf8')).map((document) => document.toJS() as AnyObject);
  const items = objects.filter(({ kind }) => kind !== 'Deployment');
  const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], { stdin });
};

export const startOperatorTestbed = async (options: OperatorTestbedOptions = {}): Promise<OperatorTestbed> => {
  const { around = (spawn) => spawn } = options;
  const folder = await createTempFolder('testbed');
  const logFolder = folder.file('logs');
  await mkdir(logFolder);
  const controlPlane = await startControlPlane({ ...options.controlPlane, audit: options.audit ?? false });
  if (options.install !== false) await installOperator(controlPlane);
  const clock = createSystemClock();
  const kube = await connectKube({ kubeconfigPath: controlPlane.kubeconfigPath, env: {}, clock });
  const spawn = createSpawnRunner({
    bundle: (app, image) => options.bundle?.(app, image) ?? bundle(app),
    logFolder,
    env: { PATH: process.env.PATH ?? '' },
    extraArgs: async (_, serviceAccount) => [
      '--kubeconfig',
      await controlPlane.asServiceAccount(operatorNamespace, serviceAccount),
    ],
  });
  const stopping = new AbortController();
  const kubelet = createProcessKubelet({
    kube,
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    folder: folder.file('pods'),
    clock,
    random: createSystemRandom(),
    logger: silentLogger,
    metrics: createMetrics(),
    run: around(spawn),
  });
  const running = kubelet.run(stopping.signal);
  const operators: LoggedProcess[] = [];

  return {
    controlPlane,
    kube,
    driverLogs: async () => {
      const lastLines = async (file: string) =>
        (await readFile(join(logFolder, file), 'utf8')).split('\n').slice(-30).join('\n');
      const files = await readdir(logFolder);
      return (await Promise.all(files.map(async (file) => `--- ${file}\n${await lastLines(file)}`))).join('\n');
    },
    startOperator: async (program = bundle('operator')) => {
      if (options.install !== false) await applyRights(controlPlane, program);
      const kubeconfig = await controlPlane.asServiceAccount(operatorNamespace, 'vdo-operator');
      // The first release does not know it, and takes any name.
      const registry = program === bundle('operator') ? ['--registry', 'localhost'] : [];
      const args = [program, '--kubeconfig', kubeconfig, '--health-port', '0', ...registry];
      const operator = spawnLogged(process.execPath, args, { name: 'operator' });
      operators.push(operator);
      return operator;
    },
    stop: async () => {
      await Promise.all(operators.map((operator) => operator.stop()));
      stopping.abort(new Error('the test is over'));
      await running;
      await kube.close();
      await controlPlane.stop();
      await folder.remove();
    },
  };
};
