import { writeFile } from 'node:fs/promises';
import { createSystemClock } from '@vdo/base/clock';
import { connectKube } from '@vdo/kube/connect-kube';
import { type Node, nodes } from '@vdo/kube/types/core';
import { createTempFolder } from '../../harness/cleanup.ts';
import { startControlPlane } from '../../harness/control-plane.ts';
import { inParallel } from '../csi/process-cost.ts';
import { startMeter } from './meter.ts';
import type { BenchVCenter } from './vcenters.ts';

export interface BenchTestbedOptions {
  readonly vcenter: BenchVCenter;
  /** Added to each call to vCenter. */
  readonly latencyMs: number;
}

const taint = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' } as const;
const unknown =
  'machineID bootID kernelVersion osImage containerRuntimeVersion kubeletVersion kubeProxyVersion operatingSystem architecture';
const nameOf = (index: number): string => `node-${index}`;

/** A real API server and a vCenter behind a meter, in which any cloud controller manager can be set to work. */
export const openBenchTestbed = async ({ vcenter, latencyMs }: BenchTestbedOptions) => {
  const count = vcenter.uuids.length;
  const folder = await createTempFolder('bench-cpi');
  const plane = await startControlPlane({ controllers: [] });
  const meter = await startMeter({ port: vcenter.port, latencyMs });
  const clock = createSystemClock();
  const kube = await connectKube({ kubeconfigPath: plane.kubeconfigPath, env: {}, clock, qps: 0 });
  const conf = folder.file('vsphere.conf');
  await writeFile(
    conf,
    `global:\n  port: ${meter.port}\n  insecureFlag: true\nvcenter:\n  vc:\n    server: 127.0.0.1\n    user: ${vcenter.username}\n` +
      `    password: ${vcenter.password}\n    datacenters: [${vcenter.datacenter}]\nlabels:\n  region: k8s-region\n  zone: k8s-zone\n`,
  );

  const setReady = (ready: boolean): Promise<void> =>
    inParallel(count, 8, async (index) => {
      const conditions = [{ type: 'Ready', status: ready ? 'True' : 'Unknown', reason: 'Bench', message: '' }];
      const body = { status: { conditions } };
      await kube.patch(nodes, { name: nameOf(index) }, { type: 'merge', body }, { subresource: 'status' });
    });

  return {
    count,
    meter,
    setReady,
    /** Nodes as kubelets register them, in place of those that were there. */
    joinNodes: async (): Promise<void> => {
      const present = await kube.list(nodes, { limit: 0 });
      await inParallel(present.items.length, 8, (index) =>
        kube.delete(nodes, { name: present.items[index]?.metadata.name ?? '' }),
      );
      await inParallel(count, 8, async (index) => {
        const metadata = { name: nameOf(index) };
        const node: Node = { apiVersion: 'v1', kind: 'Node', metadata, spec: { taints: [taint] } };
        await kube.create(nodes, node);
        const nodeInfo = {
          ...Object.fromEntries(unknown.split(' ').map((key) => [key, ''])),
          systemUUID: vcenter.uuids[index],
        };
        const body = { status: { nodeInfo, conditions: [{ type: 'Ready', status: 'True' }] } };
        await kube.patch(nodes, metadata, { type: 'merge', body }, { subresource: 'status' });
      });
    },
    nodesThere: async (): Promise<number> => (await kube.list(nodes, { resourceVersion: '0', limit: 0 })).items.length,
    initialized: async (): Promise<number> => {
      const { items } = await kube.list(nodes, { resourceVersion: '0', limit: 0 });
      return items.filter(
        ({ spec }) => spec.providerID !== undefined && !spec.taints?.some(({ key }) => key === taint.key),
      ).length;
    },
    /** Words separated by blanks, with the paths of this testbed in place of `{conf}` and `{kubeconfig}`. */
    wordsOf: (command: string): readonly string[] =>
      command.split(' ').map((word) => word.replace('{conf}', conf).replace('{kubeconfig}', plane.kubeconfigPath)),
    close: async () => {
      meter.close();
      await kube.close();
      await plane.stop();
      await vcenter.close();
      await folder.remove();
    },
  };
};

export type BenchTestbed = Awaited<ReturnType<typeof openBenchTestbed>>;
