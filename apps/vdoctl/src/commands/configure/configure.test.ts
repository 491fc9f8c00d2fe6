import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { decodeSecretData } from '@vdo/config/credentials';
import { type CustomResourceDefinition, customResourceDefinitions } from '@vdo/kube/types/cluster';
import { secrets } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { type SimTestbed, startSimTestbed, testbedNamespace } from '../../testing/sim-testbed.ts';
import { administrator } from '../../testing/sim-vcenter.ts';

const crdFile = new URL('../../../../../deploy/crds/vdo.vmware.com_vspheredrivers.yaml', import.meta.url);

describe('vdoctl configure without a terminal', () => {
  let testbed: SimTestbed;
  beforeAll(async () => {
    testbed = await startSimTestbed();
  });
  afterAll(() => testbed.stop());
  const configure = (...argv: readonly string[]) => testbed.vdoctl(['configure', ...argv]);
  const neutral = (text: string) =>
    text
      .replaceAll(testbed.vcenter.flags.at(-1) ?? '', 'THUMBPRINT')
      .replaceAll(String(testbed.vcenter.port), 'PORT')
      .replaceAll(testbed.server, 'VCENTER');

  it('says that somebody must agree, and how', async () => {
    const { exitCode, err } = await configure('--distribution', 'Native');
    expect(exitCode).toBe(2);
    expect(err).toContain('--save FILE');
  });

  it('says that the operator is missing', async () => {
    const { exitCode, err } = await configure('--distribution', 'Native', '--yes');
    expect(exitCode).toBe(4);
    expect(err).toContain('vdoctl install');
  });

  it('shows, saves and applies what the flags say, and never the password', async () => {
    const crd = parse(await readFile(crdFile, 'utf8')) as CustomResourceDefinition;
    await testbed.cluster.kube.create(customResourceDefinitions, crd);
    const flags = [
      ...['--distribution', 'Native', '--datacenter', '/demo', '--region', 'k8s-region', '--zone', 'k8s-zone'],
      ...['--storage-policy', 'vSAN Default Storage Policy', '--network', 'Kubernetes', '--set', 'csi.replicas=2'],
    ];
    const shown = await configure(...flags, '--dry-run');
    expect(shown.exitCode, shown.err).toBe(0);
    await expect(neutral(shown.out)).toMatchFileSnapshot('golden/configure.yaml');
    expect(shown.err).toContain('passed, 0 failed');
    expect(await testbed.cluster.kube.find(vsphereDrivers, { name: 'cluster' })).toBeUndefined();

    const file = join(testbed.folder, 'saved.yaml');
    const saved = await configure(...flags, '--save', file);
    expect(saved.exitCode, saved.err).toBe(0);
    expect(neutral(await readFile(file, 'utf8'))).toBe(neutral(shown.out));

    const applied = await configure(...flags, '--yes');
    expect(applied.exitCode, applied.err).toBe(0);
    const resource = await testbed.cluster.kube.get(vsphereDrivers, { name: 'cluster' });
    expect(resource.spec).toMatchObject({ csi: { replicas: 2 }, topology: { zone: 'k8s-zone' } });
    const secret = await testbed.cluster.kube.get(secrets, { namespace: testbedNamespace, name: 'vcenter' });
    expect(Object.values(decodeSecretData(secret.data))).toEqual([administrator.username, administrator.password]);
    for (const { out, err } of [shown, saved, applied]) expect(out + err).not.toContain(administrator.password);
    expect(await readFile(file, 'utf8')).not.toContain(administrator.password);
  });

  it('does not apply what fails its checks, and says so', async () => {
    const { exitCode, err } = await configure('--distribution', 'Native', '--zone', 'no-such-category', '--yes');
    expect(exitCode).toBe(3);
    expect(err).toContain('topology/categories-exist');
    expect(err).toContain('Nothing was changed');
  });

  it('edits a file without a vCenter, and tells every mistake', async () => {
    const file = join(testbed.folder, 'edit.yaml');
    await writeFile(file, await readFile(testbed.file, 'utf8'));
    const edit = (set: string) =>
      runVdoctl(['configure', '--from-file', file, '--set', set, '--save', file, '--no-checks', '--yes']);
    expect((await edit('csi.replicas=3')).exitCode).toBe(0);
    expect((parse(await readFile(file, 'utf8')) as { spec: object }).spec).toMatchObject({ csi: { replicas: 3 } });
    const wrong = await edit('csi.replicas=many');
    expect(wrong).toMatchObject({ exitCode: 2, err: expect.stringContaining('spec.csi.replicas') });
  });
});
