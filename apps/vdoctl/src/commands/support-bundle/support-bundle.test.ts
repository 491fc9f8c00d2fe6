import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { configMaps, namespaces, secrets } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { type SimCluster, startSimCluster } from '../../testing/sim-cluster.ts';
import { createRedactor } from './redactor.ts';

const namespace = 'vmware-system-vdo';
const planted = ['obviously-fake-1', 'fake p@ss"word\\2', 'fake-session-3', 'fake-url-4'];
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('vdoctl support-bundle', () => {
  let cluster: SimCluster;
  let folder: string;
  beforeAll(async () => {
    cluster = await startSimCluster();
    folder = await mkdtemp(join(tmpdir(), 'vdoctl-bundle-'));
    const { kube } = cluster;
    await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await kube.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'vcenter', namespace, annotations: { note: planted[0] ?? '' } },
      data: {
        username: base64('admin@vsphere.local'),
        password: base64(planted[0] ?? ''),
        other: base64(`${planted[1]}\n`),
      },
    });
    await kube.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'vsphere-config', namespace },
      data: {
        'vsphere.conf': `global:\n  user: admin@vsphere.local\n  password: ${planted[0]}\n`,
        'csi-vsphere.conf': `[Global]\nuser = "admin@vsphere.local"\npassword = "${planted[1]}"\n`,
        notes: `vmware_soap_session="${planted[2]}"; https://admin:${planted[3]}@vc1.example.com/sdk and again ${planted[1]}`,
      },
    });
  });
  afterAll(async () => {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const bundle = (...argv: readonly string[]) =>
    runVdoctl(['support-bundle', '--kubeconfig', cluster.kubeconfig, ...argv]);

  it('writes the layout of must-gather, and no secret is anywhere in it', async () => {
    const out = join(folder, 'gathered');
    const { exitCode, out: printed, err } = await bundle('--out', out);
    expect(exitCode).toBe(0);
    expect(printed).toBe(`${out}\n`);
    await expect(err.replaceAll(out, 'FOLDER')).toMatchFileSnapshot('golden/progress.txt');
    const files = (await readdir(out, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const texts = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')));
    const names = files.map((entry) => join(entry.parentPath, entry.name).slice(out.length + 1));
    expect(names).toEqual(expect.arrayContaining(['version', 'failures.txt', 'kubernetes-version']));
    expect(names).toContain(`namespaces/${namespace}/core/secrets/vcenter.yaml`);
    const everything = [...texts, err].join('\n');
    for (const secret of planted) {
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(base64(secret));
    }
    const secret = texts[names.indexOf(`namespaces/${namespace}/core/secrets/vcenter.yaml`)];
    expect(secret).toMatch(/password: "?\[redacted\] 16 bytes, sha256 [0-9a-f]{12}/);
    expect(everything).toContain('admin@vsphere.local');
    const failures = texts[names.indexOf('failures.txt')];
    expect(failures).toContain('VSphereDrivers objects: KubeResourceMissing');
  });

  it('writes an archive that tar reads, and overwrites nothing', async () => {
    const out = join(folder, 'gathered.tar.gz');
    expect(await bundle('--out', out)).toMatchObject({ exitCode: 0 });
    const { stdout } = await promisify(execFile)('tar', ['-tzf', out]);
    expect(stdout.split('\n')).toContain('gathered/version');
    const again = await bundle('--out', out);
    expect(again.exitCode).toBe(2);
    expect(again.err).toContain('already exists');
  });
});

describe('the redactor', () => {
  it('hides a value of a Secret in any text, also encoded', () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      data: { key: base64('fake/secret=1') },
    };
    const { text } = createRedactor([secret]);
    expect(text('a fake/secret=1 b')).toBe('a [redacted] b');
    expect(text(`x ${base64('fake/secret=1')}`)).toBe('x [redacted]');
    expect(text('?p=fake%2Fsecret%3D1')).toBe('?p=[redacted]');
  });
});
