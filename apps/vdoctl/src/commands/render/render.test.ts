import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '@vdo/base/clock';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import { createObjectApplier } from '@vdo/kube/apply/apply-objects';
import type { AnyObject } from '@vdo/kube/types/object';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { startSimCluster } from '../../testing/sim-cluster.ts';

const samples = fileURLToPath(new URL('../../../../../deploy/samples/', import.meta.url));
const versions = ['--kubernetes', '1.34.1', '--vsphere', '8.0.3'];

const objectsOf = (text: string): readonly AnyObject[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as AnyObject | null)
    .filter((object): object is AnyObject => object !== null);

describe('vdoctl render', () => {
  let folder: string;
  let sample: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vdoctl-render-'));
    const found = (await readdir(samples)).find((name) => name.includes('minimal'));
    sample = join(samples, found ?? '');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('prints steps and manifests without a cluster and without secrets', async () => {
    const { exitCode, out, err } = await runVdoctl(['render', '--file', sample, ...versions]);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toContain('kubectl -n vmware-system-vdo create secret generic vsphere-credentials');
    const objects = objectsOf(out);
    expect(objects.map(({ kind }) => kind)).not.toContain('Secret');
    expect(objects.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['Namespace', 'CustomResourceDefinition', 'Deployment', 'DaemonSet', 'CSIDriver']),
    );
    expect(out).not.toContain(Buffer.from('PASSWORD').toString('base64'));
  });

  it('prints a whole document', async () => {
    const file = join(folder, 'cpi-only.yaml');
    const vcenters = [{ server: 'vcenter.example.com', credentialsSecret: 'vcenter', datacenters: ['dc-1'] }];
    const spec = {
      distribution: 'Native',
      vcenters,
      cpi: {},
      updates: { policy: 'Pinned', versions: { cpi: '0.1.0' } },
    };
    await writeFile(
      file,
      stringify({ apiVersion: 'vdo.vmware.com/v1beta1', kind: 'VSphereDrivers', metadata: { name: 'cluster' }, spec }),
    );
    const { exitCode, out, err } = await runVdoctl(['render', '--file', file, ...versions]);
    expect([exitCode, err]).toEqual([0, '']);
    await expect(out.replace(/Matrix \d+/, 'Matrix N')).toMatchFileSnapshot('golden/cpi-only.yaml.txt');
  });

  it('writes files that apply as they are, in the order of the steps', async () => {
    const out = join(folder, 'manual');
    const { exitCode } = await runVdoctl(['render', '--file', sample, ...versions, '--out-dir', out]);
    expect(exitCode).toBe(0);
    const guide = await readFile(join(out, 'README.md'), 'utf8');
    const files = (await readdir(out)).filter((name) => name.endsWith('.yaml')).sort();
    for (const file of files) expect(guide).toContain(`kubectl apply --server-side -f ${file}`);
    const cluster = await startSimCluster();
    try {
      const { applyAll } = createObjectApplier({
        client: cluster.kube,
        fieldManager: 'test',
        force: true,
        clock: createSystemClock(),
      });
      for (const file of files) await applyAll(objectsOf(await readFile(join(out, file), 'utf8')), {});
    } finally {
      await cluster.stop();
    }
  });

  it('shows the whole configuration of the Go driver, with placeholders for the account', async () => {
    const file = join(folder, 'upstream.yaml');
    const vcenters = [{ server: 'vcenter.example.com', credentialsSecret: 'vcenter', datacenters: ['dc-1'] }];
    const spec = { distribution: 'Upstream', vcenters, cpi: {}, csi: { clusterId: 'cluster-1' } };
    const metadata = { name: 'cluster' };
    await writeFile(file, stringify({ apiVersion: 'vdo.vmware.com/v1beta1', kind: 'VSphereDrivers', metadata, spec }));
    const { exitCode, out, err } = await runVdoctl(['render', '--file', file, ...versions]);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toContain('create secret generic vsphere-config-secret --from-file=csi-vsphere.conf=csi-vsphere.conf');
    expect(out).toMatch(/^# csi-vsphere\.conf\n# {3}\[Global\]\n[\s\S]*cluster-1[\s\S]*USER@DOMAIN[\s\S]*PASSWORD/m);
    expect(objectsOf(out).map(({ kind }) => kind)).not.toContain('Secret');
    const folderOut = join(folder, 'upstream');
    await runVdoctl(['render', '--file', file, ...versions, '--out-dir', folderOut]);
    const written = await readFile(join(folderOut, 'csi-vsphere.conf'), 'utf8');
    expect(readDriverConfig(written, { unknownKeys: 'refuse', driver: 'csi' }).config).toMatchObject({
      vcenters: [{ server: 'vcenter.example.com', credentials: { kind: 'inline', password: 'PASSWORD' } }],
      csi: { clusterId: 'cluster-1' },
    });
  });

  it('says which version it lacks', async () => {
    const { exitCode, err } = await runVdoctl(['render', '--file', sample, '--kubernetes', '1.34.1']);
    expect(exitCode).toBe(2);
    expect(err).toContain('--vsphere');
  });
});
