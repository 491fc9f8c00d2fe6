import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { decodeSecretData } from '@vdo/config/credentials';
import { type CustomResourceDefinition, customResourceDefinitions } from '@vdo/kube/types/cluster';
import { configMaps, namespaces, secrets } from '@vdo/kube/types/core';
import { type Deployment, deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runVdoctl } from '../../../testing/run-vdoctl.ts';
import { applyDefinitions } from '../../../testing/seed-resource.ts';
import { startSimCluster } from '../../../testing/sim-cluster.ts';
import type { MigrationReport } from '../migration-view.ts';
import { type V1alpha1Config, type V1alpha1VCenter, v1alpha1Configs, v1alpha1VCenters } from './v1alpha1-facts.ts';

const namespace = 'vmware-system-vdo';
const password = 'obviously-fake';

const crdOf = ({ plural, kind }: { readonly plural: string; readonly kind: string }): CustomResourceDefinition =>
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

const v1alpha1 = { apiVersion: 'vdo.vmware.com/v1alpha1' } as const;
const cloud = (name: string, spec: Partial<V1alpha1VCenter['spec']> = {}): V1alpha1VCenter => ({
  ...v1alpha1,
  kind: 'VsphereCloudConfig',
  metadata: { name, namespace },
  spec: { vcIp: '10.1.1.1', insecure: false, credentials: 'vc-credentials', datacenters: ['dc-1'], ...spec },
});
const config = (spec: V1alpha1Config['spec']): V1alpha1Config => ({
  ...v1alpha1,
  kind: 'VDOConfig',
  metadata: { name: 'vdo-config', namespace },
  spec,
});
const bothDrivers: V1alpha1Config['spec'] = {
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
  const seed = async (spec: V1alpha1Config['spec'], vcenters: readonly V1alpha1VCenter[] = [cloud('vc')]) => {
    const { kube } = cluster;
    for (const resource of [v1alpha1Configs, v1alpha1VCenters])
      await kube.create(customResourceDefinitions, crdOf(resource));
    await kube.create(v1alpha1Configs, config(spec));
    for (const vcenter of vcenters) await kube.create(v1alpha1VCenters, vcenter);
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
  const undo = (...argv: readonly string[]) =>
    runVdoctl(['migrate', 'undo', '--kubeconfig', cluster.kubeconfig, ...argv]);
  const becomeReady = () =>
    cluster.kube.patch(
      vsphereDrivers,
      { name: 'cluster' },
      {
        type: 'merge',
        body: {
          status: {
            observedGeneration: 1,
            conditions: [
              {
                type: 'Ready',
                status: 'True',
                reason: 'Test',
                message: '',
                lastTransitionTime: '2026-01-01T00:00:00Z',
              },
            ],
          },
        },
      },
      { subresource: 'status' },
    );
  type Report = MigrationReport & { readonly resource: { readonly spec: unknown } };
  const report = async (): Promise<Report> => JSON.parse((await migrate('--dry-run', '-o', 'json')).out);
  const states = async (): Promise<readonly string[]> => (await report()).steps.map(({ state }) => state);

  it('shows the way, first of all to stop upstream VDO, and changes nothing with --dry-run', async () => {
    await seed(bothDrivers);
    await seedOperator();
    const { exitCode, out, err } = await migrate('--dry-run');
    expect(exitCode, err).toBe(0);
    await expect(out.replaceAll(/[ \t]+$/gm, '')).toMatchFileSnapshot('../golden/vdo-plan.txt');
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
    expect(notes.join('\n')).toMatch(/did not verify it[\s\S]*storage\/cluster-id-unique[\s\S]*opposite of the answer/);
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
    expect(notes.join('\n')).not.toContain('did not verify');
  });

  it('stops upstream VDO, writes Secret and resource, and goes on from what it finds', async () => {
    await seed(bothDrivers);
    await seedOperator();
    await applyDefinitions(cluster.kube);
    expect(await states()).toEqual(['due', 'done', 'waits', 'waits', 'waits']);
    // Nobody reconciles here: the wait for the drivers ends with its own exit code.
    expect(await migrate('--yes', '--timeout', '1s')).toMatchObject({
      exitCode: 124,
      err: expect.stringMatching(/vdoctl\s+migrate\s+undo/),
    });
    const stopped = await cluster.kube.get(deployments, { namespace, name: 'vdo-controller-manager' });
    expect(stopped.spec.replicas).toBe(0);
    const stored = await cluster.kube.get(secrets, { namespace, name: 'vcenter' });
    expect(decodeSecretData(stored.data)).toEqual({
      '10.1.1.1.username': 'k8s@vsphere.local',
      '10.1.1.1.password': password,
    });
    const resource = await cluster.kube.get(vsphereDrivers, { name: 'cluster' });
    expect(resource.spec).toMatchObject({ distribution: 'Upstream', csi: { clusterId: '10.1.1.1' } });
    expect(await states()).toEqual(['done', 'done', 'done', 'done', 'due']);
    await becomeReady();
    expect(await states()).toEqual(['done', 'done', 'done', 'done', 'done']);
    const asked = await migrate('--finish');
    expect(asked).toMatchObject({ exitCode: 2, err: expect.stringContaining('Point of no return: the operator') });
    expect(await migrate('--finish', '--yes')).toMatchObject({
      exitCode: 0,
      err: expect.stringContaining('Finished.'),
    });
    expect(await cluster.kube.find(deployments, { namespace, name: 'vdo-controller-manager' })).toBeUndefined();
    expect(await undo('--yes')).toMatchObject({ exitCode: 2, err: expect.stringMatching(/no\s+longer\s+be\s+undone/) });
    expect(await migrate('--dry-run')).toMatchObject({ exitCode: 0, out: expect.stringContaining('is finished') });
  });

  it('goes on without flags from another workstation, and refuses others than it was begun with', async () => {
    await seed(bothDrivers);
    await applyDefinitions(cluster.kube);
    const bare = (...argv: readonly string[]) => runVdoctl(['migrate', ...argv, '--kubeconfig', cluster.kubeconfig]);
    expect(await bare('vdo', '--dry-run')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--distribution is missing'),
    });
    expect((await migrate('--yes', '--timeout', '1s')).exitCode).toBe(124);
    expect((await bare('vdo', '--dry-run')).out).toMatch(/are unchanged \(0 volumes\)/);
    expect(await bare('vdo', '--distribution', 'Native', '--yes')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('started with --distribution Upstream'),
    });
    expect(await bare('drivers', '--distribution', 'Upstream', '--yes')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('vdoctl migrate vdo'),
    });
    expect(await bare('vdo', '--confirm', 'operator')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('is not a step that can be confirmed'),
    });
  });

  it('goes back to how things were, and says that there is nothing to go back from', async () => {
    expect(await undo('--yes')).toMatchObject({ exitCode: 2, err: expect.stringContaining('no migration') });
    await seed(bothDrivers);
    await seedOperator();
    await applyDefinitions(cluster.kube);
    await migrate('--yes', '--timeout', '1s');
    const { out } = await undo('--dry-run');
    await expect(out.replace(/started at \S+:/, 'started at TIME:').replaceAll(/[ \t]+$/gm, '')).toMatchFileSnapshot(
      '../golden/vdo-undo.txt',
    );
    expect(await undo('--yes')).toMatchObject({
      exitCode: 0,
      err: expect.stringContaining('previous state is restored'),
    });
    expect(await cluster.kube.find(vsphereDrivers, { name: 'cluster' })).toBeUndefined();
    expect(await cluster.kube.find(secrets, { namespace, name: 'vcenter' })).toBeUndefined();
    const upstreamOperator = await cluster.kube.get(deployments, { namespace, name: 'vdo-controller-manager' });
    expect(upstreamOperator.spec.replicas).toBe(1);
    expect(await cluster.kube.find(configMaps, { namespace: 'kube-system', name: 'vdo-migration' })).toBeUndefined();
  });

  it('merges the entries that the wizard made of one vCenter, and keeps two accounts two', async () => {
    const fingerprint = Array(20).fill('AB').join(':');
    const spec = {
      cloudProvider: { vsphereCloudConfigs: ['10.1.1.1-cpi'] },
      storageProvider: { vsphereCloudConfig: '10.1.1.1-csi' },
    };
    await seed(spec, [
      cloud('10.1.1.1-cpi', { credentials: '10.1.1.1-creds-cpi', datacenters: ['dc-1'], insecure: true }),
      cloud('10.1.1.1-csi', { credentials: '10.1.1.1-creds-csi', datacenters: ['dc-2'], thumbprint: fingerprint }),
    ]);
    for (const driver of ['cpi', 'csi'])
      await cluster.kube.create(
        secrets,
        secret('kube-system', `10.1.1.1-creds-${driver}`, { username: `${driver}@vsphere.local`, password }),
      );
    await applyDefinitions(cluster.kube);
    const { resource, notes } = await report();
    expect(resource.spec).toMatchObject({
      vcenters: [{ server: '10.1.1.1', datacenters: ['dc-1', 'dc-2'], tls: { thumbprints: [fingerprint] } }],
      cpi: { credentialsSecret: 'vcenter-cpi' },
      csi: { clusterId: '10.1.1.1' },
    });
    expect(notes.join('\n')).toContain('two accounts and keep them');
    await migrate('--yes', '--timeout', '1s');
    const userOf = async (name: string) =>
      decodeSecretData((await cluster.kube.get(secrets, { namespace, name })).data)['10.1.1.1.username'];
    expect([await userOf('vcenter'), await userOf('vcenter-cpi')]).toEqual(['csi@vsphere.local', 'cpi@vsphere.local']);
    expect((await undo('--yes')).exitCode).toBe(0);
    for (const name of ['vcenter', 'vcenter-cpi'])
      expect(await cluster.kube.find(secrets, { namespace, name })).toBeUndefined();
  });

  it('prints YAML that says nothing of what is not there', async () => {
    await seed(bothDrivers);
    const { out } = await migrate('--dry-run', '-o', 'yaml');
    expect(out).not.toMatch(/undefined|: null$/m);
    expect(parse(out)).toMatchObject({ resource: { kind: 'VSphereDrivers' } });
  });

  it('asks for an account that it does not find, and makes no resource before it has it', async () => {
    await seed(bothDrivers, [cloud('vc', { credentials: 'elsewhere' })]);
    await applyDefinitions(cluster.kube);
    const { out } = await migrate('--yes', '--timeout', '1s');
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
    expect(lost.err).toMatch(/refers to VsphereCloudConfig vc, which does not exist/);
    await cluster.kube.create(v1alpha1Configs, { ...config(bothDrivers), metadata: { name: 'second', namespace } });
    expect((await migrate('--dry-run')).err).toMatch(/there are 2 VDOConfigs[\s\S]*--vdo-config/);
    await cluster.kube.create(v1alpha1VCenters, cloud('vc'));
    expect((await migrate('--dry-run', '--vdo-config', 'second')).exitCode).toBe(0);
    expect((await migrate('--dry-run', '--vdo-config', 'third')).err).toMatch(/VDOConfig third does not exist/);
  });
});
