import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import { Node as CsiNodeService } from '@vdo/csi-proto/gen/csi-pb';
import { Registration } from '@vdo/csi-proto/gen/pluginregistration-pb';
import { createCsiClient } from '@vdo/csi-proto/rpc/csi-client';
import type { KubeClient } from '@vdo/kube/client';
import { nodes, type Pod } from '@vdo/kube/types/core';
import { type CsiNode, csiNodes } from '@vdo/kube/types/storage';
import type { CsiPlugins, Driver } from './csi-plugins.ts';
import type { PathMap } from './pod-files.ts';

/** Required by a real controller manager to attach volumes to the node. */
const annotations = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };
const registryFolder = '/var/lib/kubelet/plugins_registry';

interface Answer {
  readonly driver: Driver;
  readonly labels: Readonly<Record<string, string>>;
  readonly socket: string;
}

/** Asks a driver for its name and topology, with the protocol with which the kubelet finds plugins. */
const askDriver = async (registrationSocket: string, onNode: PathMap, onAnswer: () => void): Promise<Answer> => {
  const registration = createCsiClient(Registration, `unix://${registrationSocket}`);
  try {
    const { name, endpoint } = await registration.getInfo({});
    onAnswer();
    const socket = onNode(endpoint);
    const csi = createCsiClient(CsiNodeService, `unix://${socket}`);
    try {
      const info = await csi.nodeGetInfo({}).catch(async (cause: unknown) => {
        const error = `plugin registration failed with err: ${toVdoError(cause).message}`;
        await registration.notifyRegistrationStatus({ pluginRegistered: false, error });
        throw cause;
      });
      const labels = info.accessibleTopology?.segments ?? {};
      await registration.notifyRegistrationStatus({ pluginRegistered: true, error: '' });
      const allocatable = info.maxVolumesPerNode > 0n ? { allocatable: { count: Number(info.maxVolumesPerNode) } } : {};
      const driver = { name, nodeID: info.nodeId, topologyKeys: Object.keys(labels), ...allocatable };
      return { driver, labels, socket };
    } finally {
      csi.close();
    }
  } finally {
    registration.close();
  }
};

/** Writes the drivers of a node to its CSINode. */
export const publishDrivers = async (kube: KubeClient, nodeName: string, drivers: readonly Driver[]): Promise<void> => {
  const node = await kube.find(nodes, { name: nodeName });
  if (!node) return;
  const owner = { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: node.metadata.uid ?? '' };
  const object: CsiNode = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: nodeName, ownerReferences: [owner] },
    spec: { drivers },
  };
  await kube.apply(csiNodes, object, { fieldManager: 'process-kubelet', force: true });
};

const notYet = (folder: string): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `no driver has put a new socket into ${folder}`,
    remedy: 'The kubelet retries until there is one.',
  });

/** A socket by its path and the moment at which it was made. */
const identityOf = async (path: string): Promise<string> => `${path} ${(await stat(path)).ctimeMs}`;

/**
 * Registers the CSI drivers whose sockets a pod has created in the kubelet's registry, if the pod mounts that folder. `asked` holds the sockets that
 * have answered: as in the real kubelet, one that was refused is not asked again, whatever has changed since.
 */
export const registerPlugins = async (
  pod: Pod,
  onNode: PathMap,
  deps: { readonly kube: KubeClient; readonly plugins: CsiPlugins; readonly asked: Set<string> },
): Promise<void> => {
  const { kube, plugins, asked } = deps;
  const folder = onNode(registryFolder);
  if (folder === registryFolder) return;
  const sockets = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.sock'));
  if (sockets.length === 0) throw notYet(folder);
  const nodeName = pod.spec.nodeName ?? '';
  for (const file of sockets) {
    const identity = await identityOf(join(folder, file));
    if (asked.has(identity)) throw notYet(folder);
    const { driver, labels, socket } = await askDriver(join(folder, file), onNode, () => asked.add(identity));
    plugins.add({ nodeName, podUid: pod.metadata.uid ?? '', driver, socket });
    await kube.patch(nodes, { name: nodeName }, { type: 'merge', body: { metadata: { labels, annotations } } });
    await publishDrivers(kube, nodeName, plugins.driversOn(nodeName));
  }
};
