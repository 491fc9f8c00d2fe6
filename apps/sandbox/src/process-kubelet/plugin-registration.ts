import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Node as CsiNodeService } from '@vdo/csi/gen/csi-pb';
import { Registration } from '@vdo/csi/gen/pluginregistration-pb';
import { createCsiClient } from '@vdo/csi/rpc/csi-client';
import type { KubeClient } from '@vdo/kube/client';
import { nodes, type Pod } from '@vdo/kube/types/core';
import { type CsiNode, csiNodes } from '@vdo/kube/types/storage';
import type { PathMap } from './pod-files.ts';

const registryFolder = '/var/lib/kubelet/plugins_registry';

type Driver = CsiNode['spec']['drivers'][number];

/** Asks a driver who and where it is, by the protocol with which the kubelet finds plugins. */
const askDriver = async (
  socket: string,
  onNode: PathMap,
): Promise<{ readonly driver: Driver; readonly labels: Readonly<Record<string, string>> }> => {
  const registration = createCsiClient(Registration, `unix://${socket}`);
  try {
    const { name, endpoint } = await registration.getInfo({});
    const csi = createCsiClient(CsiNodeService, `unix://${onNode(endpoint)}`);
    try {
      const info = await csi.nodeGetInfo({});
      const labels = info.accessibleTopology?.segments ?? {};
      await registration.notifyRegistrationStatus({ pluginRegistered: true, error: '' });
      const allocatable = info.maxVolumesPerNode > 0n ? { allocatable: { count: Number(info.maxVolumesPerNode) } } : {};
      return { driver: { name, nodeID: info.nodeId, topologyKeys: Object.keys(labels), ...allocatable }, labels };
    } finally {
      csi.close();
    }
  } finally {
    registration.close();
  }
};

const publish = async (
  kube: KubeClient,
  nodeName: string,
  { driver, labels }: Awaited<ReturnType<typeof askDriver>>,
): Promise<void> => {
  const node = await kube.patch(nodes, { name: nodeName }, { type: 'merge', body: { metadata: { labels } } });
  const owner = { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: node.metadata.uid ?? '' };
  const object: CsiNode = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: nodeName, ownerReferences: [owner] },
    spec: { drivers: [driver] },
  };
  await kube.apply(csiNodes, object, { fieldManager: 'process-kubelet', force: true });
};

/** Registers the CSI drivers whose sockets a pod has put into the kubelet's registry; returns how many there were. */
export const registerPlugins = async (kube: KubeClient, pod: Pod, onNode: PathMap): Promise<number> => {
  const folder = onNode(registryFolder);
  if (folder === registryFolder) return 0;
  const sockets = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.sock'));
  for (const socket of sockets)
    await publish(kube, pod.spec.nodeName ?? '', await askDriver(join(folder, socket), onNode));
  return sockets.length;
};
