import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { customResourceDefinitions, leases } from '@vdo/kube/types/cluster';
import { persistentVolumeClaims } from '@vdo/kube/types/core';
import { volumeSnapshotClasses, volumeSnapshotContents, volumeSnapshots } from '@vdo/kube/types/snapshots';
import { snapshotCrds } from '@vdo/releases/render/shared/snapshot-crds';
import { simOffers } from '@vdo/sim-world/sim-release';
import { describe, expect, it } from 'vitest';
import { runSnapshotControllerApp } from './snapshot-controller-app.ts';
import { crashEverywhere, type Testbed } from './testing/crash-testbed.ts';

const apiVersion = 'snapshot.storage.k8s.io/v1';
const driver = 'csi.vsphere.vmware.com';

const bind = async (opened: Testbed) => {
  await opened.claim('data');
  await opened.bound('data');
};

describe.skipIf(!simOffers('growth'))('a crash during expanding a volume', () => {
  it('leaves it grown, told to the node and whole, at every call and write', { timeout: 900_000 }, async () => {
    const calls = await crashEverywhere(bind, async (opened) => {
      const key = { namespace: 'default', name: 'data' };
      const body = { spec: { resources: { requests: { storage: '3Gi' } } } };
      await opened.client.patch(persistentVolumeClaims, key, { type: 'merge', body });
      await opened.until('the node has to act', async () =>
        (await opened.getClaim('data'))?.status?.conditions?.some(({ type }) => type === 'FileSystemResizePending'),
      );
      const disks = opened.sim.volumes.list();
      expect(disks.map(({ capacityMb }) => capacityMb)).toEqual([3072n]);
      const [volume] = await opened.persistentVolumes();
      expect(volume?.spec).toMatchObject({ capacity: { storage: '3Gi' }, csi: { volumeHandle: disks[0]?.id } });
    });
    expect(calls).toContain('CnsExtendVolume');
  });
});

/** The snapshot-controller is a program of its own and lives on. */
const withSnapshots = async (opened: Testbed): Promise<void> => {
  for (const crd of snapshotCrds) await opened.client.create(customResourceDefinitions, crd);
  const deps = {
    clock: opened.clock,
    random: createSeededRandom(9),
    logger: silentLogger,
    metrics: createMetrics(),
    kube: opened.client,
    leaseNamespace: 'vmware-system-csi',
    identity: 'snapshot-controller-1',
  };
  opened.alongside((signal) => runSnapshotControllerApp(deps, signal));
  await opened.client.create(volumeSnapshotClasses, {
    apiVersion,
    kind: 'VolumeSnapshotClass',
    metadata: { name: 'snap' },
    driver,
    deletionPolicy: 'Delete',
  });
  await bind(opened);
  const lease = { namespace: 'vmware-system-csi', name: 'external-snapshotter-leader-csi-vsphere-vmware-com' };
  await opened.until(
    'the first replica leads the snapshotter',
    async () => (await opened.client.find(leases, lease))?.spec?.holderIdentity === 'replica-1' || undefined,
  );
};

const takeSnapshot = async (opened: Testbed): Promise<void> => {
  const name = { namespace: 'default', name: 'first' };
  await opened.client.create(volumeSnapshots, {
    apiVersion,
    kind: 'VolumeSnapshot',
    metadata: name,
    spec: { source: { persistentVolumeClaimName: 'data' }, volumeSnapshotClassName: 'snap' },
  });
  await opened.until(
    'the snapshot is ready',
    async () => (await opened.client.find(volumeSnapshots, name))?.status?.readyToUse,
    // One that a dead process may have asked for is not asked for again within six minutes.
    { withinMs: 420_000 },
  );
};

describe.skipIf(!simOffers('snapshots'))('a crash during restoring a snapshot into a larger volume', () => {
  it('leaves one disk of the size asked for, at every call and write', { timeout: 900_000 }, async () => {
    const prepare = async (opened: Testbed) => {
      await withSnapshots(opened);
      await takeSnapshot(opened);
    };
    const calls = await crashEverywhere(prepare, async (opened) => {
      await opened.claim('larger', 'vsphere', {
        dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'first' },
        resources: { requests: { storage: '3Gi' } },
      });
      // A volume that a dead process may have asked for is not asked for again within six minutes.
      const { spec } = await opened.bound('larger', { withinMs: 480_000 });
      const volume = (await opened.persistentVolumes()).find(({ metadata }) => metadata.name === spec.volumeName);
      expect(volume?.spec.capacity).toEqual({ storage: '3Gi' });
      // It is a copy: nobody may format it.
      expect(volume?.spec.csi?.volumeAttributes?.['vdo.vmware.com/blank']).toBe('false');
      const disks = opened.sim.volumes.list();
      expect(disks).toHaveLength(2);
      expect(disks.find(({ id }) => id === volume?.spec.csi?.volumeHandle)?.capacityMb).toBe(3072n);
      await opened.until('no intent is left', async () => (await opened.intents()).length === 0);
    });
    expect(calls).toEqual(expect.arrayContaining(['CnsCreateVolume', 'CnsExtendVolume']));
  });
});

describe.skipIf(!simOffers('snapshots'))('a crash during taking and deleting a snapshot', () => {
  it('leaves one snapshot, then none, and the disk, at every call and write', { timeout: 900_000 }, async () => {
    const calls = await crashEverywhere(withSnapshots, async (opened) => {
      const name = { namespace: 'default', name: 'first' };
      const count = () => opened.sim.volumes.list().map(({ snapshots }) => snapshots.length);
      await takeSnapshot(opened);
      expect(count()).toEqual([1]);
      await opened.client.delete(volumeSnapshots, name);
      await opened.until(
        'the snapshot is gone',
        async () => (await opened.client.list(volumeSnapshotContents)).items.length === 0,
      );
      expect(count()).toEqual([0]);
      await opened.until('no intent is left', async () => (await opened.intents()).length === 0);
    });
    expect(calls).toEqual(expect.arrayContaining(['CnsCreateSnapshots', 'CnsDeleteSnapshots']));
  });
});
