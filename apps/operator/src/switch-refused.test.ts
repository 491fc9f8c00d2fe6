import { serviceAccounts } from '@vdo/kube/types/core';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimTestbed, namespace, type SimTestbed } from './testing/sim-testbed.ts';

const images = { registry: 'registry.example' };
const upstreamController = { name: 'vsphere-csi-controller', namespace: 'vmware-system-csi' };
const probe = { name: 'vdo-image-probe', namespace };
const upstreamCloud = { name: 'vsphere-cloud-controller-manager', namespace: 'kube-system' };

describe('a switch of the distribution that cannot end well', { timeout: 120_000 }, () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await createSimTestbed();
    await testbed.joinNode('node-1');
    await testbed.putSecret(account);
    await testbed.describe({ images });
    await testbed.becomes('Ready', 'True', 'AllReady');
  }, 60_000);
  afterEach(() => testbed.stop());

  /** Every workload of the drivers, with its generation. */
  const workloads = async (): Promise<readonly string[]> => {
    const lists = await Promise.all([testbed.kube.list(deployments), testbed.kube.list(daemonSets)]);
    return lists
      .flatMap(({ items }) => items.map(({ metadata }) => metadata))
      .map(({ namespace: place, name, generation }) => `${place}/${name} ${generation}`)
      .sort();
  };

  /** The switch is refused with this reason: no workload was touched, the old drivers are repaired, and nothing claims to change. */
  const isRefused = async (spec: object, reason: string, added?: typeof probe): Promise<string> => {
    const before = await workloads();
    await testbed.describe({ distribution: 'Upstream', images, ...spec });
    const shown = await testbed.becomes('Ready', 'False', reason, 3_000);
    await testbed.clock.advance(10 * 60_000);
    const isAdded = (line: string): boolean => line.startsWith(`${added?.namespace}/${added?.name} `);
    expect((await workloads()).filter((line) => !isAdded(line))).toEqual(before);
    // A kubelet tries an image again by itself: nothing has come to an end.
    const stalled = reason === 'ImagePullFailed' ? { status: 'False' } : { status: 'True', reason };
    expect(await testbed.condition('Stalled')).toMatchObject(stalled);
    expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
    expect(await testbed.condition('Progressing')).toMatchObject({ status: 'False' });
    const drivers = (await testbed.drivers())?.status?.drivers?.filter(({ kind }) => kind !== 'CNI') ?? [];
    expect(drivers.map(({ distribution, target }) => [distribution, target])).toEqual([
      ['Native', undefined],
      ['Native', undefined],
    ]);
    await testbed.kube.delete(daemonSets, { namespace, name: 'vsphere-csi-node' });
    await testbed.until('the repair of the old driver', () =>
      testbed.kube.find(daemonSets, { namespace, name: 'vsphere-csi-node' }),
    );
    return shown.message ?? '';
  };
  const switches = async (): Promise<void> => {
    await testbed.until('the new controllers', async () => testbed.kube.find(deployments, upstreamController), 12_000);
    await testbed.becomes('Ready', 'True', 'AllReady', 12_000);
    expect(await testbed.kube.find(daemonSets, upstreamCloud)).toBeDefined();
  };

  it('for want of a right is refused before the first object changes, and begun once it is granted', async () => {
    const denied = testbed.kubeSim.faults.add({
      match: { verb: 'patch', resource: 'daemonsets', namespace: 'vmware-system-csi' },
      effect: { kind: 'deny' },
    });
    expect(await isRefused({}, 'KubeForbidden')).toContain('has not started');
    denied();
    await switches();
  });

  it.each(['cloud-provider-vsphere', 'csi-vsphere/driver', 'csi-attacher', 'csi-vsphere/syncer'])(
    'for want of the image %s touches nothing, and is begun once it can be pulled',
    async (image) => {
      testbed.stubs.behave(image, 'no-image');
      expect(await isRefused({}, 'ImagePullFailed', probe)).toContain(image);
      testbed.stubs.behave(image, 'ready');
      await switches();
      await testbed.until('the probe to go', async () => !(await testbed.kube.find(deployments, probe)));
      expect(await testbed.kube.find(serviceAccounts, probe)).toBeUndefined();
    },
  );

  it('for want of an image leaves nothing when it is given up', async () => {
    testbed.stubs.behave('cloud-provider-vsphere', 'no-image');
    await isRefused({}, 'ImagePullFailed', probe);
    await testbed.describe({ images });
    await testbed.becomes('Ready', 'True', 'AllReady', 3_000);
    await testbed.until('the probe to go', async () => !(await testbed.kube.find(deployments, probe)));
  });

  it('for a setting that the other storage driver does not serve leaves the cloud controller manager alone', async () => {
    const csi = { fileVolumes: { datastoreUrls: ['ds:///vmfs/volumes/vsan-1/'] } };
    await testbed.describe({ images, csi });
    await testbed.until('the setting', async () => (await testbed.condition('Ready'))?.observedGeneration === 2);
    await testbed.becomes('Ready', 'True', 'AllReady');
    expect(await isRefused({ csi }, 'ConfigInvalid')).toContain('spec.csi.fileVolumes.datastoreUrls');
    await testbed.describe({ distribution: 'Upstream', images });
    await switches();
  });

  it('for want of a storage release leaves the cloud controller manager alone', async () => {
    const { releases } = loadEmbeddedMatrix();
    const some = releases.filter(({ driver, distribution }) => distribution === 'Native' || driver === 'cpi');
    await testbed.publish(50, some);
    const updates = { matrix: { configMap: { name: 'matrix' } } };
    await isRefused({ updates }, 'NoCompatibleRelease');
    await testbed.publish(51, releases);
    await switches();
  });
});
