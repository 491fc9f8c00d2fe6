import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { persistentVolumeClaims } from '@vdo/kube/types/core';
import {
  type VolumeSnapshot,
  type VolumeSnapshotClass,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from '@vdo/kube/types/snapshots';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { snapshotCrds } from '@vdo/releases/render/shared/snapshot-crds';
import { runSnapshotControllerApp } from '../snapshot-controller-app.ts';
import { createSimTestbed } from './sim-testbed.ts';

const apiVersion = 'snapshot.storage.k8s.io/v1';

/** A cluster with storage, snapshots and five nodes, in which claims, snapshots and attachments are made by name. */
export const openRandomWorld = async () => {
  const testbed = createSimTestbed();
  const { client, clock } = testbed;
  await testbed.setUp();
  for (const crd of snapshotCrds) await client.create(customResourceDefinitions, crd);
  await client.create<VolumeSnapshotClass>(volumeSnapshotClasses, {
    apiVersion,
    kind: 'VolumeSnapshotClass',
    metadata: { name: 'snap' },
    driver: 'csi.vsphere.vmware.com',
    deletionPolicy: 'Delete',
  });
  await testbed.storageClass('growing', { allowVolumeExpansion: true });
  for (const node of [1, 2, 3, 4, 5]) await testbed.registerNode(node);
  const deps = { clock, random: createSeededRandom(9), logger: silentLogger, metrics: createMetrics() };
  testbed.alongside((signal) =>
    runSnapshotControllerApp(
      { ...deps, kube: client, leaseNamespace: 'vmware-system-csi', identity: 'snapshot-controller-1' },
      signal,
    ),
  );
  let starts = 0;
  let replica: ReturnType<typeof testbed.start> | undefined;
  const startReplica = (): void => {
    starts += 1;
    replica = testbed.start(`replica-${starts}`);
  };
  startReplica();

  const request = (sizeGi: number) => ({ resources: { requests: { storage: `${sizeGi}Gi` } } });
  return {
    ...testbed,
    /** The process dies as if its power was cut, and another one begins. */
    restart: (): void => {
      replica?.kill();
      startReplica();
    },
    makeClaim: (name: string, sizeGi: number, dataSource?: { readonly kind: string; readonly name: string }) =>
      testbed.claim(name, 'growing', {
        ...request(sizeGi),
        ...(dataSource
          ? {
              dataSource: {
                ...dataSource,
                ...(dataSource.kind === 'VolumeSnapshot' ? { apiGroup: 'snapshot.storage.k8s.io' } : {}),
              },
            }
          : {}),
      }),
    growClaim: (name: string, sizeGi: number) =>
      client.patch(
        persistentVolumeClaims,
        { namespace: 'default', name },
        { type: 'merge', body: { spec: request(sizeGi) } },
      ),
    makeSnapshot: (name: string, persistentVolumeClaimName: string) =>
      client.create<VolumeSnapshot>(volumeSnapshots, {
        apiVersion,
        kind: 'VolumeSnapshot',
        metadata: { name, namespace: 'default' },
        spec: { source: { persistentVolumeClaimName }, volumeSnapshotClassName: 'snap' },
      }),
    /** What kubelets do when a disk has grown. */
    growFileSystems: async (): Promise<void> => {
      for (const { metadata, status } of (await client.list(persistentVolumeClaims)).items) {
        if (status?.allocatedResourceStatuses?.storage !== 'NodeResizePending') continue;
        const body = {
          status: { capacity: status.allocatedResources, allocatedResourceStatuses: null, conditions: [] },
        };
        const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
        await client.patch(persistentVolumeClaims, key, { type: 'merge', body }, { subresource: 'status' });
      }
    },
    deleteSnapshot: (name: string) => client.delete(volumeSnapshots, { namespace: 'default', name }),
    deleteAttachment: (name: string) => client.delete(volumeAttachments, { name }),
    claims: async () => (await client.list(persistentVolumeClaims)).items,
    snapshots: async () => (await client.list(volumeSnapshots)).items,
    contents: async () => (await client.list(volumeSnapshotContents)).items,
    attachments: async () => (await client.list(volumeAttachments)).items,
  };
};

export type RandomWorld = Awaited<ReturnType<typeof openRandomWorld>>;
