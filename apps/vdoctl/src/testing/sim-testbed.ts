import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import { demoServer } from '@vdo/sim-world/create-sim-world';
import { seedNamespaces, seedNodes } from '@vdo/sim-world/seed';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { stringify } from 'yaml';
import { runVdoctl, type VdoctlOptions } from './run-vdoctl.ts';
import { startServedWorld } from './sim-cluster.ts';
import { serveSimVCenter } from './sim-vcenter.ts';

export const testbedNamespace = 'vmware-system-vdo';

export type SimTestbed = Awaited<ReturnType<typeof startSimTestbed>>;

/** A cluster whose five nodes are VMs of the demo vCenter, both on loopback, and a resource for them. */
export const startSimTestbed = async (spec: Partial<VSphereDriversSpecInput> = { cpi: {}, csi: {} }) => {
  const { world, cluster } = await startServedWorld({ [demoServer]: demoModel() }, {});
  const vcenter = await serveSimVCenter(world.vc());
  const { server, port, thumbprint } = vcenter;
  const folder = await mkdtemp(join(tmpdir(), 'vdoctl-testbed-'));
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
          vcenters: [{ server, port, credentialsSecret: 'vcenter', tls: { thumbprints: [thumbprint] } }],
          ...given,
        },
      }),
    );
  await writeResource(spec);
  await seedNamespaces(world.client, testbedNamespace);
  await seedNodes(world.client, 1, 2, 3, 4, 5);
  return {
    cluster,
    vcenter,
    folder,
    file,
    server,
    writeResource,
    /** With administrator permissions on both. */
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
