import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, createSystemClock } from '@vdo/base/clock';
import { type HttpTransport, httpResponse } from '@vdo/base/http';
import { serveHttp } from '@vdo/base/http-server';
import type { KubeClient } from '@vdo/kube/client';
import { createSimWorldOn, type SimWorldOptions } from '@vdo/sim-world/create-sim-world';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { stringify } from 'yaml';

export interface SimCluster {
  readonly kube: KubeClient;
  readonly kubeconfig: string;
  readonly server: string;
  stop(): Promise<void>;
}

export interface SimClusterOptions extends Pick<NonNullable<SimWorldOptions['kube']>, 'workloadOf' | 'podLogs'> {
  /** Default: the system's. */
  readonly clock?: Clock;
  /** What the pods serve at /metrics, by `name:port`; undefined: there is no such pod. */
  readonly podMetrics?: (address: string) => string | undefined;
}

const token = 'test-token';

/** A simulated world whose API server is on loopback, with its kubeconfig. */
export const startServedWorld = async (models: Readonly<Record<string, VSphereModel>>, options: SimClusterOptions) => {
  const { clock = createSystemClock(), podMetrics, ...kube } = options;
  const tokens = { [token]: { user: 'admin', groups: ['system:masters'] } };
  const world = createSimWorldOn(clock, { seed: 1, models, kube: { tokens, ...kube } });
  const handler: HttpTransport = async (request) => {
    const address = /\/pods\/([^/]+)\/proxy\/metrics$/.exec(request.path)?.[1];
    const served = address === undefined ? undefined : podMetrics?.(address);
    return served === undefined ? world.toCluster(request) : httpResponse(200, served);
  };
  const server = await serveHttp({ handler, port: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'vdoctl-'));
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
  const stop = async (): Promise<void> => {
    await world.stop();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  const cluster: SimCluster = { kube: world.client, kubeconfig, server: server.url, stop };
  return { world, cluster };
};

/** A cluster on loopback, without a vCenter. */
export const startSimCluster = async (options: SimClusterOptions = {}): Promise<SimCluster> =>
  (await startServedWorld({}, options)).cluster;
