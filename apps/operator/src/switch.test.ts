import { nodes } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimHouse, namespace, type SimHouse } from './testing/sim-house.ts';

const native = { name: 'vsphere-csi-controller', namespace };
const upstream = { name: 'vsphere-csi-controller', namespace: 'vmware-system-csi' };
const images = { registry: 'registry.example' };

describe('a switch of the distribution', { timeout: 120_000 }, () => {
  let house: SimHouse;
  beforeEach(async () => {
    house = await createSimHouse();
    await house.joinNode('node-1');
    await house.putSecret(account);
    await house.describe({ images });
    await house.becomes('Ready', 'True', 'AllReady');
  });
  afterEach(() => house.stop());

  const serves = async (key: typeof native) =>
    ((await house.kube.find(deployments, key))?.status?.readyReplicas ?? 0) > 0;
  const csi = async () => (await house.drivers())?.status?.drivers?.find(({ kind }) => kind === 'CSI');
  const reasons = async () => (await house.events()).map(({ reason }) => reason);

  it('keeps the old controller until the new one is ready', async () => {
    const gaps: string[] = [];
    await house.describe({ distribution: 'Upstream', images });
    await house.until(
      'the switch',
      async () => {
        if (!(await serves(native)) && !(await serves(upstream))) gaps.push(new Date(house.clock.now()).toISOString());
        const { distribution } = (await csi()) ?? {};
        return distribution === 'Upstream' && (await house.condition('Ready'))?.status === 'True';
      },
      3_000,
    );
    expect(gaps).toEqual([]);
  });

  it('is not called ready before both drivers have switched, also while images are pulled', async () => {
    const early: string[] = [];
    await house.describe({ distribution: 'Upstream', images });
    await house.until(
      'the switch',
      async () => {
        const { metadata, status } = (await house.drivers()) ?? {};
        const ready = await house.condition('Ready');
        const left = (status?.drivers ?? []).filter(
          ({ kind, distribution }) => kind !== 'CNI' && distribution !== 'Upstream',
        );
        const isJudged = status?.observedGeneration === metadata?.generation;
        if (isJudged && left.length > 0 && ready?.status === 'True')
          early.push(`${(await house.condition('Progressing'))?.reason}: ${left.map(({ kind }) => kind)} not switched`);
        return isJudged && left.length === 0 && ready?.status === 'True';
      },
      3_000,
    );
    expect([...new Set(early)]).toEqual([]);
  });

  it('that fails leaves the old controller serving, comes back and stays', async () => {
    house.stubs.behave('csi-vsphere/driver', 'unready');
    await house.describe({ distribution: 'Upstream', images, updates: { progressDeadline: '1m' } });
    const silent: string[] = [];
    const look = async () => {
      if (!(await serves(native))) silent.push(new Date(house.clock.now()).toISOString());
    };
    await house.until(
      'the new controller',
      async () => {
        await look();
        return house.kube.find(deployments, upstream);
      },
      3_000,
    );
    await house.until(
      'the rollback',
      async () => {
        await look();
        return (await house.condition('Ready'))?.reason === 'ReleaseRolledBack';
      },
      12_000,
    );
    const started = (await reasons()).filter((reason) => reason === 'UpgradeStarted').length;
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await house.clock.advance(60_000);
      await look();
    }
    expect(silent).toEqual([]);
    expect(await reasons()).toEqual(expect.arrayContaining(['UpgradeFailed', 'RollbackStarted']));
    expect((await reasons()).filter((reason) => reason === 'UpgradeStarted')).toHaveLength(started);
    expect(await csi()).toMatchObject({ distribution: 'Native' });
    expect(await house.kube.find(deployments, upstream)).toBeUndefined();
    const stalled = await house.condition('Stalled');
    expect(stalled).toMatchObject({ status: 'True', reason: 'ReleaseRolledBack' });
    expect(stalled?.message).toContain('spec.distribution');
    expect(await house.condition('Available')).toMatchObject({ status: 'True' });
    // To give the wish up is enough.
    await house.describe({ images });
    await house.becomes('Ready', 'True', 'AllReady');
  });

  it('that fails on the way back leaves the upstream controller serving, and stays there', async () => {
    await house.describe({ distribution: 'Upstream', images });
    await house.until('the switch', async () => (await csi())?.distribution === 'Upstream', 12_000);
    await house.becomes('Ready', 'True', 'AllReady', 6_000);
    house.stubs.behaveBy((pod) => (/^vsphere-csi-controller/.test(pod.metadata.name ?? '') ? 'unready' : undefined));
    await house.describe({ images, updates: { progressDeadline: '1m' } });
    const silent: string[] = [];
    const marks = new Set<string>();
    await house.until(
      'the rollback',
      async () => {
        if (!(await serves(upstream))) silent.push(new Date(house.clock.now()).toISOString());
        marks.add((await house.condition('Available'))?.status ?? '');
        return (await house.condition('Ready'))?.reason === 'ReleaseRolledBack';
      },
      12_000,
    );
    await house.until('the failed one to go', async () => !(await house.kube.find(deployments, native)), 6_000);
    expect(silent).toEqual([]);
    expect([...marks]).toEqual(['True']);
    expect(await csi()).toMatchObject({ distribution: 'Upstream' });
    expect(await house.condition('Stalled')).toMatchObject({ status: 'True', reason: 'ReleaseRolledBack' });
  });

  it('in which the cloud controller manager fails takes it back, touches no storage, and admits the gap', async () => {
    house.stubs.behave('cloud-provider-vsphere', 'unready');
    await house.describe({ distribution: 'Upstream', images, updates: { progressDeadline: '2m' } });
    const available = new Set<string>();
    await house.until(
      'the rollback',
      async () => {
        available.add((await house.condition('Available'))?.status ?? '');
        expect(await serves(native)).toBe(true);
        return (await house.condition('Ready'))?.reason === 'ReleaseRolledBack';
      },
      24_000,
    );
    // Both managers want one port of the host, so for longer than a minute none of them served, and the status said so.
    expect([...available]).toEqual(['True', 'False']);
    await house.becomes('Available', 'True', 'DriversRunning', 3_000);
    expect(await house.kube.find(deployments, upstream)).toBeUndefined();
    expect((await house.drivers())?.status?.drivers?.map(({ distribution }) => distribution)).not.toContain('Upstream');
    expect((await reasons()).filter((reason) => reason === 'UpgradeStarted')).toHaveLength(1);
    await house.clock.advance(10 * 60_000);
    expect((await reasons()).filter((reason) => reason === 'UpgradeStarted')).toHaveLength(1);
  });

  it('is not begun while a node has no VM: the upstream driver would not start', async () => {
    await house.joinNode('node-99');
    await house.until('the check', async () =>
      (await house.drivers())?.status?.checks?.failing?.some(({ id }) => id === 'node/vm-found'),
    );
    await house.describe({ distribution: 'Upstream', images });
    const shown = await house.becomes('Ready', 'False', 'InstallBlocked');
    expect(shown.message).toContain('there is none for node-99');
    await house.clock.advance(5 * 60_000);
    expect(await serves(native)).toBe(true);
    expect(await house.kube.find(deployments, upstream)).toBeUndefined();
    await house.kube.delete(nodes, { name: 'node-99' });
    await house.until('the switch', async () => (await csi())?.distribution === 'Upstream', 12_000);
  });
});
