import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { yamlValue } from '@vdo/base/yaml';
import { type VSphereDriversSpecInput, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { namespaces, secrets } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { seedResource } from '../../testing/seed-resource.ts';
import { type SimCluster, startSimCluster } from '../../testing/sim-cluster.ts';
import { type SimVCenter, startSimVCenter } from '../../testing/sim-vcenter.ts';

const admin = { username: 'administrator@vsphere.local', password: 'obviously-fake' };
const namespace = 'vmware-system-vdo';

describe('vdoctl doctor', () => {
  let cluster: SimCluster;
  let vcenter: SimVCenter;
  let folder: string;
  let file: string;
  beforeAll(async () => {
    [cluster, vcenter] = await Promise.all([startSimCluster(), startSimVCenter(admin)]);
    folder = await mkdtemp(join(tmpdir(), 'vdoctl-doctor-'));
    file = join(folder, 'drivers.yaml');
    const [, server, , port, , , , thumbprint] = vcenter.flags;
    const spec = {
      distribution: 'Native',
      vcenters: [{ server, port: Number(port), credentialsSecret: 'vcenter', tls: { thumbprints: [thumbprint] } }],
      cpi: {},
      csi: {},
    };
    const resource = {
      apiVersion: 'vdo.vmware.com/v1beta1',
      kind: 'VSphereDrivers',
      metadata: { name: 'cluster' },
      spec,
    };
    await writeFile(file, stringify(resource));
    await cluster.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  });
  afterAll(async () => {
    await Promise.all([cluster.stop(), vcenter.stop(), rm(folder, { recursive: true, force: true })]);
  });
  const doctor = (...argv: readonly string[]) => runVdoctl(['doctor', '--kubeconfig', cluster.kubeconfig, ...argv]);

  it('says what is missing before an install, and is content when it is there', async () => {
    const before = await doctor('--file', file, '--only', 'vcenter,credentials');
    expect(before.exitCode).toBe(3);
    expect(before.out).toMatch(/^Degraded {2}/);
    expect(before.out).toContain('kubectl -n vmware-system-vdo create secret generic vcenter');

    await cluster.kube.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'vcenter', namespace },
      data: {
        username: Buffer.from(admin.username).toString('base64'),
        password: Buffer.from(admin.password).toString('base64'),
      },
    });
    const after = await doctor('--file', file, '--only', 'vcenter,credentials', '-o', 'json');
    const outcomes = JSON.parse(after.out) as { id: string; result: string; docs: string }[];
    expect(outcomes.filter(({ result }) => result === 'Fail')).toEqual([]);
    expect(after.exitCode).toBe(0);
    expect(outcomes.find(({ id }) => id === 'credentials/login')).toMatchObject({ result: 'Pass' });
    expect(after.out + after.err).not.toContain(admin.password);
  });

  it('begins with the word of vdoctl status, although its checks alone would say less', async () => {
    const { spec } = yamlValue(await readFile(file, 'utf8')) as { readonly spec: VSphereDriversSpecInput };
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const stalled = {
      type: 'Stalled' as const,
      status: 'True' as const,
      reason: 'VCenterLoginRejected',
      message: 'the password is wrong',
      lastTransitionTime,
    };
    await seedResource(cluster.kube, spec, { conditions: [stalled] });
    const status = await runVdoctl(['status', '--kubeconfig', cluster.kubeconfig]);
    expect(status.out).toMatch(/^ActionRequired {2}/);
    expect((await doctor('--only', 'versions')).out).toMatch(/^ActionRequired {2}[^\n]*\n {2}the password is wrong/);
    await cluster.kube.delete(vsphereDrivers, { name: 'cluster' });
  });

  it('knows single checks, and the names that groups had before', async () => {
    const ids = async (only: string) =>
      (JSON.parse((await doctor('--file', file, '--only', only, '-o', 'json')).out) as { id: string }[]).map(
        ({ id }) => id,
      );
    expect(new Set(await ids('credentials/login'))).toEqual(new Set(['credentials/login']));
    expect(await ids('CR/login,vc')).toEqual(await ids('credentials/login,vcenter'));
  });

  it('runs every group, and lists what passed with --all', async () => {
    const { out } = await doctor('--file', file, '--all');
    for (const group of ['vcenter/', 'credentials/', 'privileges/', 'storage/', 'versions/'])
      expect(out).toContain(` ${group}`);
    expect(out).toContain('Pass ');
  });

  it('says where a resource would come from if there is none', async () => {
    const { exitCode, err } = await doctor();
    expect(exitCode).toBe(2);
    expect(err).toContain('vdoctl configure');
  });

  it('refuses a group that does not exist, and a file with mistakes', async () => {
    expect(await doctor('--only', 'XX')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('vcenter, credentials'),
    });
    expect((await doctor('--only', 'node/vm-fond')).err).toContain('Did you mean node/vm-found?');
    const bad = join(folder, 'bad.yaml');
    await writeFile(
      bad,
      'apiVersion: vdo.vmware.com/v1beta1\nkind: VSphereDrivers\nmetadata: {name: cluster}\nspec: {}\n',
    );
    const { exitCode, err } = await doctor('--file', bad);
    expect(exitCode).toBe(2);
    expect(err).toContain('spec.vcenters');
  });
});
