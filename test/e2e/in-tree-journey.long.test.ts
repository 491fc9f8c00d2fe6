import { pods } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InTreeTestbed, startInTreeTestbed } from './in-tree-testbed.ts';
import { writerPod } from './lifecycle-writers.ts';

// Needs `npm run parts -- kube-apiserver-in-tree kube-controller-manager-in-tree` and `npm run build`.
let testbed: InTreeTestbed;
let before: { readonly volume: unknown; readonly kubeadm: unknown };
let checksum = '';
const kubelet = 'kubelet-node-a';
const stateOfCluster = async () => ({ volume: await testbed.volume(), kubeadm: await testbed.kubeadmSettings() });
const forward = (...more: readonly string[]) =>
  testbed.vdoctl('migrate', 'in-tree', '--config', testbed.conf, '--distribution', 'Native', '--yes', ...more);
const back = (...more: readonly string[]) => testbed.vdoctl('migrate', 'undo', '--yes', ...more);
const health = async () => {
  const { exitCode, out } = await testbed.vdoctl('status', '-o', 'json');
  return { code: exitCode, word: JSON.parse(out).health };
};
const keepsData = async (): Promise<void> => {
  const written = testbed.writers.written('data');
  await testbed.until('another line', async () => testbed.writers.written('data') > written);
  expect(testbed.writers.starts('data')).toBe(1);
  expect(await testbed.writers.checksum('data')).toBe(checksum);
  expect(await testbed.writers.readBack('data')).toBeGreaterThanOrEqual(written);
  expect(await testbed.volume()).toEqual(before.volume);
};
const isBack = async (): Promise<void> => {
  expect(await back()).toMatchObject({ exitCode: 0, err: expect.stringContaining('previous state is restored') });
  expect(await stateOfCluster()).toEqual(before);
  expect((await health()).word).toBe('Absent');
  await keepsData();
};

describe('from the provider within Kubernetes 1.29', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    testbed = await startInTreeTestbed();
    before = await stateOfCluster();
  }, 300_000);
  afterAll(async () => {
    await testbed?.stop();
  });

  it('which runs, and asks vCenter for its nodes', async () => {
    await testbed.until('a login of the provider', async () => testbed.a.sim.recorder.count('Login') > 0);
    const { exitCode, out, err } = await testbed.vdoctl(
      ...['migrate', 'in-tree', '--config', testbed.conf, '--distribution', 'Native', '--dry-run'],
    );
    expect({ exitCode, out, err }).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('DisableCloudProviders'),
    });
    expect(await stateOfCluster()).toEqual(before);
  });

  it('after the drivers run the volume is served, and there is a way back', async () => {
    const { exitCode, out, err } = await forward();
    expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 });
    expect((await health()).code).toBe(0);
    await testbed.noteMigration();
    await testbed.kube.create(pods, writerPod('data'));
    await testbed.until('the pod to write', async () => testbed.writers.written('data') > 0);
    checksum = await testbed.writers.keep('data', 8 * 1024 * 1024);
    await keepsData();
    await isBack();
  });

  it('after the controller manager has changed there is a way back', async () => {
    expect(await forward()).toMatchObject({ exitCode: 0 });
    await testbed.editControllerManager('external');
    expect(await forward()).toMatchObject({ exitCode: 0 });
    expect(await testbed.kubeadmSettings()).toContain('cloud-provider: external');
    await keepsData();
    expect(await back()).toMatchObject({ exitCode: 0, err: expect.stringContaining('Next, do this yourself') });
    await testbed.editControllerManager('vsphere');
    await isBack();
  });

  it('after the kubelets have changed there is a way back', async () => {
    expect(await forward()).toMatchObject({ exitCode: 0 });
    await testbed.editControllerManager('external');
    expect(await forward('--confirm', kubelet)).toMatchObject({ exitCode: 0 });
    await keepsData();
    expect(await back('--confirm', kubelet)).toMatchObject({ exitCode: 0 });
    await testbed.editControllerManager('vsphere');
    await isBack();
  });

  it('the end is the point of no return, and the data are those of the beginning', async () => {
    expect(await forward()).toMatchObject({ exitCode: 0 });
    await testbed.editControllerManager('external');
    expect(await forward('--confirm', kubelet)).toMatchObject({ exitCode: 0 });
    const { exitCode, out, err } = await forward('--finish');
    expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 });
    const { exitCode: refused, err: why } = await back();
    expect({ refused, why }).toEqual({ refused: 2, why: expect.stringMatching(/point of\s+no return/) });
    expect((await health()).code).toBe(0);
    await keepsData();
  });
});
