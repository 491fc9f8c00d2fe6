import { pods } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InTreeHouse, startInTreeHouse } from './in-tree-house.ts';
import { writerPod } from './lifecycle-writers.ts';

// Needs `npm run parts -- kube-apiserver-in-tree kube-controller-manager-in-tree` and `npm run build`.
let house: InTreeHouse;
let before: { readonly volume: unknown; readonly kubeadm: unknown };
let checksum = '';
const kubelet = 'kubelet-node-a';
const stateOfCluster = async () => ({ volume: await house.volume(), kubeadm: await house.kubeadmSettings() });
const forward = (...more: readonly string[]) =>
  house.vdoctl('migrate', 'in-tree', '--config', house.conf, '--distribution', 'Native', '--yes', ...more);
const back = (...more: readonly string[]) => house.vdoctl('migrate', 'undo', '--yes', ...more);
const health = async () => {
  const { exitCode, out } = await house.vdoctl('status', '-o', 'json');
  return { code: exitCode, word: JSON.parse(out).health };
};
const keepsData = async (): Promise<void> => {
  const written = house.writers.written('data');
  await house.until('another line', async () => house.writers.written('data') > written);
  expect(house.writers.starts('data')).toBe(1);
  expect(await house.writers.checksum('data')).toBe(checksum);
  expect(await house.writers.readBack('data')).toBeGreaterThanOrEqual(written);
  expect(await house.volume()).toEqual(before.volume);
};
const isBack = async (): Promise<void> => {
  expect(await back()).toMatchObject({ exitCode: 0, err: expect.stringContaining('as it was before') });
  expect(await stateOfCluster()).toEqual(before);
  expect((await health()).word).toBe('Absent');
  await keepsData();
};

describe('from the provider within Kubernetes 1.29', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    house = await startInTreeHouse();
    before = await stateOfCluster();
  }, 300_000);
  afterAll(async () => {
    await house?.stop();
  });

  it('which runs, and asks vCenter for its nodes', async () => {
    await house.until('a login of the provider', async () => house.a.sim.recorder.count('Login') > 0);
    const { exitCode, out, err } = await house.vdoctl(
      ...['migrate', 'in-tree', '--config', house.conf, '--distribution', 'Native', '--dry-run'],
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
    await house.noteMigration();
    await house.kube.create(pods, writerPod('data'));
    await house.until('the pod to write', async () => house.writers.written('data') > 0);
    checksum = await house.writers.keep('data', 8 * 1024 * 1024);
    await keepsData();
    await isBack();
  });

  it('after the controller manager has changed there is a way back', async () => {
    expect(await forward()).toMatchObject({ exitCode: 0 });
    await house.editControllerManager('external');
    expect(await forward()).toMatchObject({ exitCode: 0 });
    expect(await house.kubeadmSettings()).toContain('cloud-provider: external');
    await keepsData();
    expect(await back()).toMatchObject({ exitCode: 0, err: expect.stringContaining('Next, by you') });
    await house.editControllerManager('vsphere');
    await isBack();
  });

  it('after the kubelets have changed there is a way back', async () => {
    expect(await forward()).toMatchObject({ exitCode: 0 });
    await house.editControllerManager('external');
    expect(await forward('--confirm', kubelet)).toMatchObject({ exitCode: 0 });
    await keepsData();
    expect(await back('--confirm', kubelet)).toMatchObject({ exitCode: 0 });
    await house.editControllerManager('vsphere');
    await isBack();
  });

  it('the end is the point of no return, and the data are those of the beginning', async () => {
    expect(await forward()).toMatchObject({ exitCode: 0 });
    await house.editControllerManager('external');
    expect(await forward('--confirm', kubelet)).toMatchObject({ exitCode: 0 });
    const { exitCode, out, err } = await forward('--finish');
    expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 });
    const { exitCode: refused, err: why } = await back();
    expect({ refused, why }).toEqual({ refused: 2, why: expect.stringMatching(/point of\s+no return/) });
    expect((await health()).code).toBe(0);
    await keepsData();
  });
});
