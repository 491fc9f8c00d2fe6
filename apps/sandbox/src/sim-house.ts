import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@vdo/base/clock';
import { serveHttp } from '@vdo/base/http-server';
import type { Logger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { createSelfSigned } from '@vdo/base/self-signed';
import type { KubeClient } from '@vdo/kube/client';
import { createKubeClient } from '@vdo/kube/create-client';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { keepSnapshot, readSnapshot } from '@vdo/kube-sim/store/snapshot-folder';
import { createVSphereSim, type VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { type ServedSim, serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { requestToken, writeKubeconfig } from './kubeconfig.ts';
import { createProcessKubelet } from './process-kubelet/process-kubelet.ts';
import { createSpawnRunner } from './process-kubelet/spawn-runner.ts';

export interface SimHouseOptions {
  readonly model: VSphereModel;
  /** For kubeconfigs, pods' files and logs; the caller removes it. Short: sockets live below it. */
  readonly folder: string;
  readonly namespace: string;
  /** Keeps the objects of the cluster, and continues from them if there are any. */
  readonly snapshotFolder?: string;
  readonly bundle: (app: string) => string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** A simulated vCenter, an embedded Kubernetes API on sockets of this machine, and a kubelet that runs pods as processes. */
export interface SimHouse {
  readonly kube: KubeClient;
  readonly kubeconfigPath: string;
  readonly logFolder: string;
  readonly vcenter: ServedSim;
  readonly vsphere: VSphereSim;
  stop(): Promise<void>;
}

const serveCluster = async (options: SimHouseOptions) => {
  const { clock, random, logger } = options;
  const adminToken = random.uuid();
  const tokens = { [adminToken]: { user: 'sandbox-admin', groups: ['system:masters'] } };
  const { snapshotFolder } = options;
  const snapshot = snapshotFolder === undefined ? undefined : await readSnapshot(snapshotFolder);
  const sim = createKubeSim({ clock, random, logger, tokens, ...(snapshot ? { snapshot } : {}) });
  const { cert, key } = createSelfSigned({
    commonName: 'kube-apiserver',
    hosts: ['127.0.0.1', 'localhost'],
    nowMs: clock.now(),
  });
  const server = await serveHttp({ handler: sim.handler, port: 0, tls: { cert, key } });
  return { sim, server, adminToken, address: { url: server.url, certificate: cert } };
};

export const startSimHouse = async (options: SimHouseOptions): Promise<SimHouse> => {
  const { folder, namespace, clock, random, logger } = options;
  const logFolder = join(folder, 'logs');
  await mkdir(logFolder, { recursive: true });
  const vsphere = createVSphereSim({ model: options.model, clock, random });
  const vcenter = await serveVSphereSim(vsphere, { clock });
  const { sim, server, adminToken, address } = await serveCluster(options);
  const kube = createKubeClient({ transport: sim.handler, clock, qps: 0 });
  const accountConfig = async (account: string): Promise<string> =>
    writeKubeconfig(join(folder, `${account}.kubeconfig`), address, await requestToken(kube, namespace, account));

  const kubelet = createProcessKubelet({
    kube,
    folder: join(folder, 'pods'),
    clock,
    random,
    logger,
    metrics: createMetrics(),
    run: createSpawnRunner({
      bundle: options.bundle,
      logFolder,
      env: options.env,
      extraArgs: async (_, serviceAccount) => ['--kubeconfig', await accountConfig(serviceAccount)],
    }),
  });
  const stopping = new AbortController();
  const { snapshotFolder } = options;
  const running = Promise.all([
    sim.run(stopping.signal),
    kubelet.run(stopping.signal),
    ...(snapshotFolder === undefined
      ? []
      : [keepSnapshot({ store: sim.store, folder: snapshotFolder, clock }, stopping.signal)]),
  ]);
  return {
    kube,
    kubeconfigPath: await writeKubeconfig(join(folder, 'kubeconfig'), address, adminToken),
    logFolder,
    vcenter,
    vsphere,
    stop: async () => {
      stopping.abort(new Error('the sandbox stops'));
      await running;
      await Promise.all([server.close(), vcenter.close()]);
    },
  };
};
