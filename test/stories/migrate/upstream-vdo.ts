import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import type { AnyObject } from '@vdo/kube/types/object';
import { account, namespace } from '@vdo/operator/testing/sim-testbed';
import { type MigrationTestbed, seedVolumes, upstreamManifests, v1alpha1Crds } from './migration-testbed.ts';

const v1alpha1 = { apiVersion: 'vdo.vmware.com/v1alpha1' } as const;
const server = 'vc.example.com';
/** As the wizard of upstream VDO leaves a cluster: one entry and one Secret for each driver, of the same vCenter. */
const wizard: readonly AnyObject[] = [
  ...(['cpi', 'csi'] as const).map((driver) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${server}-creds-${driver}`, namespace: 'kube-system' },
    stringData: { ...account },
  })),
  ...(['cpi', 'csi'] as const).map((driver) => ({
    ...v1alpha1,
    kind: 'VsphereCloudConfig',
    metadata: { name: `${server}-${driver}`, namespace },
    spec: { vcIp: server, insecure: true, credentials: `${server}-creds-${driver}`, datacenters: [] },
  })),
  {
    ...v1alpha1,
    kind: 'VDOConfig',
    metadata: { name: 'vdo-config-5f1b', namespace },
    spec: {
      cloudProvider: { vsphereCloudConfigs: [`${server}-cpi`] },
      storageProvider: { vsphereCloudConfig: `${server}-csi` },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'vdo-controller-manager', namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'former' } },
      template: {
        metadata: { labels: { app: 'former' } },
        spec: { containers: [{ name: 'manager', image: 'registry.example/vdo-operator:0.7.0' }] },
      },
    },
  },
];

export const seedUpstreamVdo = async (testbed: MigrationTestbed): Promise<void> => {
  for (const definition of v1alpha1Crds) await testbed.kube.create(customResourceDefinitions, definition);
  await testbed.applyAll([...upstreamManifests(), ...wizard]);
  await seedVolumes(testbed.kube);
  await testbed.clock.advance(10_000);
};
