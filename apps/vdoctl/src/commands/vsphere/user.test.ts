import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSelfSigned } from '@vdo/base/self-signed';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { decodeSecretData } from '@vdo/config/credentials';
import { secrets } from '@vdo/kube/types/core';
import { seedCrds } from '@vdo/sim-world/seed';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readResourceFile } from '../../shared/cluster/read-resource.ts';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { type SimTestbed, startSimTestbed, testbedNamespace } from '../../testing/sim-testbed.ts';

const account = 'vdo@vsphere.local';

describe('vdoctl vsphere user', () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await startSimTestbed();
  });
  afterEach(() => testbed.stop());
  const user = (verb: string, ...argv: readonly string[]) =>
    testbed.vdoctl(['vsphere', 'user', verb, account, ...argv]);
  const ofFile = (verb: string, ...argv: readonly string[]) => user(verb, '--file', testbed.file, ...argv);
  const secret = async () => {
    const found = await testbed.cluster.kube.find(secrets, { namespace: testbedNamespace, name: 'vcenter' });
    return found && decodeSecretData(found.data);
  };
  const verify = (...argv: readonly string[]) =>
    runVdoctl([
      ...['vsphere', 'user', 'verify', '--kubeconfig', testbed.cluster.kubeconfig, '--file', testbed.file],
      ...argv,
    ]);

  it('shows the plan and changes nothing with --dry-run', async () => {
    const { exitCode, out } = await ofFile('create', '--dry-run');
    expect(exitCode).toBe(0);
    await expect(out).toMatchFileSnapshot('golden/user-create-plan.txt');
    expect(await secret()).toBeUndefined();
    const again = await ofFile('create', '--dry-run', '-o', 'json');
    expect(JSON.parse(again.out)).toMatchObject({
      account,
      steps: expect.arrayContaining([expect.objectContaining({ action: 'create-user' })]),
    });
  });

  it('makes a solution user with a certificate, which passes every check and can be removed', {
    timeout: 120_000,
  }, async () => {
    const { cert, key } = createSelfSigned({ commonName: 'vdo', hosts: [], nowMs: Date.now(), keyType: 'rsa' });
    const [certFile, keyFile] = [join(testbed.folder, 'vdo.crt'), join(testbed.folder, 'vdo.key')];
    await writeFile(certFile, cert);
    await writeFile(keyFile, key);
    const alone = await ofFile('create', '--certificate', certFile, '--yes');
    expect(alone).toMatchObject({ exitCode: 2, err: expect.stringContaining('--key FILE') });
    const both = ['--certificate', certFile, '--key', keyFile] as const;
    expect((await ofFile('create', ...both, '--show-password', '--yes')).exitCode).toBe(2);
    const made = await ofFile('create', ...both, '--yes');
    expect(made.exitCode, made.err).toBe(0);
    expect(await secret()).toEqual({ [`${testbed.server}.username`]: cert, [`${testbed.server}.password`]: key });
    expect(made.out + made.err).not.toContain('PRIVATE KEY');
    const verified = await verify('--all');
    expect(verified.exitCode, verified.out).toBe(0);
    expect((await ofFile('create', ...both, '--yes')).out).toContain('No changes.');
    const removed = await testbed.vdoctl(['vsphere', 'user', 'delete', account, '--yes']);
    expect(removed.exitCode, removed.err).toBe(0);
    expect((await verify()).exitCode).not.toBe(0);
  });

  it('makes an account that passes every check, writes its password into the Secret and shows it nowhere', async () => {
    const made = await ofFile('create', '--yes');
    expect(made.exitCode, made.err).toBe(0);
    const kept = await secret();
    expect(kept?.[`${testbed.server}.username`]).toBe(account);
    const password = kept?.[`${testbed.server}.password`] ?? '';
    expect(password).toHaveLength(20);
    expect(made.out + made.err).not.toContain(password);
    const verified = await verify('--all');
    expect(verified.exitCode, verified.out).toBe(0);
    await expect(verified.out.replaceAll(testbed.server, 'VCENTER')).toMatchFileSnapshot('golden/user-verify.txt');

    const again = await ofFile('create', '--yes');
    expect(again.exitCode).toBe(0);
    expect(again.out).toContain('No changes.');
    expect(await secret()).toEqual(kept);
  });

  it('goes on where a run that failed had come to', async () => {
    const effect = { kind: 'http', status: 503 } as const;
    testbed.vcenter.sim.control.addFault({ method: 'SetEntityPermissions', skip: 3, times: 1, effect });
    expect((await ofFile('create', '--yes')).exitCode).toBe(5);
    const kept = await secret();
    expect(kept?.[`${testbed.server}.username`]).toBe(account);
    expect((await verify()).exitCode).toBe(3);
    expect((await ofFile('create', '--yes')).exitCode).toBe(0);
    expect(await secret()).toEqual(kept);
    expect((await verify()).exitCode).toBe(0);
  });

  it('asks nothing without a terminal, and says what to add', async () => {
    const { exitCode, err } = await ofFile('create');
    expect(exitCode).toBe(2);
    expect(err).toContain('--yes');
  });

  it('takes objects by path before there is a cluster, and the password to a file of one reader', async () => {
    const passwordOut = join(testbed.folder, 'vdo.password');
    const made = await runVdoctl(
      [
        ...['vsphere', 'user', 'create', account, ...testbed.vcenter.flags, '--yes', '--password-out', passwordOut],
        ...['--vm-folder', '/demo/vm/kubernetes', '--cluster', '/demo/host/compute-a'],
        ...['--datastore', '/demo/datastore/vsanDatastore', '--file-volumes'],
      ],
      { env: testbed.vcenter.env },
    );
    expect(made.exitCode, made.err).toBe(0);
    await expect(made.out.replaceAll(testbed.folder, 'FOLDER')).toMatchFileSnapshot('golden/user-create-paths.txt');
    expect((await stat(passwordOut)).mode & 0o777).toBe(0o600);
    const login = await runVdoctl([
      'vsphere',
      'policies',
      'list',
      ...testbed.vcenter.flags,
      '--user',
      account,
      '--password-file',
      passwordOut,
    ]);
    expect(login.exitCode, login.err).toBe(0);
  });

  it('names what is there when a path is wrong, and says where a password may go', async () => {
    const wrong = await user('create', '--yes', '--show-password', '--vm-folder', '/demo/vm/nowhere');
    expect(wrong).toMatchObject({ exitCode: 2, err: expect.stringContaining('/demo/vm/kubernetes') });
    const nowhere = await user('create', '--yes', '--vm-folder', '/demo/vm/kubernetes');
    expect(nowhere).toMatchObject({ exitCode: 2, err: expect.stringContaining('--password-out') });
    const foreign = await testbed.vdoctl(['vsphere', 'user', 'create', 'vdo@corp.example', '--file', testbed.file]);
    expect(foreign).toMatchObject({ exitCode: 2, err: expect.stringContaining('user apply') });
  });

  it('brings permissions up to date after a change, and takes away what is not needed any more', async () => {
    await ofFile('create', '--yes');
    await testbed.writeResource({ cpi: {}, csi: { fileVolumes: {} } });
    const broken = await verify();
    expect(broken.exitCode).toBe(3);
    expect(broken.out).toContain('privileges/file-services');
    const grown = await ofFile('apply', '--yes');
    expect(grown.exitCode, grown.err).toBe(0);
    expect(grown.out).toMatch(/set-permission +\/demo\/host\/compute-a +CNS-HOST-CONFIG-STORAGE, propagating/);
    expect((await verify()).exitCode).toBe(0);
    // A permission on a host of a cluster that propagates would hide what the host inherits.
    expect(grown.out).toMatch(/remove-permission +\/demo\/host\/compute-a\/esx-a1.demo.example/);
    await testbed.writeResource({ cpi: {}, csi: {} });
    const shrunk = await ofFile('apply', '--yes');
    expect(shrunk.exitCode, shrunk.err).toBe(0);
    expect((await verify()).exitCode).toBe(0);
    expect((await ofFile('apply', '--dry-run')).out).toContain('No changes.');
  });

  it('reads alone without the storage driver, and leaves what others gave', async () => {
    await testbed.writeResource({ cpi: {} });
    await ofFile('create', '--yes');
    expect((await verify()).exitCode).toBe(0);
    testbed.vcenter.sim.control.grant(account, 'CNS-VM', '/demo/network');
    const { out } = await ofFile('apply', '--dry-run');
    expect(out).toContain('CNS-VM on /demo/network is kept');
  });

  it('rotates the password without a failed login', async () => {
    await ofFile('create', '--yes');
    const before = await secret();
    const rotated = await testbed.vdoctl(['vsphere', 'user', 'rotate', account, '--file', testbed.file, '--yes'], {
      seed: 2,
    });
    expect(rotated.exitCode, rotated.err).toBe(0);
    const after = await secret();
    expect(after).not.toEqual(before);
    expect((await verify()).exitCode).toBe(0);
    const failed = () => testbed.vcenter.sim.recorder.calls().filter(({ result }) => result === 'InvalidLogin').length;
    expect(failed()).toBe(0);
    // The count does see a login that fails: the old password is of no use any more.
    const old = join(testbed.folder, 'old');
    await writeFile(old, before?.[`${testbed.server}.password`] ?? '');
    const refused = await verify('--user', account, '--password-file', old);
    expect(refused.exitCode).toBe(5);
    expect(failed()).toBeGreaterThan(0);
    const passwords = [...Object.values(after ?? {})].filter((value) => value !== account);
    for (const password of passwords) expect(rotated.out + rotated.err).not.toContain(password);

    const given = join(testbed.folder, 'given');
    await writeFile(given, 'Given-and-fake-1\n');
    const shown = await user('rotate', '--yes', '--show-password', '--new-password-file', given);
    expect(shown.out).toContain('Password: Given-and-fake-1');
  });

  it('removes the account, its permissions and the roles that nobody else uses', async () => {
    await ofFile('create', '--yes');
    const planned = await user('delete', '--dry-run');
    await expect(planned.out).toMatchFileSnapshot('golden/user-delete-plan.txt');
    expect((await user('delete', '--yes')).exitCode).toBe(0);
    const again = await user('delete', '--dry-run', '-o', 'json');
    expect(JSON.parse(again.out)).toMatchObject({ steps: [] });
    expect((await verify()).exitCode).not.toBe(0);
    expect((await ofFile('apply', '--yes')).err).toContain('user create');
  });

  it('does not remove the account by which the drivers of the cluster log in', async () => {
    await ofFile('create', '--yes');
    await seedCrds(testbed.cluster.kube, 'vdo.vmware.com_vspheredrivers.yaml');
    const { apiVersion, kind, metadata, spec } = await readResourceFile(testbed.file);
    await testbed.cluster.kube.create(vsphereDrivers, { apiVersion, kind, metadata, spec });
    const refused = await user('delete', '--yes');
    expect(refused.exitCode).toBe(2);
    expect(refused.err.replaceAll('\n', ' ')).toContain(
      `use ${account} to log in to ${testbed.server} (Secret ${testbedNamespace}/vcenter)`,
    );
    expect((await verify()).exitCode).toBe(0);
    await testbed.cluster.kube.delete(vsphereDrivers, { name: 'cluster' });
    expect((await user('delete', '--yes')).exitCode).toBe(0);
  });

  it('makes an account for one driver, which may do less, and keeps that of both', async () => {
    await ofFile('create', '--yes');
    const kept = await secret();
    const cloud = 'reader@vsphere.local';
    const create = (...argv: readonly string[]) =>
      testbed.vdoctl(['vsphere', 'user', 'create', cloud, '--file', testbed.file, '--driver', 'cpi', '--yes', ...argv]);
    const homeless = await create();
    expect(homeless.exitCode).toBe(2);
    expect(homeless.err).toContain('"credentialsSecret":"NAME"');
    const made = await create('--secret', 'cloud');
    expect(made.exitCode, made.err).toBe(0);
    expect(made.out).not.toContain('CNS-');
    expect(await secret()).toEqual(kept);
    const { apiVersion, kind, metadata, spec } = await readResourceFile(testbed.file);
    await seedCrds(testbed.cluster.kube, 'vdo.vmware.com_vspheredrivers.yaml');
    const own = { ...spec, cpi: { ...spec.cpi, credentialsSecret: 'cloud' } } as typeof spec;
    await testbed.cluster.kube.create(vsphereDrivers, { apiVersion, kind, metadata, spec: own });
    const verified = await runVdoctl(['vsphere', 'user', 'verify', '--kubeconfig', testbed.cluster.kubeconfig]);
    expect(verified.exitCode, verified.out).toBe(0);
    expect(verified.out).toContain(`Account ${cloud} on vCenter`);
    const refused = await testbed.vdoctl(['vsphere', 'user', 'delete', cloud, '--yes']);
    expect(refused.exitCode).toBe(2);
    expect(refused.err.replaceAll('\n', ' ')).toContain(`(Secret ${testbedNamespace}/cloud)`);
  });

  it('will not take over an account whose password it does not have', async () => {
    const { exitCode, err } = await testbed.vdoctl([
      ...['vsphere', 'user', 'create', 'csi@vsphere.local', '--file', testbed.file, '--yes'],
    ]);
    expect(exitCode).toBe(2);
    expect(err).toContain('user rotate');
  });
});
