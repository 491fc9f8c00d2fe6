import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '@vdo/base/clock';
import { connectKube } from '@vdo/kube/connect-kube';
import { type Node, nodes } from '@vdo/kube/types/core';
import { csiRuntime } from '@vdo/releases/render/shared/node-runtime';
import { createTempFolder } from '../../harness/cleanup.ts';
import { startControlPlane } from '../../harness/control-plane.ts';
import { type LoggedProcess, spawnLogged } from '../../harness/process.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { startMeter } from '../cpi/meter.ts';
import { type BenchVCenter, govmomiVCenter } from './bench-vcenters.ts';
import { inParallel } from './process-cost.ts';

const { BENCH_BUNDLE = fileURLToPath(new URL('../../../apps/csi/dist/main.js', import.meta.url)) } = process.env;
const crds = fileURLToPath(new URL('../../../deploy/crds', import.meta.url));
const namespace = 'vmware-system-vdo';

export interface BenchTestbedOptions {
  readonly nodes: number;
  /** Default: govmomi's, with so many VMs. */
  readonly vcenter?: () => Promise<BenchVCenter>;
  /** Added to each call to vCenter. */
  readonly latencyMs: number;
}

/** A real API server, govmomi's vCenter behind a meter, and nodes for all of its VMs. */
export const openBenchTestbed = async (options: BenchTestbedOptions) => {
  const folder = await createTempFolder('bench-csi');
  const [plane, vcenter] = await Promise.all([
    startControlPlane({ controllers: [] }),
    options.vcenter ? options.vcenter() : govmomiVCenter(options.nodes),
  ]);
  const { port, tls, username, password, uuids: nodeIds } = vcenter;
  const meter = await startMeter({ port, tls, latencyMs: options.latencyMs });
  const kube = await connectKube({
    kubeconfigPath: plane.kubeconfigPath,
    env: {},
    clock: createSystemClock(),
    qps: 0,
  });
  await plane.kubectl(['apply', '--server-side', '-f', crds]);
  await plane.kubectl(['create', 'namespace', namespace]);
  await inParallel(nodeIds.length, 8, async (index) => {
    const node: Node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: `node-${index}` },
      spec: { providerID: `vsphere://${nodeIds[index]}` },
    };
    await kube.create(nodes, node);
  });
  await writeFile(
    folder.file('vsphere.conf'),
    `global:\n  port: ${meter.port}\n  insecureFlag: true\nvcenter:\n  vc:\n    server: 127.0.0.1\n    user: ${username}\n` +
      `    password: ${password}\n`,
  );
  const socket = folder.file('csi.sock');
  const started: LoggedProcess[] = [];

  /** Starts the controller role and waits until it is ready. */
  const startController = async (...args: readonly string[]): Promise<LoggedProcess> => {
    const controller = spawnLogged(
      process.execPath,
      [
        ...csiRuntime.flags,
        ...[BENCH_BUNDLE, 'controller', '--kubeconfig', plane.kubeconfigPath, '--namespace', namespace],
        ...['--leader-election-namespace', namespace, '--vsphere-conf', folder.file('vsphere.conf')],
        ...['--health-port', '0', '--bind-address', '127.0.0.1', '--cluster-id', 'bench'],
        ...['--csi-endpoint', `unix://${socket}`, ...args],
      ],
      { name: 'csi', env: csiRuntime.env },
    );
    started.push(controller);
    const url = await waitFor(() => /"url":"([^"]+)"/.exec(controller.tail())?.[1], {
      what: 'the health server to listen',
      timeoutMs: 30_000,
      everyMs: 20,
      processes: [controller],
    });
    await waitFor(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok || undefined, {
      what: 'the controller to be ready',
      timeoutMs: 60_000,
      everyMs: 50,
      processes: [controller],
    });
    return controller;
  };

  return {
    kube,
    meter,
    nodeIds,
    account: { username, password },
    target: `unix:${socket}`,
    startController,
    /** Its last words, if it did not survive. */
    vcenterLog: vcenter.log,
    close: async () => {
      await Promise.all(started.map((one) => one.stop()));
      meter.close();
      await kube.close();
      await Promise.all([plane.stop(), vcenter.stop()]);
      await folder.remove();
    },
  };
};

export type BenchTestbed = Awaited<ReturnType<typeof openBenchTestbed>>;
