import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import { namespaces, nodes } from '@vdo/kube/types/core';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { stringify } from 'yaml';
import { runVdoctl, type VdoctlOptions } from './run-vdoctl.ts';
import { startSimCluster } from './sim-cluster.ts';
import { startSimVCenter } from './sim-vcenter.ts';

export const administrator = { username: 'administrator@vsphere.local', password: 'obviously-fake' };
export const houseNamespace = 'vmware-system-vdo';

export type SimHouse = Awaited<ReturnType<typeof startSimHouse>>;

/** A cluster whose five nodes are VMs of the demo vCenter, both on loopback, and a resource that describes them. */
export const startSimHouse = async (spec: Partial<VSphereDriversSpecInput> = { cpi: {}, csi: {} }) => {
  const [cluster, vcenter] = await Promise.all([startSimCluster(), startSimVCenter(administrator)]);
  const folder = await mkdtemp(join(tmpdir(), 'vdoctl-house-'));
  const [, server = '', , port, , , , thumbprint = ''] = vcenter.flags;
  const file = join(folder, 'drivers.yaml');
  const writeResource = (given: Partial<VSphereDriversSpecInput>) =>
    writeFile(
      file,
      stringify({
        apiVersion: 'vdo.vmware.com/v1beta1',
        kind: 'VSphereDrivers',
        metadata: { name: 'cluster' },
        spec: {
          distribution: 'Native',
          vcenters: [{ server, port: Number(port), credentialsSecret: 'vcenter', tls: { thumbprints: [thumbprint] } }],
          ...given,
        },
      }),
    );
  await writeResource(spec);
  const { kube } = cluster;
  await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: houseNamespace } });
  for (const index of [1, 2, 3, 4, 5])
    await kube.create(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: `node-${index}` },
      spec: { providerID: `vsphere://${demoUuid(index)}` },
    });
  return {
    cluster,
    vcenter,
    folder,
    file,
    server,
    writeResource,
    /** As an administrator of both. */
    vdoctl: (argv: readonly string[], options: VdoctlOptions = {}) =>
      runVdoctl([...argv, '--kubeconfig', cluster.kubeconfig, ...vcenter.flags], {
        ...options,
        env: { ...vcenter.env, ...options.env },
      }),
    stop: async () => {
      await Promise.all([cluster.stop(), vcenter.stop(), rm(folder, { recursive: true, force: true })]);
    },
  };
};
