import { join } from 'node:path';
import type { Clock } from '@vdo/base/clock';
import { serveHttp } from '@vdo/base/http-server';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import { createSelfSigned } from '@vdo/base/self-signed';
import { createKubeClient } from '@vdo/kube/create-client';
import { requireToken } from '@vdo/kube-sim/http/require-token';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { keepSnapshot, readSnapshot } from '@vdo/kube-sim/store/snapshot-folder';
import { parseLogQuery } from '../logs/log-query.ts';
import { readPodLog } from '../logs/pod-logs.ts';
import { continueSnapshot } from './continue-snapshot.ts';
import { createAccountConfigs, writeKubeconfig } from './kubeconfig.ts';
import type { SandboxCluster } from './sandbox-cluster.ts';

export interface EmbeddedClusterOptions {
  /** For kubeconfigs. */
  readonly folder: string;
  /** Folder in which the kubelet stores the logs of pods, one file per container. */
  readonly logFolder: string;
  /** Saves the objects of the cluster there, and starts with saved objects. */
  readonly snapshotFolder?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** An API server with the required controllers, inside this process, served on loopback. */
export const startEmbeddedCluster = async (options: EmbeddedClusterOptions): Promise<SandboxCluster> => {
  const { folder, clock, random, logger, snapshotFolder } = options;
  const adminToken = random.uuid();
  const tokens = { [adminToken]: { user: 'sandbox-admin', groups: ['system:masters'] } };
  const snapshot = snapshotFolder === undefined ? undefined : await readSnapshot(snapshotFolder);
  const sim = createKubeSim({
    clock,
    random,
    logger,
    tokens,
    podLogs: ({ metadata }, { container, query, signal }) =>
      readPodLog(options.logFolder, metadata.name ?? '', parseLogQuery(container, query), { clock, signal }),
    ...(snapshot ? { snapshot: continueSnapshot(snapshot) } : {}),
  });
  const { cert, key } = createSelfSigned({
    commonName: 'kube-apiserver',
    hosts: ['127.0.0.1', 'localhost'],
    nowMs: clock.now(),
  });
  const server = await serveHttp({ handler: requireToken(sim), port: 0, tls: { cert, key } });
  const kube = createKubeClient({ transport: sim.handler, clock, qps: 0 });
  const address = { url: server.url, certificate: cert };
  const accounts = createAccountConfigs({ kube, address, folder, clock, random });
  const stopping = new AbortController();
  const running = Promise.all([
    sim.run(stopping.signal),
    accounts.run(stopping.signal),
    ...(snapshotFolder === undefined
      ? []
      : [keepSnapshot({ store: sim.store, folder: snapshotFolder, clock }, stopping.signal)]),
  ]);
  return {
    kind: 'embedded API server',
    kube,
    url: server.url,
    kubeconfigPath: await writeKubeconfig(join(folder, 'kubeconfig'), {
      cluster: address,
      user: { token: adminToken },
      random,
    }),
    accountConfig: accounts.config,
    stop: async () => {
      stopping.abort(new Error('the sandbox is stopping'));
      await running;
      await server.close();
    },
  };
};
