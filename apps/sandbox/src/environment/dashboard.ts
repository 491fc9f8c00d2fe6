import type { Clock } from '@vdo/base/clock';
import { readOnlyLimits, serveHttp } from '@vdo/base/http-server';
import type { Random } from '@vdo/base/random';
import { names } from '@vdo/config/names';
import { createPrivatePage } from '@vdo/dashboard/private-page';
import type { CallMeter } from '@vdo/dashboard/source/call-sampler';
import { createKubeSource } from '@vdo/dashboard/source/create-kube-source';
import { createSandboxInventoryReader } from './inventory-reader.ts';
import type { SandboxCluster } from './sandbox-cluster.ts';

/** Serves the dashboard of the sandbox on loopback. */
export const startDashboard = async (options: {
  readonly cluster: SandboxCluster;
  /** Absent: calls to the vCenter are not counted. */
  readonly meter?: CallMeter | undefined;
  /** 0: any free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly random: Random;
}): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  const { cluster, clock, random, meter } = options;
  const source = createKubeSource({
    client: cluster.kube,
    cluster: `sandbox, ${cluster.kind}`,
    clock,
    random,
    namespace: names.namespace,
    ...(meter ? { meter } : {}),
    inventory: createSandboxInventoryReader(cluster, clock),
  });
  const page = createPrivatePage({ source, clock, random });
  const server = await serveHttp({ handler: page.handler, port: options.port, limits: readOnlyLimits });
  const stopping = new AbortController();
  const running = source.run(stopping.signal).catch(() => undefined);
  return {
    url: `${server.url}${page.path}`,
    stop: async () => {
      stopping.abort(new Error('the sandbox is stopping'));
      await running;
      await server.close();
    },
  };
};
