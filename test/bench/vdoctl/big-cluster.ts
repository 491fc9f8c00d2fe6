import { writeFile } from 'node:fs/promises';
import { createSystemClock } from '@vdo/base/clock';
import { serveHttp } from '@vdo/base/http-server';
import { silentLogger } from '@vdo/base/logger';
import { createSystemRandom } from '@vdo/base/random';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { createObjectApplier } from '@vdo/kube/apply/apply-objects';
import { createKubeClient } from '@vdo/kube/create-client';
import { nodes, type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { vdoCrds } from '@vdo/vdoctl/shared/operator/vdo-crds';
import { stringify } from 'yaml';
import { createTempFolder } from '../../harness/cleanup.ts';
import { sampleNode } from '../kube/sample-node.ts';

const token = 'bench';

const sampleVolume = (index: number): PersistentVolume => {
  const name = `pvc-${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': 'csi.vsphere.vmware.com' } },
    spec: {
      capacity: { storage: '10Gi' },
      accessModes: ['ReadWriteOnce'],
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'default', name: `data-${index}` },
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: 'vsphere',
      csi: {
        driver: 'csi.vsphere.vmware.com',
        volumeHandle: `42120000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
        fsType: 'ext4',
        volumeAttributes: { type: 'vSphere CNS Block Volume' },
      },
    },
    status: { phase: 'Bound' },
  };
};

const failing = Array.from({ length: 20 }, (_, index) => ({
  name: sampleNode(index).metadata.name ?? '',
  reason: 'NodeVmNotFound',
  message: `No VM with the UUID of node ${index} was found in vCenter vc1.example.com.`,
  remedy: 'Give the account System.Read on the folder of the VM.',
}));

export interface BigCluster {
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** An embedded API server on loopback with as many nodes and volumes as asked for. */
export const startBigCluster = async (size: {
  readonly nodes: number;
  readonly volumes: number;
}): Promise<BigCluster> => {
  const clock = createSystemClock();
  const folder = await createTempFolder('bench-vdoctl');
  const tokens = { [token]: { user: 'admin', groups: ['system:masters'] } };
  const sim = createKubeSim({ clock, random: createSystemRandom(), logger: silentLogger, tokens });
  const kube = createKubeClient({ transport: sim.handler, clock, qps: 0 });
  const { applyAll } = createObjectApplier({ client: kube, fieldManager: 'bench', force: true, clock });
  await applyAll(
    vdoCrds().map((definition) => ({ ...definition })),
    {},
  );
  const name = vsphereDriversName;
  const resource = {
    apiVersion: 'vdo.vmware.com/v1beta1',
    kind: 'VSphereDrivers',
    metadata: { name },
    spec: { distribution: 'Native', vcenters: [{ server: 'vc1.example.com', credentialsSecret: 'vc' }], csi: {} },
  };
  await kube.create(vsphereDrivers, resource as unknown as VSphereDrivers);
  const status = { nodes: { total: size.nodes, initialized: size.nodes - failing.length, failing } };
  await kube.patch(vsphereDrivers, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
  for (let index = 0; index < size.nodes; index += 1) await kube.create(nodes, sampleNode(index));
  for (let index = 0; index < size.volumes; index += 1) await kube.create(persistentVolumes, sampleVolume(index));
  const server = await serveHttp({ handler: sim.handler, port: 0 });
  const kubeconfig = folder.file('kubeconfig');
  await writeFile(
    kubeconfig,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'bench', cluster: { server: server.url } }],
      users: [{ name: 'admin', user: { token } }],
      contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'admin' } }],
      'current-context': 'bench',
    }),
  );
  return {
    kubeconfig,
    stop: async () => {
      await server.close();
      await folder.remove();
    },
  };
};
