import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { afterEach, describe, expect, it } from 'vitest';
import { both } from './testing/native-releases.ts';
import { account, createSimHouse, namespace, type SimHouse, type SimHouseOptions } from './testing/sim-house.ts';

let house: SimHouse;
afterEach(() => house.stop());

const open = async (options: SimHouseOptions): Promise<void> => {
  house = await createSimHouse(options);
  await house.joinNode('node-1');
  await house.putSecret(account);
};

const images = async (): Promise<readonly string[]> => {
  const lists = await Promise.all([
    house.kube.list(deployments, { namespace }),
    house.kube.list(daemonSets, { namespace }),
  ]);
  const pods = lists.flatMap(({ items }) => items.map(({ spec }) => spec.template.spec));
  return [...new Set(pods.flatMap(({ containers }) => containers.map(({ image }) => image)))];
};

const remedy = `kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"images":{"registry":"REGISTRY"}}}'`;

const isRefused = async (): Promise<void> => {
  const { message = '' } = await house.becomes('Ready', 'False', 'RegistryMissing', 3_000);
  expect(message).toContain('image vdo/vdo:');
  expect(message).toContain(remedy);
  expect(await house.condition('Stalled')).toMatchObject({ status: 'True', reason: 'RegistryMissing' });
};

describe('native drivers of a release that names no registry', { timeout: 120_000 }, () => {
  it('are not installed: the runtime would look for the name on a public registry that is not ours', async () => {
    await open({ registry: undefined });
    await house.describe({});
    await isRefused();
    await house.clock.advance(10 * 60_000);
    expect(await images()).toEqual([]);
    await house.describe({ images: { registry: 'mirror.test:5000' } });
    await house.becomes('Ready', 'True', 'AllReady', 3_000);
    expect(await images()).toEqual(['mirror.test:5000/vdo/vdo:0.1.0']);
  });

  it('are installed from the registry that the operator was built with', async () => {
    await open({ registry: 'registry.test' });
    await house.describe({});
    await house.becomes('Ready', 'True', 'AllReady', 3_000);
    expect(await images()).toEqual(['registry.test/vdo/vdo:0.1.0']);
  });

  it('are installed from the nodes themselves where nothing is ever pulled', async () => {
    await open({ registry: undefined });
    await house.describe({ images: { pullPolicy: 'Never' } });
    await house.becomes('Ready', 'True', 'AllReady', 3_000);
    expect(await images()).toEqual(['vdo/vdo:0.1.0']);
  });

  it('stay where they were pulled from when the registry is taken out of the spec', async () => {
    await open({ registry: undefined });
    await house.describe({ images: { registry: 'mirror.test' } });
    await house.becomes('Ready', 'True', 'AllReady', 3_000);
    await house.describe({});
    await isRefused();
    expect(await images()).toEqual(['mirror.test/vdo/vdo:0.1.0']);
    expect(await house.condition('Available')).toMatchObject({ status: 'True' });
  });

  it('that run without one are kept and repaired, and not upgraded', async () => {
    await open({ registry: undefined });
    const updates = { matrix: { configMap: { name: 'matrix' } } };
    await house.publish(1, both('1.0.0'));
    await house.describe({ updates, images: { pullPolicy: 'Never' } });
    await house.becomes('Ready', 'True', 'AllReady', 3_000);
    await house.describe({ updates });
    await house.publish(2, both('1.0.0', '1.1.0'));
    const held = await house.until('the hold', async () => {
      const upgradeable = await house.condition('Progressing');
      return upgradeable?.message?.includes('No upgrade starts until a registry is named') && upgradeable;
    });
    expect(held.message).toContain(remedy);
    await house.kube.delete(daemonSets, { namespace, name: 'vsphere-csi-node' });
    await house.until('the repair', () => house.kube.find(daemonSets, { namespace, name: 'vsphere-csi-node' }));
    expect(await images()).toEqual(['vdo/vdo:1.0.0']);
    expect(await house.condition('Available')).toMatchObject({ status: 'True' });
  });

  it('do not take the place of others', async () => {
    await open({ registry: undefined });
    await house.describe({ distribution: 'Upstream' });
    await house.becomes('Ready', 'True', 'AllReady', 3_000);
    const before = await images();
    await house.describe({ distribution: 'Native' });
    await isRefused();
    expect(await images()).toEqual(before);
  });
});
