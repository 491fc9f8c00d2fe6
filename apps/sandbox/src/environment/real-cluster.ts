import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '@vdo/base/async/wait-until';
import type { Clock } from '@vdo/base/clock';
import { createHttpClient } from '@vdo/base/http-client';
import type { Random } from '@vdo/base/random';
import { createSelfSigned } from '@vdo/base/self-signed';
import { VdoError } from '@vdo/base/vdo-error';
import { connectKube } from '@vdo/kube/connect-kube';
import { serviceAccounts } from '@vdo/kube/types/core';
import { freePort } from '../control-plane/free-port.ts';
import {
  apiServerArgs,
  apiServerNames,
  controllerManagerArgs,
  etcdArgs,
  standardControllers,
} from '../control-plane/program-args.ts';
import { writeServiceAccountKey } from '../control-plane/service-account-key.ts';
import type { AtExit } from '../processes/exit-stack.ts';
import { type BoundProcess, spawnBound } from '../processes/spawn-bound.ts';
import { createAccountConfigs, writeKubeconfig } from './kubeconfig.ts';
import { egressConfig, openKubeletTunnel, shownAddress } from './kubelet-tunnel.ts';
import type { SandboxCluster } from './sandbox-cluster.ts';

/** The programs of a control plane, which `npm run parts` builds. */
export const controlPlaneParts = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;
export type ControlPlanePart = (typeof controlPlaneParts)[number];

