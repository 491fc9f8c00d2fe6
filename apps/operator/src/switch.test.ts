import { nodes } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimTestbed, namespace, type SimTestbed } from './testing/sim-testbed.ts';

const native = { name: 'vsphere-csi-controller', namespace };
const upstream = { name: 'vsphere-csi-controller', namespace: 'vmware-system-csi' };
const images = { registry: 'registry.example' };

describe('a switch of the distribution', { timeout: 120_000 }, () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await createSimTestbed();
    await testbed.joinNode('node-1');
    await testbed.putSecret(account);
    await testbed.describe({ images });
    await testbed.becomes('Ready', 'True', 'AllReady');
  });
  afterEach(() => testbed.stop());

  const serves = async (key: typeof native) =>
    ((await testbed.kube.find(deployments, key))?.status?.readyReplicas ?? 0) > 0;
  const csi = async () => (await testbed.drivers())?.status?.drivers?.find(({ kind }) => kind === 'CSI');
  const reasons = async () => (await testbed.events()).map(({ reason }) => reason);

  it('keeps the old controller until the new one is ready', async () => {
    const gaps: string[] = [];
    await testbed.describe({ distribution: 'Upstream', images });
    await testbed.until(
      'the switch',
      async () => {
        if (!(await serves(native)) && !(await serves(upstream)))
          gaps.push(new Date(testbed.clock.now()).toISOString());
        const { distribution } = (await csi()) ?? {};
        return distribution === 'Upstream' && (await testbed.condition('Ready'))?.status === 'True';
      },
      3_000,
    );
    expect(gaps).toEqual([]);
  });

  it('is not called ready before both drivers have switched, also while images are pulled', async () => {
    const early: string[] = [];
    await testbed.describe({ distribution: 'Upstream', images });
    await testbed.until(
      'the switch',
      async () => {
        const { metadata, status } = (await testbed.drivers()) ?? {};
        const ready = await testbed.condition('Ready');
        const left = (status?.drivers ?? []).filter(
          ({ kind, distribution }) => kind !== 'CNI' && distribution !== 'Upstream',
        );
        const isJudged = status?.observedGeneration === metadata?.generation;
        if (isJudged && left.length > 0 && ready?.status === 'True')
          early.push(
            `${(await testbed.condition('Progressing'))?.reason}: ${left.map(({ kind }) => kind)} not switched`,
          );
        return isJudged && left.length === 0 && ready?.status === 'True';
      },
      3_000,
    );
    expect([...new Set(early)]).toEqual([]);
  });

  it('that fails leaves the old controller serving, comes back and stays', async () => {
    testbed.stubs.behave('csi-vsphere/driver', 'unready');
    await testbed.describe({ distribution: 'Upstream', images, updates: { progressDeadline: '1m' } });
    const silent: string[] = [];
    const observe = async () => {
      if (!(await serves(native))) silent.push(new Date(testbed.clock.now()).toISOString());
    };
    await testbed.until(
      'the new controller',
      async () => {
        await observe();
        return testbed.kube.find(deployments, upstream);
      },
      3_000,
    );
    await testbed.until(
      'the rollback',
      async () => {
        await observe();
        return (await testbed.condition('Ready'))?.reason === 'ReleaseRolledBack';
      },
      12_000,
    );
    const started = (await reasons()).filter((reason) => reason === 'UpgradeStarted').length;
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await testbed.clock.advance(60_000);
      await observe();
    }
    expect(silent).toEqual([]);
    expect(await reasons()).toEqual(expect.arrayContaining(['UpgradeFailed', 'RollbackStarted']));
    expect((await reasons()).filter((reason) => reason === 'UpgradeStarted')).toHaveLength(started);
    expect(await csi()).toMatchObject({ distribution: 'Native' });
    expect(await testbed.kube.find(deployments, upstream)).toBeUndefined();
    const stalled = await testbed.condition('Stalled');
    expect(stalled).toMatchObject({ status: 'True', reason: 'ReleaseRolledBack' });
    expect(stalled?.message).toContain('spec.distribution');
    expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
    // To give the wish up is enough.
    await testbed.describe({ images });
    await testbed.becomes('Ready', 'True', 'AllReady');
  });

  it('that fails on the way back leaves the upstream controller serving, and stays there', async () => {
    await testbed.describe({ distribution: 'Upstream', images });
    await testbed.until('the switch', async () => (await csi())?.distribution === 'Upstream', 12_000);
    await testbed.becomes('Ready', 'True', 'AllReady', 6_000);
    testbed.stubs.behaveBy((pod) => (/^vsphere-csi-controller/.test(pod.metadata.name ?? '') ? 'unready' : undefined));
    await testbed.describe({ images, updates: { progressDeadline: '1m' } });
    const silent: string[] = [];
    const marks = new Set<string>();
    await testbed.until(
      'the rollback',
      async () => {
        if (!(await serves(upstream))) silent.push(new Date(testbed.clock.now()).toISOString());
        marks.add((await testbed.condition('Available'))?.status ?? '');
        return (await testbed.condition('Ready'))?.reason === 'ReleaseRolledBack';
      },
      12_000,
    );
    await testbed.until('the failed one to go', async () => !(await testbed.kube.find(deployments, native)), 6_000);
    expect(silent).toEqual([]);
    expect([...marks]).toEqual(['True']);
    expect(await csi()).toMatchObject({ distribution: 'Upstream' });
    expect(await testbed.condition('Stalled')).toMatchObject({ status: 'True', reason: 'ReleaseRolledBack' });
  });

  it('in which the cloud controller manager fails takes it back, touches no storage, and admits the gap', async () => {
    testbed.stubs.behave('cloud-provider-vsphere', 'unready');
    await testbed.describe({ distribution: 'Upstream', images, updates: { progressDeadline: '2m' } });
    const available = new Set<string>();
    await testbed.until(
      'the rollback',
      async () => {
        available.add((await testbed.condition('Available'))?.status ?? '');
        expect(await serves(native)).toBe(true);
        return (await testbed.condition('Ready'))?.reason === 'ReleaseRolledBack';
      },
      24_000,
    );
    // Both managers want one port of the host, so for longer than a minute none of them served, and the status said so.
    expect([...available]).toEqual(['True', 'False']);
    await testbed.becomes('Available', 'True', 'DriversRunning', 3_000);
    expect(await testbed.kube.find(deployments, upstream)).toBeUndefined();
    expect((await testbed.drivers())?.status?.drivers?.map(({ distribution }) => distribution)).not.toContain(
      'Upstream',
    );
    expect((await reasons()).filter((reason) => reason === 'UpgradeStarted')).toHaveLength(1);
    await testbed.clock.advance(10 * 60_000);
    expect((await reasons()).filter((reason) => reason === 'UpgradeStarted')).toHaveLength(1);
  });

  it('is not begun while a node has no VM: the upstream driver would not start', async () => {
    await testbed.joinNode('node-99');
    await testbed.until('the check', async () =>
      (await testbed.drivers())?.status?.checks?.failing?.some(({ id }) => id === 'node/vm-found'),
    );
    await testbed.describe({ distribution: 'Upstream', images });
    const shown = await testbed.becomes('Ready', 'False', 'InstallBlocked');
    expect(shown.message).toContain('no VM was found for node-99');
    await testbed.clock.advance(5 * 60_000);
    expect(await serves(native)).toBe(true);
    expect(await testbed.kube.find(deployments, upstream)).toBeUndefined();
    await testbed.kube.delete(nodes, { name: 'node-99' });
    await testbed.until('the switch', async () => (await csi())?.distribution === 'Upstream', 12_000);
  });
});
