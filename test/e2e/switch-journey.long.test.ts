import { names } from '@vdo/config/names';
import { persistentVolumes, pods } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { deployments } from '@vdo/kube/types/workloads';
import { runVdoctl } from '@vdo/vdoctl/testing/run-vdoctl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LifecycleHouse, startLifecycleHouse } from './lifecycle-house.ts';
import { writerPod } from './lifecycle-writers.ts';
import { operatorNamespace } from './operator-house.ts';

let house: LifecycleHouse;
const settings = (more: object = {}) => ({ vcenters: [house.a.spec], cpi: {}, updates: house.updates, ...more });
const health = async (): Promise<{ readonly code: number; readonly word: string }> => {
  const argv = ['status', '-o', 'json', '--kubeconfig', house.kubeconfigPath];
  const { exitCode, out } = await runVdoctl(argv);
  return { code: exitCode, word: JSON.parse(out).health };
};
const storage = async () => (await house.drivers())?.status?.drivers?.find(({ kind }) => kind === 'CSI');

/** The volume is bound, and its pod of the first day writes on, every line once. */
const keepsData = async (): Promise<void> => {
  const before = house.writers.written('data');
  await house.until('another line', async () => house.writers.written('data') > before);
  expect(house.writers.starts('data')).toBe(1);
  expect(await house.writers.readBack('data')).toBeGreaterThanOrEqual(before);
  expect((await house.kube.list(persistentVolumes)).items.map(({ status }) => status?.phase)).toEqual(['Bound']);
};
const standsOn = async (distribution: string): Promise<void> => {
  await house.until(`both drivers ${distribution}`, async () => {
    const found = await house.drivers();
    const drivers = (found?.status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
    const isThere = drivers.every((one) => one.distribution === distribution && !one.target);
    const isCurrent = found?.status?.observedGeneration === found?.metadata.generation;
    return drivers.length === 2 && isThere && isCurrent && (await house.condition('Ready'))?.status === 'True';
  });
  expect((await health()).code).toBe(0);
  expect(await house.condition('Stalled')).toMatchObject({ status: 'False' });
  await keepsData();
};

// What stands in for the images of the upstream drivers answers their probes and does nothing else.
describe('switches of the distribution, with a volume in use all the way', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    house = await startLifecycleHouse({});
    await house.putSecret(house.a);
    await house.joinNode(house.a, false);
    await house.publish(500, { cpi: ['0.2.0'], csi: ['0.2.0'] });
    await house.describe(settings());
    await house.becomesReady();
    await house.apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'plain' },
      provisioner: names.csiDriver,
      parameters: { 'csi.storage.k8s.io/fstype': 'xfs' },
    } as AnyObject);
    await house.claim('data', 'plain', '320Mi');
    await house.kube.create(pods, writerPod('data'));
    await house.until('the pod to write', async () => house.writers.written('data') > 0);
  }, 300_000);
  afterAll(async () => {
    await house?.stop();
  });

  it('somebody serves all the time, and what tried the images is gone', async () => {
    const available = await house.followAvailable();
    await house.describe(settings({ distribution: 'Upstream' }));
    await standsOn('Upstream');
    expect(await available()).toEqual(['True/DriversRunning']);
    const probe = { name: names.imageProbe, namespace: operatorNamespace };
    await house.until('the probe to go', async () => !(await house.kube.find(deployments, probe)));
  });

  it('one that fails comes back, stays, and the status says so', async () => {
    house.broken.set('0.2.0', { role: 'controller', how: 'crash' });
    const available = await house.followAvailable();
    await house.describe(settings({ updates: { ...house.updates, progressDeadline: '15s' } }));
    await house.until('the rollback', async () => (await house.condition('Stalled'))?.reason === 'ReleaseRolledBack');
    const failed = { name: names.csiController, namespace: operatorNamespace };
    await house.until('the failed one to go', async () => !(await house.kube.find(deployments, failed)));
    expect(await available()).toEqual(['True/DriversRunning']);
    expect(await storage()).toMatchObject({ distribution: 'Upstream' });
    expect(await health()).toEqual({ code: 3, word: 'ActionRequired' });
    expect((await house.condition('Stalled'))?.message).toContain('spec.distribution');
    await keepsData();
    // To ask for what runs is all it takes.
    await house.describe(settings({ distribution: 'Upstream' }));
    await standsOn('Upstream');
  });

  it('the way back ends where it began', async () => {
    house.broken.clear();
    await house.describe(settings());
    await standsOn('Native');
  });
});
