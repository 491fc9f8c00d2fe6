import { names } from '@vdo/config/names';
import { waitingNode } from '@vdo/cpi/testing/node';
import { driverName } from '@vdo/csi/driver';
import type { KubeClient } from '@vdo/kube/client';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { nodes, secrets } from '@vdo/kube/types/core';
import { type VolumeSnapshotClass, volumeSnapshotClasses } from '@vdo/kube/types/snapshots';
import { csiNodes, type StorageClass, storageClasses } from '@vdo/kube/types/storage';
import { snapshotCrds } from '@vdo/releases/render/shared/snapshot-crds';
import { demoServer } from '@vdo/sim-world/create-sim-world';
import { seedCrds, seedNamespaces } from '@vdo/sim-world/seed';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';

/** StorageClasses by what becomes of a disk whose claim is deleted. */
export const classes = { Delete: 'deleting', Retain: 'keeping' } as const;

/** What the kubelet writes when it joins, and when the node role has registered. */
export const joinNode = async (client: KubeClient, name: string, uuid: string): Promise<void> => {
  const { metadata: _, ...node } = waitingNode({ name, systemUUID: uuid });
  await client.create(nodes, { ...node, metadata: { name } });
  await client.create(csiNodes, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name },
    spec: { drivers: [{ name: driverName, nodeID: uuid }] },
  });
};

/** A cluster with storage, snapshots and five nodes. */
export const setUpCluster = async (client: KubeClient): Promise<void> => {
  await seedNamespaces(client, names.namespace, names.upstreamCsiNamespace, 'default');
  await seedCrds(client, 'vdo.vmware.com_volumeintents.yaml');
  for (const crd of snapshotCrds) await client.create(customResourceDefinitions, crd);
  await client.create<VolumeSnapshotClass>(volumeSnapshotClasses, {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshotClass',
    metadata: { name: 'snap' },
    driver: driverName,
    deletionPolicy: 'Delete',
  });
  for (const reclaimPolicy of ['Delete', 'Retain'] as const)
    await client.create<StorageClass>(storageClasses, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: classes[reclaimPolicy] },
      provisioner: driverName,
      reclaimPolicy,
      allowVolumeExpansion: true,
      volumeBindingMode: 'Immediate',
    });
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  await client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: names.credentialsSecret, namespace: names.namespace },
    data: {
      [`${demoServer}.username`]: base64('cpi@vsphere.local'),
      [`${demoServer}.password`]: base64('obviously-fake-cpi'),
    },
  });
  for (const node of [1, 2, 3, 4, 5]) await joinNode(client, `node-${node}`, demoUuid(node));
};
