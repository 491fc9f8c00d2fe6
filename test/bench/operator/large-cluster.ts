import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeClient } from '@vdo/kube/client';
import { nodes } from '@vdo/kube/types/core';
import { csiNodes } from '@vdo/kube/types/storage';
import type { VSphereModel } from '@vdo/vsphere-sim/model';

const uuidOf = (index: number): string => `42120000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
const addressOf = (index: number): string => `10.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;

/** A VM has some forty options that nobody here asks for, and they weigh more than all that is asked for. */
const extraConfig: Readonly<Record<string, string>> = {
  'disk.EnableUUID': 'TRUE',
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`pciBridge${index}.virtualDev`, `pcieRootPort, function ${index % 8}`]),
  ),
};

/** A vCenter with a VM for each node. */
export const modelOf = (count: number): VSphereModel => {
  const hosts = Array.from({ length: Math.max(3, Math.ceil(count / 50)) }, (_, index) => ({ name: `esx-${index}` }));
  return {
    datacenters: [
      {
        name: 'bench',
        clusters: [{ name: 'compute', hosts }],
        datastores: [{ name: 'vsanDatastore', type: 'vsan', capacityGb: 20_480 }],
        networks: ['Kubernetes'],
        vms: Array.from({ length: count }, (_, index) => ({
          name: `node-${index}`,
          host: `esx-${index % hosts.length}`,
          uuid: uuidOf(index),
          nics: [
            { network: 'Kubernetes', ips: [addressOf(index)] },
            ...[1, 2].map((bridge) => ({ network: '', ips: [`172.17.${bridge}.1`], insideGuest: true })),
          ],
          extraConfig,
        })),
      },
    ],
  };
};

/** A kubelet lists up to fifty images, which is most of what a node weighs. */
const images = Array.from({ length: 50 }, (_, index) => ({
  names: [
    `registry.example.com/team/service-${index}@sha256:${index.toString(16).padStart(64, '0')}`,
    `registry.example.com/team/service-${index}:1.${index}.0`,
  ],
  sizeBytes: 100_000_000 + index,
}));

/** Nodes as kubelet, cloud controller manager and storage driver leave them. */
export const registerNodes = async (kube: KubeClient, count: number): Promise<void> => {
  for (let index = 0; index < count; index++) {
    const name = `node-${index}`;
    await kube.create(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/hostname': name } },
      spec: { providerID: `vsphere://${uuidOf(index)}` },
    });
    const body = {
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [{ type: 'InternalIP', address: addressOf(index) }],
        images,
        nodeInfo: { systemUUID: uuidOf(index), kubeletVersion: 'v1.34.4', operatingSystem: 'linux' },
      },
    };
    await kube.patch(nodes, { name }, { type: 'merge', body }, { subresource: 'status' });
    await kube.create(csiNodes, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name },
      spec: { drivers: [{ name: 'csi.vsphere.vmware.com', nodeID: uuidOf(index), topologyKeys: [] }] },
    });
  }
};

/** What a kubelet reports of its node every five minutes, whether it changed or not. */
export const beatOnce = async (kube: KubeClient, index: number, nowMs: number): Promise<void> => {
  const condition = { type: 'Ready', status: 'True', lastHeartbeatTime: new Date(nowMs).toISOString() };
  const body = { status: { conditions: [condition] } };
  await kube.patch(nodes, { name: `node-${index}` }, { type: 'merge', body }, { subresource: 'status' });
};

/** All nodes beat, one after the other. */
export const beat = async (kube: KubeClient, count: number, signal: AbortSignal): Promise<void> => {
  const pauseMs = Math.max(10, 300_000 / count);
  for (let index = 0; !signal.aborted; index = (index + 1) % count) {
    await beatOnce(kube, index, Date.now());
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
};