export interface RealClusterOptions {
  /** Path of a program. */
  readonly part: (name: ControlPlanePart) => string;
  /** Folder for data, certificates and kubeconfigs. */
  readonly folder: string;
  readonly logFolder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly atExit: AtExit;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** Fails like a timeout, but immediately and with its own message. */
const endedEarly = async (name: string, logFile: string): Promise<never> => {
  const lines = (await readFile(logFile, 'utf8').catch(() => '')).trimEnd().split('\n').slice(-5);
  throw new VdoError({
    code: 'SandboxIncomplete',
    message: `${name} exited during its start: ${lines.join(' | ') || 'it wrote no output'}`,
    remedy: 'Build the parts again (npm run parts), or start the sandbox without --real.',
  });
};

/** etcd, kube-apiserver and kube-controller-manager as processes of this machine. If it throws, nothing is left running. */
export const startRealCluster = async (options: RealClusterOptions): Promise<SandboxCluster> => {
  const { clock, random, signal, logFolder } = options;
  const folder = join(options.folder, 'control-plane');
  await mkdir(folder, { recursive: true });
  await mkdir(logFolder, { recursive: true });
  const running: BoundProcess[] = [];
  let tunnel: { close(): Promise<void> } | undefined;
  const start = (name: ControlPlanePart, args: readonly string[]) => {
    const logFile = join(logFolder, `${name}.log`);
    const process = spawnBound(options.part(name), args, { env: options.env, logFile, atExit: options.atExit });
    running.push(process);
    const failed = process.ended.then(
      () => endedEarly(name, logFile),
      () => endedEarly(name, logFile),
    );
    failed.catch(() => undefined);
    return (what: string, ask: () => Promise<boolean>): Promise<unknown> => {
      const remedy = 'The last log lines of each program are printed above. On a slow machine, increase --timeout.';
      const patient = () => ask().catch(() => false);
      return Promise.race([waitUntil(patient, { what, remedy, timeoutMs: options.timeoutMs, clock, signal }), failed]);
    };
  };
  // Programs are stopped in reverse order of their start, so that none waits for a lost connection.
  const stop = async (): Promise<void> => {
    for (const process of running.splice(0).reverse()) await process.stop();
    await tunnel?.close();
  };
  try {
    const etcdUrl = `https://127.0.0.1:${await freePort()}`;
    const peerUrl = `https://127.0.0.1:${await freePort()}`;
    // All users of this machine can reach the port, and the data in etcd decides which processes this process starts.
    const pass = createSelfSigned({ commonName: 'etcd', hosts: ['127.0.0.1'], nowMs: clock.now(), forClients: true });
    const etcdAccess = { certPath: join(folder, 'etcd.crt'), keyPath: join(folder, 'etcd.key') };
    await writeFile(etcdAccess.certPath, pass.cert);
    await writeFile(etcdAccess.keyPath, pass.key, { mode: 0o600 });
    const etcd = createHttpClient({ origin: etcdUrl, tls: { caBundle: pass.cert, cert: pass.cert, key: pass.key } });
    const dataFolder = join(folder, 'etcd');
    const etcdReady = start('etcd', etcdArgs({ dataFolder, url: etcdUrl, peerUrl, access: etcdAccess }));
    const isHealthy = async () =>
      (await etcd.transport({ method: 'GET', path: '/health', headers: {} })).status === 200;
    await etcdReady('etcd to be healthy', isHealthy).finally(() => etcd.close());

    const { cert, key } = createSelfSigned({
      commonName: 'kube-apiserver',
      hosts: apiServerNames,
      nowMs: clock.now(),
    });
    const [certPath, keyPath, tokensPath] = [join(folder, 'tls.crt'), join(folder, 'tls.key'), join(folder, 'tokens')];
    const adminToken = random.uuid();
    await writeFile(certPath, cert);
    await writeFile(keyPath, key, { mode: 0o600 });
    await writeFile(tokensPath, `${adminToken},sandbox-admin,sandbox-admin,system:masters\n`, { mode: 0o600 });
    const serviceAccountKeyPath = await writeServiceAccountKey(join(folder, 'service-accounts.key'));
    const egressPath = join(folder, 'egress.json');
    const socketPath = join(options.folder, 'kubelet.sock');
    await writeFile(egressPath, egressConfig(socketPath));
    tunnel = await openKubeletTunnel({ socketPath, logFolder, clock });
    const port = await freePort();
    const address = { url: `https://127.0.0.1:${port}`, certificate: cert };
    const apiServerReady = start('kube-apiserver', [
      ...apiServerArgs({ etcdUrl, etcdAccess, port, folder, certPath, keyPath, serviceAccountKeyPath }),
      `--token-auth-file=${tokensPath}`,
      '--anonymous-auth=false',
      `--egress-selector-config-file=${egressPath}`,
    ]);
    const kubeconfigPath = await writeKubeconfig(join(options.folder, 'kubeconfig'), {
      cluster: address,
      user: { token: adminToken },
      random,
    });
    const kube = await connectKube({ kubeconfigPath, env: {}, clock, qps: 0, fieldManager: 'vdo-sandbox' });
    const api = createHttpClient({ origin: address.url, tls: { caBundle: cert } });
    const headers = { authorization: `Bearer ${adminToken}` };
    const isReady = async () => (await api.transport({ method: 'GET', path: '/readyz', headers })).status === 200;
    await apiServerReady('kube-apiserver to be ready', isReady).finally(() => api.close());

    const controllersReady = start(
      'kube-controller-manager',
      controllerManagerArgs({
        kubeconfigPath,
        rootCaPath: certPath,
        serviceAccountKeyPath,
        controllers: standardControllers,
      }),
    );
    await controllersReady(
      'kube-controller-manager to work',
      async () => (await kube.find(serviceAccounts, { namespace: 'default', name: 'default' })) !== undefined,
    );
    const accounts = createAccountConfigs({ kube, address, folder: options.folder, clock, random });
    const renewing = new AbortController();
    const renewed = accounts.run(renewing.signal);
    return {
      kind: 'kube-apiserver, etcd and kube-controller-manager of this machine',
      kube,
      shownAddress,
      url: address.url,
      kubeconfigPath,
      accountConfig: accounts.config,
      stop: async () => {
        renewing.abort(new Error('the sandbox is stopping'));
        await renewed;
        await kube.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
