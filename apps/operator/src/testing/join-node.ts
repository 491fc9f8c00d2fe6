import type { KubeClient } from '@vdo/kube/client';
import { type Node, nodes } from '@vdo/kube/types/core';
import { csiNodes } from '@vdo/kube/types/storage';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';

const regionLabel = 'topology.kubernetes.io/region';
const zoneLabel = 'topology.kubernetes.io/zone';

/** Registers node-N as the kubelet, the cloud controller manager and the storage driver leave it. */
export const joinNode = async (
  kube: KubeClient,
  name: string,
  place?: { readonly region: string; readonly zone: string },
): Promise<Node> => {
  const index = Number(name.split('-')[1] ?? 1);
  const uuid = demoUuid(index);
  const node = await kube.create(nodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/os': 'linux',
        'kubernetes.io/hostname': name,
        'node-role.kubernetes.io/control-plane': '',
        ...(place ? { [regionLabel]: place.region, [zoneLabel]: place.zone } : {}),
      },
    },
    spec: { providerID: `vsphere://${uuid}` },
  });
  const status: Node['status'] = {
    conditions: [{ type: 'Ready', status: 'True' }],
    addresses: [{ type: 'InternalIP', address: `10.10.0.${10 + index}` }],
    nodeInfo: { systemUUID: uuid, kubeletVersion: 'v1.34.4', operatingSystem: 'linux' },
  };
  await kube.patch(nodes, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
  const topologyKeys = place ? [regionLabel, zoneLabel] : [];
  await kube.create(csiNodes, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name },
    spec: { drivers: [{ name: 'csi.vsphere.vmware.com', nodeID: uuid, topologyKeys }] },
  });
  return node;
};
