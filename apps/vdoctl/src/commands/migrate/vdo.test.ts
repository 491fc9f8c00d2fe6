import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { decodeSecretData } from '@vdo/config/credentials';
import { type CustomResourceDefinition, customResourceDefinitions } from '@vdo/kube/types/cluster';
import { namespaces, secrets } from '@vdo/kube/types/core';
import { type Deployment, deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { applyDefinitions } from '../../testing/seed-resource.ts';
import { startSimCluster } from '../../testing/sim-cluster.ts';
import { type FormerConfig, type FormerVCenter, formerConfigs, formerVCenters } from './former-facts.ts';
import type { MigrationReport } from './in-tree-view.ts';

const namespace = 'vmware-system-vdo';
const password = 'obviously-fake';

const definitionOf = ({ plural, kind }: { readonly plural: string; readonly kind: string }): CustomResourceDefinition =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.vdo.vmware.com` },
    spec: {
      group: 'vdo.vmware.com',
      scope: 'Namespaced',
      names: { plural, kind, listKind: `${kind}List`, singular: kind.toLowerCase() },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }) as unknown as CustomResourceDefinition;

const former = { apiVersion: 'vdo.vmware.com/v1alpha1' } as const;
const cloud = (name: string, spec: Partial<FormerVCenter['spec']> = {}): FormerVCenter => ({
  ...former,
  kind: 'VsphereCloudConfig',
  metadata: { name, namespace },
  spec: { vcIp: '10.1.1.1', insecure: false, credentials: 'vc-credentials', datacenters: ['dc-1'], ...spec },
});
const config = (spec: FormerConfig['spec']): FormerConfig => ({
  ...former,
  kind: 'VDOConfig',
  metadata: { name: 'vdo-config', namespace },
  spec,
});
const bothDrivers: FormerConfig['spec'] = {
  cloudProvider: { vsphereCloudConfigs: ['vc'], topology: { zone: 'k8s-zone', region: 'k8s-region' } },
  storageProvider: {
    vsphereCloudConfig: 'vc',
    clusterDistribution: 'OpenShift',
    customKubeletPath: '/data/kubelet',
    fileVolumes: {
      vsanDataStoreUrl: ['ds:///vmfs/volumes/vsan:1/'],
      netPermissions: [{ ips: '10.0.0.0/8', permissions: 'READ_ONLY', rootSquash: true }, { ips: '*' }],
    },
  },
};
const secret = (place: string, name: string, data: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: place },
  data: Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'utf8').toString('base64')]),
  ),
});

describe('vdoctl migrate vdo', () => {
  let cluster: Awaited<ReturnType<typeof startSimCluster>>;

  beforeEach(async () => {
    cluster = await startSimCluster();
    const { kube } = cluster;
    for (const name of [namespace, 'vmware-system-csi'])
      await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  });
  afterEach(() => cluster?.stop());

  /** What upstream VDO leaves in a cluster. */
  const seed = async (spec: FormerConfig['spec'], vcenters: readonly FormerVCenter[] = [cloud('vc')]) => {
    const { kube } = cluster;
    for (const resource of [formerConfigs, formerVCenters])
      await kube.create(customResourceDefinitions, definitionOf(resource));
    await kube.create(formerConfigs, config(spec));
    for (const vcenter of vcenters) await kube.create(formerVCenters, vcenter);
    await kube.create(secrets, secret('kube-system', 'vc-credentials', { username: 'k8s@vsphere.local', password }));
  };
  const seedOperator = () =>
    cluster.kube.create(deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'vdo-controller-manager', namespace },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'vdo' } },
        template: { metadata: { labels: { app: 'vdo' } }, spec: { containers: [{ name: 'manager', image: 'vdo' }] } },
      },
    } as Deployment);

  const migrate = (...argv: readonly string[]) =>
    runVdoctl(['migrate', 'vdo', '--distribution', 'Upstream', '--kubeconfig', cluster.kubeconfig, ...argv]);
  type Report = MigrationReport & { readonly resource: { readonly spec: unknown } };
  const report = async (): Promise<Report> => JSON.parse((await migrate('--dry-run', '-o', 'json')).out);
  const states = async (): Promise<readonly string[]> => (await report()).steps.map(({ state }) => state);

  it('shows the way, first of all to stop upstream VDO, and changes nothing with --dry-run', async () => {
    await seed(bothDrivers);
    await seedOperator();
    const { exitCode, out, err } = await migrate('--dry-run');
    expect(exitCode, err).toBe(0);
    await expect(out.replaceAll(/[ \t]+$/gm, '')).toMatchFileSnapshot('golden/vdo-plan.txt');
    expect(out + err).not.toContain(password);
    expect(await cluster.kube.find(secrets, { namespace, name: 'vcenter' })).toBeUndefined();
  });

  it('makes the resource of the kinds, keeps the id of the volumes, and writes no password', async () => {
    await seed(bothDrivers);
    const conf = '[Global]\ncluster-id = "10.1.1.1"\n\n[VirtualCenter "10.1.1.1"]\n';
    await cluster.kube.create(
      secrets,
      secret('vmware-system-csi', 'vsphere-config-secret', { 'csi-vsphere.conf': conf }),
    );
    const { resource, notes } = await report();
    expect(resource.spec).toEqual({
      distribution: 'Upstream',
      vcenters: [{ server: '10.1.1.1', credentialsSecret: 'vcenter', datacenters: ['dc-1'] }],
      cpi: {},
      csi: {
        clusterId: '10.1.1.1',
        clusterDistribution: 'OpenShift',
        fileVolumes: {
          datastoreUrls: ['ds:///vmfs/volumes/vsan:1/'],
          netPermissions: [
            { ips: '10.0.0.0/8', permissions: 'ReadOnly', rootSquash: true },
            { ips: '*', permissions: 'ReadWrite', rootSquash: false },
          ],
        },
      },
      topology: { region: 'k8s-region', zone: 'k8s-zone' },
      advanced: { kubeletPath: '/data/kubelet' },
    });
    expect(notes.join('\n')).toMatch(
      /never looked at it[\s\S]*storage\/cluster-id-unique[\s\S]*opposite of the answer/,
    );
  });

  it('takes trust as it was, and storage alone where there was no cloud provider', async () => {
    const fingerprint = Array(20).fill('AB').join(':');
    await seed({ storageProvider: { vsphereCloudConfig: 'vc' } }, [
      cloud('vc', { thumbprint: fingerprint, insecure: true }),
      cloud('unused', { vcIp: '10.9.9.9' }),
    ]);
    const { resource, notes } = await report();
    expect(resource.spec).toEqual({
      distribution: 'Upstream',
      vcenters: [
        {
          server: '10.1.1.1',
          credentialsSecret: 'vcenter',
          tls: { thumbprints: [fingerprint] },
          datacenters: ['dc-1'],
        },
      ],
      csi: { clusterId: '10.1.1.1' },
    });
    expect(notes.join('\n')).not.toContain('never looked at');
  });

  it('writes Secret and resource once the operator is there, and goes on from what it finds', async () => {
    await seed(bothDrivers);
    await seedOperator();
    expect(await states()).toEqual(['due', 'waits', 'waits', 'waits', 'waits', 'waits']);
    await cluster.kube.delete(deployments, { namespace, name: 'vdo-controller-manager' });
    expect(await states()).toEqual(['done', 'due', 'waits', 'waits', 'waits', 'waits']);
    await applyDefinitions(cluster.kube);
    const { exitCode, err } = await migrate('--yes');
    expect(exitCode, err).toBe(0);
    const stored = await cluster.kube.get(secrets, { namespace, name: 'vcenter' });
    expect(decodeSecretData(stored.data)).toEqual({
      '10.1.1.1.username': 'k8s@vsphere.local',
      '10.1.1.1.password': password,
    });
    const resource = await cluster.kube.get(vsphereDrivers, { name: 'cluster' });
    expect(resource.spec).toMatchObject({ distribution: 'Upstream', csi: { clusterId: '10.1.1.1' } });
    expect(await states()).toEqual(['done', 'done', 'done', 'done', 'due', 'waits']);
    expect((await migrate('--yes')).exitCode).toBe(0);
  });

  it('asks for an account that it does not find, and makes no resource before it has it', async () => {
    await seed(bothDrivers, [cloud('vc', { credentials: 'elsewhere' })]);
    await applyDefinitions(cluster.kube);
    const { out } = await migrate('--yes');
    expect(out).toMatch(
      /kubectl -n vmware-system-vdo create secret generic vcenter --from-literal=10\.1\.1\.1\.username/,
    );
    expect(await cluster.kube.find(vsphereDrivers, { name: 'cluster' })).toBeUndefined();
  });

  it('says what is missing', async () => {
    const none = await migrate('--dry-run');
    expect(none).toMatchObject({ exitCode: 2, err: expect.stringContaining('no VDOConfig of upstream VDO') });
    await seed(bothDrivers, []);
    const lost = await migrate('--dry-run');
    expect(lost.err).toMatch(/names VsphereCloudConfig vc, which does not exist/);
    await cluster.kube.create(formerConfigs, { ...config(bothDrivers), metadata: { name: 'second', namespace } });
    expect((await migrate('--dry-run')).err).toMatch(/there are 2 VDOConfigs/);
  });
});
