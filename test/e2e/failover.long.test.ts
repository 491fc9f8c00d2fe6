import { readdirSync, readFileSync } from 'node:fs';
import { createSystemClock } from '@vdo/base/clock';
import { leaseNames, names } from '@vdo/config/names';
import { leases } from '@vdo/kube/types/cluster';
import { persistentVolumeClaims, pods } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { deployments } from '@vdo/kube/types/workloads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeGaps, startClaimStream } from './claim-stream.ts';
import { type LifecycleTestbed, startLifecycleTestbed } from './lifecycle-testbed.ts';
import { operatorNamespace } from './operator-testbed.ts';

/** A Lease lasts 15 s and is asked for every 2 s; the rest is for a busy machine. */
const patienceMs = 60_000;
/** A disk that was being taken off when its controller died is let go only when no request of that controller can arrive any more. */
const mayArriveMs = 60_000;
const controller = { name: names.csiController, namespace: operatorNamespace };
const lease = { name: leaseNames.provisioner, namespace: names.upstreamCsiNamespace };

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
/** Kills the process of the pod with this address, as the end of its machine would: a pod's folder has the last number of its address. */
const killPod = (address: string): number => {
  const folder = `/pods/${address.split('.').at(-1)}/`;
  const owned = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => textOf(`/proc/${pid}/status`).includes(`PPid:\t${process.pid}\n`))
    .filter((pid) => textOf(`/proc/${pid}/cmdline`).includes(folder));
  for (const pid of owned) process.kill(Number(pid), 'SIGKILL');
  return owned.length;
};

describe('two controllers of storage', { timeout: 300_000 }, () => {
  let testbed: LifecycleTestbed;
  let stream: ReturnType<typeof startClaimStream>;
  const holder = async () => (await testbed.kube.get(leases, lease)).spec?.holderIdentity ?? '';
  const addresses = async () =>
    (await testbed.kube.list(pods, { namespace: operatorNamespace, labelSelector: `app=${names.csiController}` })).items
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ status }) => status?.podIP ?? '')
      .sort();
  const bothServe = () =>
    testbed.until(
      'both controllers',
      async () => (await testbed.kube.find(deployments, controller))?.status?.readyReplicas === 2,
    );

  beforeAll(async () => {
    testbed = await startLifecycleTestbed({});
    await testbed.putSecret(testbed.a);
    await testbed.joinNode(testbed.a, false);
    await testbed.publish(400, { cpi: ['0.2.0'], csi: ['0.2.0'] });
    await testbed.describe({ vcenters: [testbed.a.spec], cpi: {}, csi: { replicas: 2 }, updates: testbed.updates });
    await testbed.becomesReady();
    await bothServe();
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
    const { kube } = testbed;
    const node = testbed.a.node.name;
    stream = startClaimStream({ kube, clock: createSystemClock(), storageClassName: 'stream', volume, node });
    await stream.flows();
  });
  afterAll(async () => {
    await stream?.stop();
    await testbed?.stop();
  });

  it('outlive the death of the one that leads: the other takes its Leases, and storage goes on', async () => {
    const budget = await testbed.kubectl(['-n', operatorNamespace, 'get', 'pdb', names.csiController, '-o', 'json']);
    expect(JSON.parse(budget).spec).toMatchObject({ maxUnavailable: 1 });
    const before = await holder();
    // Which of the two leads is not to be seen from outside, and one may provision while the other attaches. The second dies only after
    // everything flows again: whoever takes over from both has nobody left who knows what was under way.
    for (const address of await addresses()) {
      if ((await holder()) !== before) break;
      const gaps = await stream.during(async () => {
        expect(killPod(address)).toBe(1);
        const sinceMs = Date.now();
        await testbed.until('another leader, or the same again', async () => {
          const isOther = (await holder()) !== before;
          return isOther || Date.now() - sinceMs > 25_000;
        });
        await bothServe();
      });
      // A claim of which nobody knows whether its disk was asked for waits on its own: the request may arrive for a minute.
      const alone = `slowest claim ${(stream.slowestClaimMs() / 1000).toFixed(1)} s`;
      console.log(`longest gap when a controller dies: ${describeGaps(gaps)}; ${alone}`);
      expect(gaps.provision.longestMs).toBeLessThan(patienceMs);
      expect(gaps.detach.longestMs).toBeLessThan(patienceMs + mayArriveMs);
    }
    expect(await holder()).not.toBe(before);
  });
});
