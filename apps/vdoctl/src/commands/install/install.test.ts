import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { clusterRoles } from '@vdo/kube/types/cluster';
import { namespaces } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { type SimCluster, startSimCluster } from '../../testing/sim-cluster.ts';

const operator = { namespace: 'vmware-system-vdo', name: 'vdo-operator' };

describe('vdoctl install and uninstall', () => {
  let cluster: SimCluster;
  beforeEach(async () => {
    cluster = await startSimCluster();
  });
  afterEach(() => cluster.stop());
  const tidy = (text: string): string =>
    text.replaceAll(cluster.server, 'https://CLUSTER').replaceAll(/^ {2}waiting for the deletion of .*\n/gm, '');
  const vdoctl = (...argv: readonly string[]) => runVdoctl([...argv, '--kubeconfig', cluster.kubeconfig]);

  it('prints the manifests and changes nothing with --dry-run -o yaml', async () => {
    const { exitCode, out, err } = await vdoctl(
      'install',
      '--dry-run',
      '-o',
      'yaml',
      '--registry',
      'mirror.example.com',
    );
    expect([exitCode, err]).toEqual([0, '']);
    const kinds = parseAllDocuments(out).map((document) => (document.toJS() as { kind: string }).kind);
    expect(kinds.slice(0, 2)).toEqual(['CustomResourceDefinition', 'CustomResourceDefinition']);
    expect(kinds).toContain('Deployment');
    expect(out).toContain('image: mirror.example.com/');
    expect(await cluster.kube.find(deployments, operator)).toBeUndefined();
  });

  it.each(['install', 'uninstall'])(
    'refuses to %s in another namespace than the one of its rights',
    async (command) => {
      const { exitCode, err } = await vdoctl(command, '--namespace', 'other', '--yes');
      expect(exitCode).toBe(2);
      expect(err).toMatch(/in vmware-system-vdo[\s\S]*Remove the flag --namespace/);
    },
  );

  it('lets the operator serve the status page where asked, and takes the rights for that away again', async () => {
    const { kube } = cluster;
    await vdoctl('install', '--yes', '--no-wait', '--dashboard');
    const argsOf = async () => (await kube.get(deployments, operator)).spec.template.spec.containers[0]?.args;
    expect(await argsOf()).toContain('--dashboard');
    const role = { name: 'vdo-operator:dashboard' };
    expect(await kube.find(clusterRoles, role)).toBeDefined();
    await vdoctl('uninstall', '--yes');
    expect(await kube.find(clusterRoles, role)).toBeUndefined();
    await vdoctl('install', '--yes', '--no-wait');
    expect(await argsOf()).not.toContain('--dashboard');
    expect(await kube.find(clusterRoles, role)).toBeUndefined();
  });

  it('refuses to change a cluster when nobody can be asked', async () => {
    const { exitCode, err } = await vdoctl('install');
    expect(exitCode).toBe(2);
    expect(err).toContain('--yes');
    expect(await cluster.kube.find(deployments, operator)).toBeUndefined();
  });

  it('installs, finds nothing to do the second time, and removes everything', async () => {
    const installed = await vdoctl('install', '--yes', '--no-wait');
    expect(installed).toMatchObject({ exitCode: 0, out: '' });
    await expect(installed.err).toMatchFileSnapshot('golden/install.txt');
    expect(await cluster.kube.find(deployments, operator)).toBeDefined();
    expect((await cluster.kube.list(vsphereDrivers)).items).toEqual([]);
    const again = await vdoctl('install', '--yes', '--no-wait');
    expect(again).toMatchObject({ exitCode: 0, err: '' });
    expect(again.out).toMatch(/is already installed on /);

    const plan = await vdoctl('uninstall', '--dry-run');
    expect(plan.out).toContain('delete Deployment vmware-system-vdo/vdo-operator');
    const removed = await vdoctl('uninstall', '--yes');
    expect(removed).toMatchObject({ exitCode: 0, out: '' });
    await expect(tidy(removed.err)).toMatchFileSnapshot('golden/uninstall.txt');
    const nothing = await vdoctl('uninstall', '--dry-run');
    expect(nothing.out).toMatch(/^Nothing to remove: .*\n$/);
    expect(await cluster.kube.find(deployments, operator)).toBeUndefined();
    expect(await cluster.kube.find(namespaces, { name: operator.namespace })).toBeUndefined();
    const status = await vdoctl('status');
    expect(status.out).toContain('Absent');
  });

  it('waits again for an operator that is installed and does not run', async () => {
    await vdoctl('install', '--yes', '--no-wait');
    const { exitCode, out, err } = await vdoctl('install', '--yes', '--timeout', '1s');
    expect(out).toMatch(/is already installed on /);
    expect([1, 124]).toContain(exitCode);
    expect(err).toContain('Remedy: ');
  });

  it('says that the operator is not up within --timeout, with exit code 1 or 124', async () => {
    const { exitCode, err } = await vdoctl('install', '--yes', '--timeout', '1s');
    expect([1, 124]).toContain(exitCode);
    expect(err).toContain('vdo-operator');
    expect(err).toContain('Remedy: ');
  });
});
