import { createSystemClock } from '@vdo/base/clock';
import { names } from '@vdo/config/names';
import { persistentVolumeClaims } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeGaps, type Gaps, startClaimStream } from './claim-stream.ts';
import { type LifecycleTestbed, startLifecycleTestbed } from './lifecycle-testbed.ts';

/** The Leases of upstream's sidecars last 120 s; the rest is for a busy machine. */
const stoppedMs = 180_000;

let testbed: LifecycleTestbed;
let stream: ReturnType<typeof startClaimStream>;
const settings = (more: object = {}) => ({ vcenters: [testbed.a.spec], cpi: {}, updates: testbed.updates, ...more });
const runs = (distribution: string) =>
  testbed.until(`both drivers ${distribution}`, async () => {
    const found = await testbed.drivers();
    const drivers = (found?.status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
    return (
      found?.status?.observedGeneration === found?.metadata.generation &&
      drivers.length === 2 &&
      drivers.every((one) => one.distribution === distribution && !one.target) &&
      (await testbed.condition('Ready'))?.status === 'True'
    );
  });
const report = (what: string, gaps: Gaps): number => {
  console.log(`longest gap during ${what}: ${describeGaps(gaps)}`);
  return Math.max(...Object.values(gaps).map(({ longestMs }) => longestMs));
};

// In place of the upstream controller, the loops of this repository serve under the Leases of its sidecars, and leave them behind.
describe('the time without storage during a switch that succeeds', { timeout: 600_000 }, () => {
  beforeAll(async () => {
    testbed = await startLifecycleTestbed({ upstreamServes: true });
    await testbed.putSecret(testbed.a);
    await testbed.joinNode(testbed.a, false);
    await testbed.publish(600, { cpi: ['0.2.0'], csi: ['0.2.0'] });
    await testbed.describe(settings());
    await runs('Native');
    await testbed.apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'stream' },
      provisioner: names.csiDriver,
    } as AnyObject);
    await testbed.claim('attached', 'stream', '16Mi');
    const volume = await testbed.until('the volume', async () => {
      const found = await testbed.kube.get(persistentVolumeClaims, { name: 'attached', namespace: 'default' });
      return found.status?.phase === 'Bound' ? found.spec.volumeName : undefined;
    });
    stream = startClaimStream({
      kube: testbed.kube,
      clock: createSystemClock(),
      storageClassName: 'stream',
      volume,
      node: testbed.a.node.name,
    });
    await stream.flows();
  }, 300_000);
  afterAll(async () => {
    await stream?.stop();
    await testbed?.stop();
  });

  it.each(['Upstream', 'Native'])('to %s', async (distribution) => {
    const available = await testbed.followAvailable();
    const gaps = await stream.during(async () => {
      await testbed.describe(settings({ distribution }));
      await runs(distribution);
    });
    expect(report(`a switch to ${distribution}`, gaps)).toBeLessThan(stoppedMs);
    expect(await available()).toEqual(['True/DriversRunning']);
  });
});
