import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, createSystemClock } from '@vdo/base/clock';
import { type HttpTransport, httpResponse } from '@vdo/base/http';
import { serveHttp } from '@vdo/base/http-server';
import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import { createKubeClient } from '@vdo/kube/create-client';
import { createKubeSim, type KubeSimOptions } from '@vdo/kube-sim/kube-sim';
import { stringify } from 'yaml';

export interface SimCluster {
  readonly kube: KubeClient;
  readonly kubeconfig: string;
  readonly server: string;
  stop(): Promise<void>;
}

const token = 'test-token';

/** An embedded API server on loopback, with a kubeconfig that leads to it. */
export const startSimCluster = async (
  options: {
    readonly clock?: Clock;
    readonly workloadOf?: KubeSimOptions['workloadOf'];
    readonly podLogs?: KubeSimOptions['podLogs'];
    /** What the pods serve at /metrics, by `name:port`; undefined: there is no such pod. */
    readonly podMetrics?: (address: string) => string | undefined;
  } = {},
): Promise<SimCluster> => {
  const clock = options.clock ?? createSystemClock();
  const folder = await mkdtemp(join(tmpdir(), 'vdoctl-'));
  const sim = createKubeSim({
    clock,
    random: createSeededRandom(1),
    logger: silentLogger,
    tokens: { [token]: { user: 'admin', groups: ['system:masters'] } },
    ...(options.workloadOf ? { workloadOf: options.workloadOf } : {}),
    ...(options.podLogs ? { podLogs: options.podLogs } : {}),
  });
  const handler: HttpTransport = async (request) => {
    const address = /\/pods\/([^/]+)\/proxy\/metrics$/.exec(request.path)?.[1];
    const served = address === undefined ? undefined : options.podMetrics?.(address);
    return served === undefined ? sim.handler(request) : httpResponse(200, served);
  };
  const server = await serveHttp({ handler, port: 0 });
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(
    kubeconfig,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'sim', cluster: { server: server.url } }],
      users: [{ name: 'admin', user: { token } }],
      contexts: [{ name: 'sim', context: { cluster: 'sim', user: 'admin' } }],
      'current-context': 'sim',
    }),
  );
  const stopping = new AbortController();
  const running = sim.run(stopping.signal);
  return {
    kube: createKubeClient({ transport: sim.handler, clock, qps: 0 }),
    kubeconfig,
    server: server.url,
    stop: async () => {
      stopping.abort(new Error('the test ends'));
      await running;
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
