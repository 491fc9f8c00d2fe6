import type { KubeClient } from '@vdo/kube/client';
import { type Node, nodes } from '@vdo/kube/types/core';
import type { VSphereModel } from '@vdo/vsphere-sim/model';

const waiting = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' } as const;

/** What kubelet registers with `--cloud-provider=external`: a node that waits for its cloud provider. */
const registration = (name: string): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/hostname': name } },
  spec: { taints: [waiting] },
});

/** Registers the first `count` VMs of the model as nodes; returns their names. */
export const joinNodes = async (
  kube: KubeClient,
  model: VSphereModel,
  options: { readonly count: number; readonly signal: AbortSignal },
): Promise<readonly string[]> => {
  const { signal } = options;
  const vms = model.datacenters.flatMap(({ vms: all = [] }) => all).slice(0, options.count);
  for (const { name, uuid } of vms) {
    await kube.create(nodes, registration(name), { signal });
    const status: Node['status'] = {
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'the process kubelet is ready' }],
      nodeInfo: { systemUUID: uuid ?? '', kubeletVersion: 'v1.34.4', operatingSystem: 'linux' },
    };
    await kube.patch(nodes, { name }, { type: 'merge', body: { status } }, { subresource: 'status', signal });
  }
  return vms.map(({ name }) => name);
};
