import { names } from '@vdo/config/names';
import { persistentVolumes, pods } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { deployments } from '@vdo/kube/types/workloads';
import { runVdoctl } from '@vdo/vdoctl/testing/run-vdoctl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LifecycleTestbed, startLifecycleTestbed } from './lifecycle-testbed.ts';
import { writerPod } from './lifecycle-writers.ts';
import { operatorNamespace } from './operator-testbed.ts';

let testbed: LifecycleTestbed;
const settings = (more: object = {}) => ({ vcenters: [testbed.a.spec], cpi: {}, updates: testbed.updates, ...more });
const health = async (): Promise<{ readonly code: number; readonly word: string }> => {
  const argv = ['status', '-o', 'json', '--kubeconfig', testbed.kubeconfigPath];
  const { exitCode, out } = await runVdoctl(argv);
  return { code: exitCode, word: JSON.parse(out).health };
};
const storage = async () => (await testbed.drivers())?.status?.drivers?.find(({ kind }) => kind === 'CSI');

/** The volume is bound, and its pod of the first day writes on, every line once. */
const keepsData = async (): Promise<void> => {
  const before = testbed.writers.written('data');
  await testbed.until('another line', async () => testbed.writers.written('data') > before);
  expect(testbed.writers.starts('data')).toBe(1);
  expect(await testbed.writers.readBack('data')).toBeGreaterThanOrEqual(before);
  expect((await testbed.kube.list(persistentVolumes)).items.map(({ status }) => status?.phase)).toEqual(['Bound']);
};
const standsOn = async (distribution: string): Promise<void> => {
  await testbed.until(`both drivers ${distribution}`, async () => {
    const found = await testbed.drivers();
    const drivers = (found?.status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
    const isThere = drivers.every((one) => one.distribution === distribution && !one.target);
    const isCurrent = found?.status?.observedGeneration === found?.metadata.generation;
    return drivers.length === 2 && isThere && isCurrent && (await testbed.condition('Ready'))?.status === 'True';
  });
  expect((await health()).code).toBe(0);
  expect(await testbed.condition('Stalled')).toMatchObject({ status: 'False' });
  await keepsData();
};

// What stands in for the images of the upstream drivers answers their probes and does nothing else.
describe('switches of the distribution, with a volume in use all the way', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    testbed = await startLifecycleTestbed({});
    await testbed.putSecret(testbed.a);
    await testbed.joinNode(testbed.a, false);
    await testbed.publish(500, { cpi: ['0.2.0'], csi: ['0.2.0'] });
    await testbed.describe(settings());
    await testbed.becomesReady();
    await testbed.apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'plain' },
      provisioner: names.csiDriver,
      parameters: { 'csi.storage.k8s.io/fstype': 'xfs' },
    } as AnyObject);
    await testbed.claim('data', 'plain', '320Mi');
    await testbed.kube.create(pods, writerPod('data'));
    await testbed.until('the pod to write', async () => testbed.writers.written('data') > 0);
  }, 300_000);
  afterAll(async () => {
    await testbed?.stop();
  });

  it('somebody serves all the time, and what tried the images is gone', async () => {
    const available = await testbed.followAvailable();
    await testbed.describe(settings({ distribution: 'Upstream' }));
    await standsOn('Upstream');
    expect(await available()).toEqual(['True/DriversRunning']);
    const probe = { name: names.imageProbe, namespace: operatorNamespace };
    await testbed.until('the probe to go', async () => !(await testbed.kube.find(deployments, probe)));
  });

  it('one that fails comes back, stays, and the status says so', async () => {
    testbed.broken.set('0.2.0', { role: 'controller', how: 'crash' });
    const available = await testbed.followAvailable();
    await testbed.describe(settings({ updates: { ...testbed.updates, progressDeadline: '15s' } }));
    await testbed.until(
      'the rollback',
      async () => (await testbed.condition('Stalled'))?.reason === 'ReleaseRolledBack',
    );
    const failed = { name: names.csiController, namespace: operatorNamespace };
    await testbed.until('the failed one to go', async () => !(await testbed.kube.find(deployments, failed)));
    expect(await available()).toEqual(['True/DriversRunning']);
    expect(await storage()).toMatchObject({ distribution: 'Upstream' });
    expect(await health()).toEqual({ code: 3, word: 'ActionRequired' });
    expect((await testbed.condition('Stalled'))?.message).toContain('spec.distribution');
    await keepsData();
    // To ask for what runs is all it takes.
    await testbed.describe(settings({ distribution: 'Upstream' }));
    await standsOn('Upstream');
  });

  it('the way back ends where it began', async () => {
    testbed.broken.clear();
    await testbed.describe(settings());
    await standsOn('Native');
  });
});
