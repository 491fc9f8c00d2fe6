import { leaseNames } from '@vdo/config/names';
import { leases } from '@vdo/kube/types/cluster';
import { pods } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimTestbed, type SimTestbed } from './testing/sim-testbed.ts';

const theirs = 'vmware-system-csi';
const { provisioner, attacher, resizer, snapshotter, syncer } = leaseNames;
const held = [provisioner, attacher, resizer, snapshotter, syncer];
const images = { registry: 'registry.example' };

// Upstream's sidecars do not give their Leases back: their successor would wait for two minutes.
describe('the Leases of an upstream controller that ends', { timeout: 120_000 }, () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await createSimTestbed();
    await testbed.joinNode('node-1');
    await testbed.putSecret(account);
    await testbed.describe({ distribution: 'Upstream', images });
    await testbed.becomes('Ready', 'True', 'AllReady', 6_000);
  }, 60_000);
  afterEach(() => testbed.stop());

  const controller = async (): Promise<string> => {
    const { items } = await testbed.kube.list(pods, { namespace: theirs, labelSelector: 'app=vsphere-csi-controller' });
    return items.find(({ metadata }) => metadata.deletionTimestamp === undefined)?.metadata.name ?? '';
  };
  const hold = async (holderIdentity: string, name: string): Promise<void> => {
    const metadata = { name, namespace: theirs };
    const spec = { holderIdentity, leaseDurationSeconds: 120, leaseTransitions: 1 };
    await testbed.kube.create(leases, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
  };
  const holders = async () =>
    Promise.all(
      held.map(async (name) => (await testbed.kube.get(leases, { namespace: theirs, name })).spec?.holderIdentity),
    );
  const isGone = async () =>
    !(await testbed.kube.find(deployments, { namespace: theirs, name: 'vsphere-csi-controller' }));

  it('are given back once the kubelet has reported its end, and those of others are not', async () => {
    const pod = await controller();
    for (const name of held.slice(1)) await hold(pod, name);
    await hold('somebody-else', provisioner);
    await testbed.describe({ images });
    await testbed.until('the old controller to go', isGone, 12_000);
    await testbed.until(
      'the Leases',
      async () => (await holders()).filter((holder) => holder === '').length === 4,
      600,
    );
    expect(await holders()).toEqual(['somebody-else', '', '', '', '']);
  });

  it('are not taken from a pod that lives', async () => {
    const pod = await controller();
    for (const name of held) await hold(pod, name);
    await testbed.clock.advance(5 * 60_000);
    expect(new Set(await holders())).toEqual(new Set([pod]));
  });

  it('are left to run out if a pod was removed by force, and the status tells of the wait', async () => {
    const pod = await controller();
    for (const name of held) await hold(pod, name);
    await testbed.kube.delete(pods, { name: pod, namespace: theirs }, { gracePeriodSeconds: 0 });
    const shown = await testbed.until('the wait', async () => {
      const found = await testbed.condition('Progressing');
      return found?.reason === 'WaitsForLease' ? found : undefined;
    });
    expect(shown.message).toContain(pod);
    await testbed.clock.advance(3 * 60_000);
    expect(new Set(await holders())).toEqual(new Set([pod]));
    // Somebody takes them, as Kubernetes allows when they have run out.
    for (const name of held) {
      const lease = await testbed.kube.get(leases, { namespace: theirs, name });
      await testbed.kube.update(leases, { ...lease, spec: { ...lease.spec, holderIdentity: 'successor' } });
    }
    await testbed.until('the wait to end', async () => (await testbed.condition('Progressing'))?.reason === 'UpToDate');
  });
});
