import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { decodeSecretData } from '@vdo/config/credentials';
import {
  configMaps,
  nodes,
  type PersistentVolume,
  type Pod,
  persistentVolumes,
  pods,
  secrets,
} from '@vdo/kube/types/core';
import { csiNodes, storageClasses } from '@vdo/kube/types/storage';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../../testing/run-vdoctl.ts';
import { applyDefinitions } from '../../../testing/seed-resource.ts';
import { type SimTestbed, startSimTestbed, testbedNamespace } from '../../../testing/sim-testbed.ts';
import { administrator } from '../../../testing/sim-vcenter.ts';
import type { MigrationReport } from '../migration-view.ts';

describe('vdoctl migrate in-tree', () => {
  let testbed: SimTestbed;
  let file: string;
  let port: string;
  let thumbprint: string;

  const conf = (change: Readonly<Record<string, string>> = {}): string => {
    const account = change['account'] ?? `user = "${administrator.username}"\npassword = "${administrator.password}"`;
    return `[Global]
${account}
port = "${port}"
datacenters = "demo"
thumbprint = "${thumbprint}"

[VirtualCenter "${testbed.server}"]

[Workspace]
server = "${testbed.server}"
datacenter = "demo"
default-datastore = "vsanDatastore"
folder = "kubernetes"

[Disk]
scsicontrollertype = lsilogic-sas

[Network]
public-network = "Kubernetes"
`;
  };

  const staticPod = (program: string, flags: readonly string[]): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${program}-node-1`, namespace: 'kube-system', labels: { component: program } },
    spec: { nodeName: 'node-1', containers: [{ name: program, image: 'x', command: [program, ...flags] }] },
  });
  const volume = (name: string, annotations: Readonly<Record<string, string>> = {}): PersistentVolume =>
    ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name, annotations },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        claimRef: { namespace: 'shop', name: `data-${name}` },
        vsphereVolume: { volumePath: `[vsanDatastore] kubevols/${name}.vmdk`, fsType: 'ext4' },
      },
    }) as unknown as PersistentVolume;

  beforeEach(async () => {
    testbed = await startSimTestbed();
    const [, , , found = '', , , , seen = ''] = testbed.vcenter.flags;
    [port, thumbprint] = [found, seen];
    file = join(testbed.folder, 'vsphere.conf');
    await writeFile(file, conf());
    const { kube } = testbed.cluster;
    for (const index of [3, 4, 5]) await kube.delete(nodes, { name: `node-${index}` });
    for (const index of [1, 2]) {
      const status = {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [{ type: 'InternalIP', address: `10.10.0.${10 + index}` }],
        nodeInfo: { systemUUID: demoUuid(index), kubeletVersion: 'v1.29.4' },
      };
      const name = `node-${index}`;
      await kube.patch(nodes, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
    }
    const labels = { 'node-role.kubernetes.io/control-plane': '' };
    await kube.patch(nodes, { name: 'node-1' }, { type: 'merge', body: { metadata: { labels } } });
    const cloud = ['--cloud-provider=vsphere', '--cloud-config=/etc/kubernetes/vsphere.conf'];
    await kube.create(pods, staticPod('kube-controller-manager', cloud));
    await kube.create(pods, staticPod('kube-apiserver', ['--secure-port=6443']));
    await kube.create(persistentVolumes, volume('pv-1'));
    await kube.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kubeadm-config', namespace: 'kube-system' },
      data: { ClusterConfiguration: 'controllerManager:\n  extraArgs:\n    cloud-provider: vsphere\n' },
    });
  });
  afterEach(() => testbed?.stop());

  const migrate = (...argv: readonly string[]) =>
    runVdoctl([
      ...['migrate', 'in-tree', '--config', file, '--distribution', 'Native'],
      ...['--kubeconfig', testbed.cluster.kubeconfig, ...argv],
    ]);
  const report = async (...argv: readonly string[]): Promise<MigrationReport & { readonly resource: unknown }> =>
    JSON.parse((await migrate('--dry-run', '-o', 'json', ...argv)).out);
  const tidy = (text: string): string =>
    text
      .replaceAll(testbed.server, 'VCENTER')
      .replaceAll(String(testbed.vcenter.sim.control.read('vsanDatastore', 'summary.url')), 'URL-OF-VSANDATASTORE')
      .replaceAll(new RegExp(`\\b${port}\\b`, 'g'), 'PORT')
      .replaceAll(/([0-9A-F]{2}:){19,}[0-9A-F]{2}|\b[0-9a-fA-F]{40,64}\b/g, 'THUMBPRINT')
      .replaceAll(/[ \t]+$/gm, '');

  it('shows the way and how far it is, and changes nothing with --dry-run', async () => {
    const { exitCode, out, err } = await migrate('--dry-run');
    expect(exitCode, err).toBe(0);
    await expect(tidy(out)).toMatchFileSnapshot('../golden/plan.txt');
    const wide = await migrate('--dry-run', '-o', 'wide');
    await expect(tidy(wide.out)).toMatchFileSnapshot('../golden/plan-wide.txt');
    const json = await migrate('--dry-run', '-o', 'json');
    await expect(tidy(json.out)).toMatchFileSnapshot('../golden/plan.json.txt');
    expect(await testbed.cluster.kube.find(secrets, { namespace: testbedNamespace, name: 'vcenter' })).toBeUndefined();
    for (const shown of [out, err, wide.out, json.out]) expect(shown).not.toContain(administrator.password);
  });

  it('makes the resource of the file: trust, datacenters, networks, and the datastore of volumes without one', async () => {
    const { resource } = await report();
    expect(resource).toMatchObject({
      kind: 'VSphereDrivers',
      spec: {
        distribution: 'Native',
        vcenters: [
          {
            server: testbed.server,
            port: Number(port),
            credentialsSecret: 'vcenter',
            datacenters: ['demo'],
            migrationDatastoreUrl: expect.stringMatching(/^ds:\/\/\//),
          },
        ],
        cpi: { addresses: { internal: { network: 'Kubernetes' }, external: { network: 'Kubernetes' } } },
        csi: { inTreeMigration: true },
      },
    });
  });

  it('writes Secret and resource once the operator is there, and then names the next steps', async () => {
    const { kube } = testbed.cluster;
    await applyDefinitions(kube);
    expect(await migrate()).toMatchObject({ exitCode: 2, err: expect.stringContaining('--yes') });
    const applied = await migrate('--yes', '--timeout', '1s');
    expect(applied.exitCode, applied.err).toBe(124);
    const secret = await kube.get(secrets, { namespace: testbedNamespace, name: 'vcenter' });
    expect(decodeSecretData(secret.data)).toEqual({
      [`${testbed.server}.username`]: administrator.username,
      [`${testbed.server}.password`]: administrator.password,
    });
    expect((await kube.get(vsphereDrivers, { name: 'cluster' })).spec.distribution).toBe('Native');
    const again = await report();
    expect(again.steps.slice(0, 4).map(({ state }) => state)).toEqual(['done', 'done', 'done', 'due']);
    // The record has everything but the account, which is in the Secret: the file is not needed any more.
    const bare = await runVdoctl(['migrate', 'in-tree', '--dry-run', '--kubeconfig', testbed.cluster.kubeconfig]);
    expect(bare).toMatchObject({ exitCode: 0, out: expect.stringContaining('kube-controller-manager') });
  });

  it('follows the control plane, the kubelets and the volumes to the end', async () => {
    const { kube } = testbed.cluster;
    await applyDefinitions(kube);
    await migrate('--yes', '--timeout', '1s');
    const status = {
      observedGeneration: 1,
      conditions: ['Ready', 'Available'].map((type) => ({
        type,
        status: 'True',
        reason: 'Test',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    };
    const body = { status };
    await kube.patch(vsphereDrivers, { name: 'cluster' }, { type: 'merge', body }, { subresource: 'status' });
    const stateOf = async (text: string) => (await report()).steps.find(({ what }) => what.includes(text))?.state;
    expect(await stateOf('wait until the operator has taken over the drivers')).toBe('done');
    expect(await stateOf('kube-controller-manager')).toBe('due');
    expect(await stateOf('kubelet')).toBe('waits');

    const namespace = 'kube-system';
    await kube.delete(pods, { namespace, name: 'kube-controller-manager-node-1' }, { gracePeriodSeconds: 0 });
    await kube.create(pods, staticPod('kube-controller-manager', ['--cloud-provider', 'external']));
    expect(await stateOf('kube-controller-manager')).toBe('done');
    expect(await stateOf('kubeadm-config')).toBe('due');
    expect((await migrate('--yes')).exitCode).toBe(0);
    const written = await kube.get(configMaps, { namespace, name: 'kubeadm-config' });
    expect(written.data?.['ClusterConfiguration']).toBe(
      'controllerManager:\n  extraArgs:\n    cloud-provider: external\n',
    );
    expect(await stateOf('kubelet')).toBe('unknown');
    expect((await migrate('--yes', '--confirm', 'kubelet-node-1', '--confirm', 'kubelet-node-2')).exitCode).toBe(0);
    expect(await stateOf('kubelet')).toBe('done');
    expect((await migrate('--yes', '--finish')).err).toContain('volumes');

    await kube.delete(persistentVolumes, { name: 'pv-1' });
    await kube.create(persistentVolumes, volume('pv-2', { 'pv.kubernetes.io/migrated-to': 'csi.vsphere.vmware.com' }));
    expect(await stateOf('in-tree volumes')).toBe('due');
    for (const name of ['node-1', 'node-2'])
      await kube.create(csiNodes, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSINode',
        metadata: {
          name,
          annotations: {
            'storage.alpha.kubernetes.io/migrated-plugins': 'kubernetes.io/aws-ebs,kubernetes.io/vsphere-volume',
          },
        },
        spec: { drivers: [{ name: 'csi.vsphere.vmware.com', nodeID: name }] },
      });
    expect(await stateOf('in-tree volumes')).toBe('done');
    // The volume of the beginning is gone, by hand: that is no small thing, and must be said.
    const refused = await migrate('--yes', '--finish');
    expect(refused).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/PersistentVolume\s+pv-1\s+does\s+not\s+exist/),
    });

    const back = (...argv: readonly string[]) =>
      runVdoctl(['migrate', 'undo', '--kubeconfig', testbed.cluster.kubeconfig, ...argv]);
    const plan = await back('--dry-run', '-o', 'wide');
    await expect(tidy(plan.out).replace(/started at \S+:/, 'started at TIME:')).toMatchFileSnapshot(
      '../golden/in-tree-undo.txt',
    );
    const first = await back('--yes');
    expect(first).toMatchObject({
      exitCode: 0,
      err: expect.stringContaining('Next, do this yourself: kube-controller-manager'),
    });
    const reset = await kube.get(configMaps, { namespace, name: 'kubeadm-config' });
    expect(reset.data?.['ClusterConfiguration']).toBe(
      'controllerManager:\n  extraArgs:\n    cloud-provider: vsphere\n',
    );
    expect(await kube.find(vsphereDrivers, { name: 'cluster' })).toBeDefined();
    await kube.delete(pods, { namespace, name: 'kube-controller-manager-node-1' }, { gracePeriodSeconds: 0 });
    const cloud = ['--cloud-provider=vsphere', '--cloud-config=/etc/kubernetes/vsphere.conf'];
    await kube.create(pods, staticPod('kube-controller-manager', cloud));
    expect(await back('--yes')).toMatchObject({
      exitCode: 0,
      err: expect.stringContaining('previous state is restored'),
    });
    expect(await kube.find(vsphereDrivers, { name: 'cluster' })).toBeUndefined();
    expect(await kube.find(secrets, { namespace: testbedNamespace, name: 'vcenter' })).toBeUndefined();
  });

  it('writes nothing while something would break', async () => {
    const { kube } = testbed.cluster;
    await applyDefinitions(kube);
    await kube.create(storageClasses, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'gold' },
      provisioner: 'kubernetes.io/vsphere-volume',
      parameters: { diskformat: 'thin', iopsLimit: '500' },
    });
    await kube.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'old', namespace: 'default' },
      spec: {
        containers: [{ name: 'main', image: 'x' }],
        volumes: [{ name: 'data', vsphereVolume: { volumePath: '[ds] x.vmdk' } }],
      },
    });
    testbed.vcenter.sim.control.setExtraConfig('node-2', { 'disk.EnableUUID': '' });
    const { exitCode, out } = await migrate('--yes');
    expect(exitCode).toBe(3);
    for (const text of ['pod default/old refers to a disk', 'StorageClass gold has iopsLimit', 'node/disk-enable-uuid'])
      expect(out.replaceAll(/\s+/g, ' ')).toContain(text);
    expect(await kube.find(secrets, { namespace: testbedNamespace, name: 'vcenter' })).toBeUndefined();
    expect(await kube.find(vsphereDrivers, { name: 'cluster' })).toBeUndefined();
  });

  it('takes accounts from the Secret that the file names, and asks for those it does not have', async () => {
    const { kube } = testbed.cluster;
    const named = 'secret-name = "cloud"\nsecret-namespace = "kube-system"';
    await writeFile(file, conf({ account: named }));
    const ask = await report();
    expect(ask.steps.find(({ what }) => what.startsWith('store the account'))).toMatchObject({
      who: 'you',
      commands: [expect.stringContaining(`--from-file=${testbed.server}.password=FILE`)],
    });
    await kube.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'cloud', namespace: 'kube-system' },
      stringData: {
        [`${testbed.server}.username`]: administrator.username,
        [`${testbed.server}.password`]: administrator.password,
      },
    });
    await applyDefinitions(kube);
    expect((await migrate('--yes', '--timeout', '1s')).exitCode).toBe(124);
    expect(await kube.find(secrets, { namespace: testbedNamespace, name: 'vcenter' })).toBeDefined();
  });

  it('says what is wrong with the file and with the account', async () => {
    await writeFile(file, conf().replace(administrator.password, 'obviously-wrong'));
    const refused = await migrate('--yes');
    expect(refused.exitCode).toBe(3);
    expect(refused.out).toContain('Blocked by:');
    expect(refused.out).toContain(`vCenter ${testbed.server}`);
    expect(refused.out + refused.err).not.toContain('obviously-wrong');
    await writeFile(file, '[Global]\nport = "many"\n');
    expect(await migrate('--dry-run')).toMatchObject({ exitCode: 2, err: expect.stringContaining('port') });
    const missing = await runVdoctl([
      ...['migrate', 'in-tree', '--config', '/nonexistent.conf', '--distribution', 'Native'],
    ]);
    expect(missing).toMatchObject({ exitCode: 2, err: expect.stringContaining('--cloud-config') });
  });
});
