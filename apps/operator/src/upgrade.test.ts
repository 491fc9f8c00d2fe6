import { type PersistentVolumeClaim, persistentVolumeClaims } from '@vdo/kube/types/core';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { both, nativeRelease } from './testing/native-releases.ts';
import { account, createSimTestbed, namespace, type SimTestbed } from './testing/sim-testbed.ts';

const fromConfigMap = { matrix: { configMap: { name: 'matrix' } } };

describe('upgrades', { timeout: 120_000 }, () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await createSimTestbed();
    await testbed.joinNode('node-1');
    await testbed.joinNode('node-2');
    await testbed.putSecret(account);
  });
  afterEach(() => testbed.stop());

  const versions = async () =>
    Object.fromEntries(((await testbed.drivers())?.status?.drivers ?? []).map(({ kind, version }) => [kind, version]));
  const runs = (cpi: string, csi = cpi, steps = 12_000) =>
    testbed.until(
      `CPI ${cpi} and CSI ${csi}`,
      async () => {
        const status = (await testbed.drivers())?.status;
        const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
        const now = await versions();
        return ready && now['CPI'] === cpi && now['CSI'] === csi;
      },
      steps,
    );
  const installed = async (version: string, updates: Record<string, unknown> = {}) => {
    await testbed.publish(1, both(version));
    await testbed.describe({ updates: { ...fromConfigMap, ...updates } });
    await runs(version);
  };
  const reasons = async () => (await testbed.events()).map(({ reason }) => reason);
  const imageOf = async (resource: typeof deployments, name: string) =>
    (await testbed.kube.get(resource, { name, namespace })).spec.template.spec.containers[0]?.image;

  it('crosses three matrix versions while claims are made, and is available all the time', async () => {
    await installed('1.0.0');
    const claim = (index: number): PersistentVolumeClaim => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: `data-${index}`, namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    let claims = 0;
    const available: string[] = [];
    const servingController: boolean[] = [];
    for (const [serial, version] of [
      [2, '1.0.1'],
      [3, '1.1.0'],
      [4, '2.0.0'],
    ] as const) {
      await testbed.publish(
        serial,
        both('1.0.0', '1.0.1', '1.1.0', '2.0.0').filter((one) => one.version <= version),
      );
      await testbed.until(`everything at ${version}`, async () => {
        claims += 1;
        await testbed.kube.create(persistentVolumeClaims, claim(claims));
        available.push((await testbed.condition('Available'))?.status ?? '?');
        const controller = await testbed.kube.get(deployments, { name: 'vsphere-csi-controller', namespace });
        servingController.push((controller.status?.readyReplicas ?? 0) > 0);
        const now = await versions();
        return (
          now['CPI'] === version && now['CSI'] === version && (await testbed.condition('Ready'))?.status === 'True'
        );
      });
    }
    expect(claims).toBeGreaterThan(10);
    expect(new Set(available)).toEqual(new Set(['True']));
    expect(new Set(servingController)).toEqual(new Set([true]));
    expect((await reasons()).filter((reason) => reason === 'UpgradeCompleted')).toHaveLength(6);
  });

  it('is as fast as the first one, although many went before it within minutes', async () => {
    await installed('1.0.0');
    const took: number[] = [];
    for (let index = 1; index <= 6; index += 1) {
      const beganMs = testbed.clock.monotonicMs();
      await testbed.publish(1 + index, both(...Array.from({ length: index + 1 }, (_, patch) => `1.0.${patch}`)));
      await runs(`1.0.${index}`);
      took.push(testbed.clock.monotonicMs() - beganMs);
    }
    // A look that nothing wakes comes after 15 seconds, and there are three components.
    expect(took.filter((ms) => ms >= 15_000)).toEqual([]);
  });

  it('goes one component after the other: CPI, CSI controller, CSI nodes', async () => {
    await installed('1.0.0');
    const order: string[] = [];
    const watch = testbed.kubeSim.store.onChange(({ bucket, object }) => {
      const labels = object.metadata.labels ?? {};
      const name = object.metadata.name ?? '';
      if (/apps\/(deployments|daemonsets)$/.test(bucket) && labels['app.kubernetes.io/version'] === '1.1.0')
        if (!order.includes(name)) order.push(name);
    });
    await testbed.publish(2, both('1.0.0', '1.1.0'));
    await runs('1.1.0');
    watch();
    expect(order).toEqual(['vsphere-cloud-controller-manager', 'vsphere-csi-controller', 'vsphere-csi-node']);
  });

  it('waits at a component that is not healthy, and takes it back by itself', async () => {
    await installed('1.0.0');
    testbed.stubs.behave('vdo:1.1.0', 'unready');
    await testbed.publish(2, both('1.0.0', '1.1.0'));
    await testbed.until(
      'the upgrade to begin',
      async () => (await testbed.condition('Progressing'))?.reason === 'Upgrading',
    );
    await testbed.clock.advance(60_000);
    expect(await imageOf(deployments, 'vsphere-cloud-controller-manager')).toContain('1.1.0');
    expect(await imageOf(deployments, 'vsphere-csi-controller')).toContain('1.0.0');
    expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
    await testbed.until('the rollback', async () => (await reasons()).includes('RollbackCompleted'), 12_000);
    await runs('1.0.0');
    expect(await reasons()).toEqual(expect.arrayContaining(['UpgradeStarted', 'UpgradeFailed', 'RollbackStarted']));
    expect(await testbed.condition('Upgradeable')).toMatchObject({ status: 'False', reason: 'UpgradeRolledBack' });
  });

  it('does not try a bad release again, not even after a restart, until matrix or spec change', async () => {
    await installed('1.0.0');
    testbed.stubs.behave('vdo:1.1.0', 'unready');
    await testbed.publish(2, [...both('1.0.0'), nativeRelease('cpi', '1.1.0')]);
    await testbed.until('the rollback', async () => (await reasons()).includes('RollbackCompleted'), 12_000);
    const started = async () => (await testbed.events()).filter(({ reason }) => reason === 'UpgradeStarted').length;
    const before = await started();
    testbed.operators[0]?.kill();
    await testbed.clock.advance(60_000);
    testbed.start('operator-2');
    await testbed.clock.advance(12 * 60_000);
    expect(await versions()).toMatchObject({ CPI: '1.0.0', CSI: '1.0.0' });
    expect(await started()).toBe(before);
    testbed.stubs.behave('vdo:1.1.0', 'ready');
    await testbed.describe({ updates: { ...fromConfigMap, interval: '5h' } });
    await runs('1.1.0', '1.0.0');
  });

  it('takes the last good release even if the matrix has forgotten it', async () => {
    await installed('1.0.0');
    testbed.stubs.behave('vdo:1.1.0', 'no-image');
    await testbed.publish(2, both('1.1.0'));
    const shown = await testbed.becomes('Ready', 'False', 'ImagePullFailed');
    expect(shown.message).toContain('vdo/vdo:1.1.0');
    await testbed.until('the rollback', async () => (await reasons()).includes('RollbackCompleted'), 12_000);
    expect(await versions()).toMatchObject({ CPI: '1.0.0', CSI: '1.0.0' });
  });

  it('says so if the pinned release was taken back', async () => {
    await installed('1.0.0');
    testbed.stubs.behave('vdo:1.1.0', 'unready');
    await testbed.publish(2, both('1.0.0', '1.1.0'));
    await testbed.describe({
      updates: { ...fromConfigMap, policy: 'Pinned', versions: { cpi: '1.1.0', csi: '1.0.0' } },
    });
    const shown = await testbed.becomes('Ready', 'False', 'ReleaseRolledBack', 12_000);
    expect(shown.message).toContain('spec.updates.versions.cpi');
    expect(await testbed.condition('Stalled')).toMatchObject({ status: 'True' });
    await testbed.until('the old release', async () => (await versions())['CPI'] === '1.0.0', 12_000);
  });

  it('announces a release under policy Manual, and installs it when it is named', async () => {
    await installed('1.0.0', { policy: 'Manual' });
    await testbed.publish(2, both('1.0.0', '1.1.0'));
    await testbed.until('the announcement', async () => (await reasons()).includes('ReleaseAvailable'));
    expect((await testbed.drivers())?.status?.drivers).toMatchObject([
      { kind: 'CPI', version: '1.0.0', available: '1.1.0' },
      { kind: 'CSI', version: '1.0.0', available: '1.1.0' },
      {},
    ]);
    expect(await testbed.condition('Ready')).toMatchObject({ status: 'True' });
    const named = { policy: 'Manual', versions: { cpi: '1.1.0', csi: '1.1.0' } };
    await testbed.describe({ updates: { ...fromConfigMap, ...named } });
    await runs('1.1.0');
  });

  it('waits for the window', async () => {
    // The clock starts on a Thursday at midnight.
    await installed('1.0.0', { window: { days: [], start: '00:20', duration: '1h' } });
    await testbed.publish(2, both('1.0.0', '1.1.0'));
    const shown = await testbed.becomes('Progressing', 'False', 'OutsideWindow');
    expect(shown.message).toContain('2026-01-01T00:20:00.000Z');
    await testbed.clock.advance(10 * 60_000);
    expect(await versions()).toMatchObject({ CPI: '1.0.0' });
    await testbed.clock.advance(10 * 60_000);
    await runs('1.1.0');
  });

  it('goes on where a killed operator stopped', async () => {
    await installed('1.0.0');
    await testbed.publish(2, both('1.0.0', '1.1.0'));
    await testbed.until('half of it', async () =>
      (await imageOf(deployments, 'vsphere-csi-controller'))?.includes('1.1.0'),
    );
    testbed.operators[0]?.kill();
    const node = await testbed.kube.get(daemonSets, { name: 'vsphere-csi-node', namespace });
    expect(node.spec.template.spec.containers[0]?.image).toContain('1.0.0');
    testbed.start('operator-2');
    await runs('1.1.0');
  });

  it('goes back by name after an upgrade that is over, also to what the matrix forgot, and forward again', async () => {
    await installed('1.0.0');
    const readable = both('1.1.0').map((one) => ({ ...one, downgradeTo: { min: '1.0.0' } }));
    await testbed.publish(2, [...both('1.0.0'), ...readable]);
    await runs('1.1.0');
    await testbed.publish(3, readable);
    const pinned = (version: string) =>
      testbed.describe({ updates: { ...fromConfigMap, policy: 'Pinned', versions: { cpi: version, csi: version } } });
    await pinned('1.0.0');
    await runs('1.0.0');
    expect(await testbed.condition('Stalled')).toMatchObject({ status: 'False' });
    await pinned('1.1.0');
    await runs('1.1.0');
  });

  it('does not go back to a release that may not read what the running one wrote', async () => {
    await installed('1.0.0');
    await testbed.publish(2, both('1.0.0', '1.1.0'));
    await runs('1.1.0');
    const before = (await testbed.kube.get(deployments, { name: 'vsphere-csi-controller', namespace })).metadata
      .generation;
    await testbed.describe({
      updates: { ...fromConfigMap, policy: 'Pinned', versions: { cpi: '1.0.0', csi: '1.0.0' } },
    });
    const shown = await testbed.becomes('Ready', 'False', 'NoCompatibleRelease');
    expect(shown.message).toContain('whose data it may not be able to read');
    expect(await testbed.condition('Stalled')).toMatchObject({ status: 'True' });
    const now = (await testbed.kube.get(deployments, { name: 'vsphere-csi-controller', namespace })).metadata
      .generation;
    expect(now).toBe(before);
    expect(await versions()).toMatchObject({ CPI: '1.1.0', CSI: '1.1.0' });
  });
});
