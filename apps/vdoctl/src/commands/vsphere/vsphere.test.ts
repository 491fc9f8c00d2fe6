import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { type SimVCenter, startSimVCenter } from '../../testing/sim-vcenter.ts';

const admin = { username: 'administrator@vsphere.local', password: 'obviously-fake' };

describe('vdoctl vsphere privileges', () => {
  it.each(['table', 'govc', 'powercli'])('prints %s', async (format) => {
    const { exitCode, out } = await runVdoctl([
      ...['vsphere', 'privileges', '-o', format, '--principal', "o'hara@vsphere.local"],
      ...['--vm-folder', '/DC0/vm/k8s', '--datastore', '/DC0/datastore/vsan', '--cluster', '/DC0/host/C1'],
    ]);
    expect(exitCode).toBe(0);
    await expect(out).toMatchFileSnapshot(`golden/privileges-${format}.txt`);
  });

  it('gives hosts nothing of their own where the cluster propagates', async () => {
    const { out } = await runVdoctl(['vsphere', 'privileges', '-o', 'govc', '--file-volumes']);
    expect(out).toContain("CNS-HOST-CONFIG-STORAGE -propagate=true '/DATACENTER/host/CLUSTER'");
    expect(out).not.toContain('govc find');
  });

  it('needs reading alone without the storage driver', async () => {
    const { out } = await runVdoctl(['vsphere', 'privileges', '--no-csi', '-o', 'json']);
    expect((JSON.parse(out) as { name: string }[]).map(({ name }) => name)).toEqual(['ReadOnly']);
  });

  it.each([
    ['minimal', false],
    ['file-volumes', true],
  ])('goes by the sample %s', async (sample, shares) => {
    const file = fileURLToPath(new URL(`../../../../../deploy/samples/${sample}.yaml`, import.meta.url));
    const { out } = await runVdoctl(['vsphere', 'privileges', '--file', file, '-o', 'json']);
    const names = (JSON.parse(out) as { name: string }[]).map(({ name }) => name);
    expect(names).toContain('CNS-DATASTORE');
    expect(names.includes('CNS-HOST-CONFIG-STORAGE')).toBe(shares);
  });

  it('says what is wrong with a file', async () => {
    const { exitCode, err } = await runVdoctl(['vsphere', 'privileges', '--file', '/nonexistent.yaml']);
    expect(exitCode).toBe(2);
    expect(err).toContain('cannot read /nonexistent.yaml');
  });
});

describe('vdoctl on a vCenter', () => {
  let vcenter: SimVCenter;
  beforeAll(async () => {
    vcenter = await startSimVCenter(admin);
  });
  afterAll(() => vcenter.stop());
  const vdoctl = (...argv: readonly string[]) => runVdoctl([...argv, ...vcenter.flags], { env: vcenter.env });

  it('lists storage policies', async () => {
    const { exitCode, out } = await vdoctl('vsphere', 'policies', 'list');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^NAME /);
    expect(out.split('\n').length).toBeGreaterThan(2);
  });

  it('lists sessions without their keys, and leaves none behind', async () => {
    const { exitCode, out } = await vdoctl('vsphere', 'sessions', '-o', 'json');
    expect(exitCode).toBe(0);
    const rows = JSON.parse(out) as { user: string; program: string; vdo: boolean }[];
    expect(rows.filter(({ vdo }) => vdo)).toEqual([
      expect.objectContaining({ program: expect.stringMatching(/^vdoctl/) }),
    ]);
    expect(out).not.toMatch(/"key"/);
    const again = JSON.parse((await vdoctl('vsphere', 'sessions', '-o', 'json')).out) as unknown[];
    expect(again).toHaveLength(1);
  });

  it('takes the password from standard input', async () => {
    const { exitCode } = await runVdoctl(['vsphere', 'policies', 'list', ...vcenter.flags, '--password-stdin'], {
      input: `${admin.password}\n`,
    });
    expect(exitCode).toBe(0);
  });

  it('says that nobody can be asked for the password, and never prints one', async () => {
    const { exitCode, err } = await runVdoctl(['vsphere', 'policies', 'list', ...vcenter.flags]);
    expect(exitCode).toBe(2);
    expect(err).toContain('--password-stdin');
  });

  it('ends with 5 for a rejected password', async () => {
    const { exitCode, err } = await runVdoctl(['vsphere', 'policies', 'list', ...vcenter.flags], {
      env: { VDO_VCENTER_PASSWORD: 'wrong-and-fake' },
    });
    expect(exitCode).toBe(5);
    expect(err).toContain('VCenterLoginRejected');
    expect(err).not.toContain('wrong-and-fake');
  });

  it('shows the thumbprint of a certificate it does not trust', async () => {
    const { exitCode, err } = await runVdoctl(['vsphere', 'policies', 'list', ...vcenter.flags.slice(0, -2)], {
      env: vcenter.env,
    });
    expect(exitCode).toBe(5);
    expect(err).toContain(vcenter.flags.at(-1));
  });

  it('says how to name a vCenter', async () => {
    const { exitCode, err } = await runVdoctl(['vsphere', 'sessions']);
    expect(exitCode).toBe(2);
    expect(err).toContain('--server');
  });
});
