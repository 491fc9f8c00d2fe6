import { serviceAccounts } from '@vdo/kube/types/core';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimHouse, namespace, type SimHouse } from './testing/sim-house.ts';

const images = { registry: 'registry.example' };
const upstreamController = { name: 'vsphere-csi-controller', namespace: 'vmware-system-csi' };
const probe = { name: 'vdo-image-probe', namespace };
const upstreamCloud = { name: 'vsphere-cloud-controller-manager', namespace: 'kube-system' };

describe('a switch of the distribution that cannot end well', { timeout: 120_000 }, () => {
  let house: SimHouse;
  beforeEach(async () => {
    house = await createSimHouse();
    await house.joinNode('node-1');
    await house.putSecret(account);
    await house.describe({ images });
    await house.becomes('Ready', 'True', 'AllReady');
  }, 60_000);
  afterEach(() => house.stop());

  /** Every workload of the drivers, with its generation. */
  const workloads = async (): Promise<readonly string[]> => {
    const lists = await Promise.all([house.kube.list(deployments), house.kube.list(daemonSets)]);
    return lists
      .flatMap(({ items }) => items.map(({ metadata }) => metadata))
      .map(({ namespace: place, name, generation }) => `${place}/${name} ${generation}`)
      .sort();
  };

  /** The switch is refused with this reason: no workload was touched, the old drivers are repaired, and nothing claims to change. */
  const isRefused = async (spec: object, reason: string, added?: typeof probe): Promise<string> => {
    const before = await workloads();
    await house.describe({ distribution: 'Upstream', images, ...spec });
    const shown = await house.becomes('Ready', 'False', reason, 3_000);
    await house.clock.advance(10 * 60_000);
    const isAdded = (line: string): boolean => line.startsWith(`${added?.namespace}/${added?.name} `);
    expect((await workloads()).filter((line) => !isAdded(line))).toEqual(before);
    // A kubelet tries an image again by itself: nothing has come to an end.
    const stalled = reason === 'ImagePullFailed' ? { status: 'False' } : { status: 'True', reason };
    expect(await house.condition('Stalled')).toMatchObject(stalled);
    expect(await house.condition('Available')).toMatchObject({ status: 'True' });
    expect(await house.condition('Progressing')).toMatchObject({ status: 'False' });
    const drivers = (await house.drivers())?.status?.drivers?.filter(({ kind }) => kind !== 'CNI') ?? [];
    expect(drivers.map(({ distribution, target }) => [distribution, target])).toEqual([
      ['Native', undefined],
      ['Native', undefined],
    ]);
    await house.kube.delete(daemonSets, { namespace, name: 'vsphere-csi-node' });
    await house.until('the repair of the old driver', () =>
      house.kube.find(daemonSets, { namespace, name: 'vsphere-csi-node' }),
    );
    return shown.message ?? '';
  };
  const switches = async (): Promise<void> => {
    await house.until('the new controllers', async () => house.kube.find(deployments, upstreamController), 12_000);
    await house.becomes('Ready', 'True', 'AllReady', 12_000);
    expect(await house.kube.find(daemonSets, upstreamCloud)).toBeDefined();
  };

  it('for want of a right is refused before the first object changes, and begun once it is granted', async () => {
    const denied = house.kubeSim.faults.add({
      match: { verb: 'patch', resource: 'daemonsets', namespace: 'vmware-system-csi' },
      effect: { kind: 'deny' },
    });
    expect(await isRefused({}, 'KubeForbidden')).toContain('is not begun');
    denied();
    await switches();
  });

  it.each(['cloud-provider-vsphere', 'csi-vsphere/driver', 'csi-attacher', 'csi-vsphere/syncer'])(
    'for want of the image %s touches nothing, and is begun once it can be pulled',
    async (image) => {
      house.stubs.behave(image, 'no-image');
      expect(await isRefused({}, 'ImagePullFailed', probe)).toContain(image);
      house.stubs.behave(image, 'ready');
      await switches();
      await house.until('the probe to go', async () => !(await house.kube.find(deployments, probe)));
      expect(await house.kube.find(serviceAccounts, probe)).toBeUndefined();
    },
  );

  it('for want of an image leaves nothing when it is given up', async () => {
    house.stubs.behave('cloud-provider-vsphere', 'no-image');
    await isRefused({}, 'ImagePullFailed', probe);
    await house.describe({ images });
    await house.becomes('Ready', 'True', 'AllReady', 3_000);
    await house.until('the probe to go', async () => !(await house.kube.find(deployments, probe)));
  });

  it('for a setting that the other storage driver does not serve leaves the cloud controller manager alone', async () => {
    const csi = { fileVolumes: { datastoreUrls: ['ds:///vmfs/volumes/vsan-1/'] } };
    await house.describe({ images, csi });
    await house.until('the setting', async () => (await house.condition('Ready'))?.observedGeneration === 2);
    await house.becomes('Ready', 'True', 'AllReady');
    expect(await isRefused({ csi }, 'ConfigInvalid')).toContain('spec.csi.fileVolumes.datastoreUrls');
    await house.describe({ distribution: 'Upstream', images });
    await switches();
  });

  it('for want of a storage release leaves the cloud controller manager alone', async () => {
    const { releases } = loadEmbeddedMatrix();
    const some = releases.filter(({ driver, distribution }) => distribution === 'Native' || driver === 'cpi');
    await house.publish(50, some);
    const updates = { matrix: { configMap: { name: 'matrix' } } };
    await isRefused({ updates }, 'NoCompatibleRelease');
    await house.publish(51, releases);
    await switches();
  });
});
