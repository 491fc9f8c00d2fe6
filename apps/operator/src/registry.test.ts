import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { afterEach, describe, expect, it } from 'vitest';
import { both } from './testing/native-releases.ts';
import {
  account,
  createSimTestbed,
  namespace,
  type SimTestbed,
  type SimTestbedOptions,
} from './testing/sim-testbed.ts';

let testbed: SimTestbed;
afterEach(() => testbed.stop());

const open = async (options: SimTestbedOptions): Promise<void> => {
  testbed = await createSimTestbed(options);
  await testbed.joinNode('node-1');
  await testbed.putSecret(account);
};

const images = async (): Promise<readonly string[]> => {
  const lists = await Promise.all([
    testbed.kube.list(deployments, { namespace }),
    testbed.kube.list(daemonSets, { namespace }),
  ]);
  const pods = lists.flatMap(({ items }) => items.map(({ spec }) => spec.template.spec));
  return [...new Set(pods.flatMap(({ containers }) => containers.map(({ image }) => image)))];
};

const remedy = `kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"images":{"registry":"REGISTRY"}}}'`;

const isRefused = async (): Promise<void> => {
  const { message = '' } = await testbed.becomes('Ready', 'False', 'RegistryMissing', 3_000);
  expect(message).toContain('image vdo/vdo:');
  expect(message).toContain(remedy);
  expect(await testbed.condition('Stalled')).toMatchObject({ status: 'True', reason: 'RegistryMissing' });
};

describe('native drivers of a release that names no registry', { timeout: 120_000 }, () => {
  it('are not installed: the runtime would look for the name on a public registry that is not ours', async () => {
    await open({ registry: undefined });
    await testbed.describe({});
    await isRefused();
    await testbed.clock.advance(10 * 60_000);
    expect(await images()).toEqual([]);
    await testbed.describe({ images: { registry: 'mirror.test:5000' } });
    await testbed.becomes('Ready', 'True', 'AllReady', 3_000);
    expect(await images()).toEqual(['mirror.test:5000/vdo/vdo:0.1.0', 'mirror.test:5000/vdo/node:0.1.0']);
  });

  it('are installed from the registry that the operator was built with', async () => {
    await open({ registry: 'registry.test' });
    await testbed.describe({});
    await testbed.becomes('Ready', 'True', 'AllReady', 3_000);
    expect(await images()).toEqual(['registry.test/vdo/vdo:0.1.0', 'registry.test/vdo/node:0.1.0']);
  });

  it('are installed from the nodes themselves where nothing is ever pulled', async () => {
    await open({ registry: undefined });
    await testbed.describe({ images: { pullPolicy: 'Never' } });
    await testbed.becomes('Ready', 'True', 'AllReady', 3_000);
    expect(await images()).toEqual(['vdo/vdo:0.1.0', 'vdo/node:0.1.0']);
  });

  it('stay where they were pulled from when the registry is taken out of the spec', async () => {
    await open({ registry: undefined });
    await testbed.describe({ images: { registry: 'mirror.test' } });
    await testbed.becomes('Ready', 'True', 'AllReady', 3_000);
    await testbed.describe({});
    await isRefused();
    expect(await images()).toEqual(['mirror.test/vdo/vdo:0.1.0', 'mirror.test/vdo/node:0.1.0']);
    expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
  });

  it('that run without one are kept and repaired, and not upgraded', async () => {
    await open({ registry: undefined });
    const updates = { matrix: { configMap: { name: 'matrix' } } };
    await testbed.publish(1, both('1.0.0'));
    await testbed.describe({ updates, images: { pullPolicy: 'Never' } });
    await testbed.becomes('Ready', 'True', 'AllReady', 3_000);
    await testbed.describe({ updates });
    await testbed.publish(2, both('1.0.0', '1.1.0'));
    const held = await testbed.until('the hold', async () => {
      const upgradeable = await testbed.condition('Progressing');
      return upgradeable?.message?.includes('Upgrades wait until a registry is set') && upgradeable;
    });
    expect(held.message).toContain(remedy);
    await testbed.kube.delete(daemonSets, { namespace, name: 'vsphere-csi-node' });
    await testbed.until('the repair', () => testbed.kube.find(daemonSets, { namespace, name: 'vsphere-csi-node' }));
    expect(await images()).toEqual(['vdo/vdo:1.0.0']);
    expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
  });

  it('do not take the place of others', async () => {
    await open({ registry: undefined });
    await testbed.describe({ distribution: 'Upstream' });
    await testbed.becomes('Ready', 'True', 'AllReady', 3_000);
    const before = await images();
    await testbed.describe({ distribution: 'Native' });
    await isRefused();
    expect(await images()).toEqual(before);
  });
});
