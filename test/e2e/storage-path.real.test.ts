import { readFile, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createSystemRandom } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import { connectKube } from '@vdo/kube/connect-kube';
import { createKubeClient } from '@vdo/kube/create-client';
import { persistentVolumeClaims, persistentVolumes, pods } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { volumeSnapshotContents, volumeSnapshots } from '@vdo/kube/types/snapshots';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startControlPlane } from '../harness/control-plane.ts';
import { startStorageHouse } from './storage-house.ts';

interface Target {
  readonly kube: KubeClient;
  stop(): Promise<void>;
}

const startSim = async (): Promise<Target> => {
  const clock = createSystemClock();
  const stopping = new AbortController();
  const sim = createKubeSim({ clock, random: createSystemRandom(), logger: silentLogger });
  const running = sim.run(stopping.signal);
  return {
    kube: createKubeClient({ transport: sim.handler, clock, qps: 0 }),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

const startCluster = async (): Promise<Target> => {
  const plane = await startControlPlane();
  const kube = await connectKube({ kubeconfigPath: plane.kubeconfigPath, env: {}, clock: createSystemClock(), qps: 0 });
  return {
    kube,
    stop: async () => {
      await kube.close();
      await plane.stop();
    },
  };
};

const named = (name: string) => ({ name, namespace: 'default' });
const storageClass = (name: string, more: object = {}): AnyObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: 'csi.vsphere.vmware.com',
  allowVolumeExpansion: true,
  ...more,
});
const claim = (name: string, className: string, more: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: named(name),
  spec: {
    storageClassName: className,
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '320Mi' } },
    ...more,
  },
});
const pod = (name: string, claimName: string, block = false): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: named(name),
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: 'main',
        image: 'app',
        command: ['app'],
        ...(block
          ? { volumeDevices: [{ name: 'data', devicePath: '/dev/data' }] }
          : { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
      },
    ],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
  },
});
const snapshotClass: AnyObject = {
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshotClass',
  metadata: { name: 'snap' },
  driver: 'csi.vsphere.vmware.com',
  deletionPolicy: 'Delete',
};
const mib = 1024 * 1024;

// Needs root: disks, file systems and mounts are real.
describe.each([
  ['the embedded API server', startSim],
  ['kube-apiserver and kube-controller-manager', startCluster],
])('storage from class to pod on %s', (_name, start) => {
  let target: Target;
  let house: Awaited<ReturnType<typeof startStorageHouse>>;
  beforeAll(async () => {
    target = await start();
    house = await startStorageHouse(target.kube);
    // Growing a mounted ext4 takes CAP_SYS_RESOURCE, which not every machine that runs tests has.
    const fsType = (type: string) => ({ parameters: { 'csi.storage.k8s.io/fstype': type } });
    await house.apply(storageClass('now', fsType('xfs')));
    await house.apply(
      storageClass('later', {
        volumeBindingMode: 'WaitForFirstConsumer',
        mountOptions: ['noatime'],
        ...fsType('ext4'),
      }),
    );
    await house.apply(snapshotClass);
  });
  afterAll(async () => {
    await house?.stop();
    await target?.stop();
  });

  const remove = async (name: string): Promise<void> => {
    const found = await house.kube.find(pods, named(name));
    await house.kube.delete(pods, named(name));
    await house.until(`pod ${name} to go`, async () => (await house.kube.find(pods, named(name))) === undefined);
    expect(found).toBeDefined();
  };
  /** The line of the kernel about the mount at a path; what was written there without one would be lost. */
  const mountAt = async (path: string): Promise<string> =>
    (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').find((line) => line.includes(` ${path} `)) ?? '';
  /** The disk of a claim, as vCenter has it. */
  const diskOf = async (claimName: string) => {
    const name = (await house.kube.find(persistentVolumeClaims, named(claimName)))?.spec.volumeName ?? '';
    const handle = (await house.kube.find(persistentVolumes, { name }))?.spec.csi?.volumeHandle ?? '';
    const disk = house.sim.volumes.get(handle);
    if (!disk) throw new Error(`vCenter has no volume ${handle} of claim ${claimName}`);
    return disk;
  };
  const detached = () =>
    house.until('all disks to be detached', async () => {
      const { items } = await house.kube.list(volumeAttachments);
      return items.length === 0 && house.sim.volumes.list().every(({ attachedTo }) => attachedTo === undefined);
    });

  it('a claim becomes a mounted disk; what one pod writes, the next one reads', async () => {
    await house.apply(claim('data', 'now'));
    await house.apply(pod('writer', 'data'));
    const first = await house.mounted('writer');
    expect(await mountAt(first)).toContain(' - xfs ');
    expect((await diskOf('data')).attachedTo?.vm).toEqual(house.sim.control.find('node-1', 'VirtualMachine'));
    await writeFile(join(first, 'greeting'), 'hello');
    await remove('writer');
    await detached();
    expect(await mountAt(first)).toBe('');
    await house.apply(pod('reader', 'data'));
    const second = await house.mounted('reader');
    expect(await mountAt(second)).toContain(' - xfs ');
    expect(await readFile(join(second, 'greeting'), 'utf8')).toBe('hello');
  });

  it('a volume grows while a pod uses it', async () => {
    const path = await house.mounted('reader');
    const before = await statfs(path);
    await house.kube.patch(persistentVolumeClaims, named('data'), {
      type: 'merge',
      body: { spec: { resources: { requests: { storage: '640Mi' } } } },
    });
    await house.until('the claim to show the new size', async () => {
      const found = await house.kube.find(persistentVolumeClaims, named('data'));
      return found?.status?.capacity?.storage === '640Mi';
    });
    expect((await diskOf('data')).capacityMb).toBe(640n);
    const after = await statfs(path);
    expect(after.blocks * after.bsize).toBeGreaterThan(before.blocks * before.bsize + 200 * mib);
    expect(await readFile(join(path, 'greeting'), 'utf8')).toBe('hello');
  });

  it('a snapshot keeps what was there; restored, it is read by another pod', async () => {
    const path = await house.mounted('reader');
    await house.apply({
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshot',
      metadata: named('monday'),
      spec: { source: { persistentVolumeClaimName: 'data' }, volumeSnapshotClassName: 'snap' },
    } as AnyObject);
    const snapshot = await house.until('the snapshot to be ready', async () => {
      const found = await house.kube.find(volumeSnapshots, named('monday'));
      return found?.status?.readyToUse ? found : undefined;
    });
    expect(snapshot.status?.restoreSize).toBe('640Mi');
    expect((await diskOf('data')).snapshots).toHaveLength(1);
    await writeFile(join(path, 'greeting'), 'changed');
    const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'monday' };
    const resources = { requests: { storage: '960Mi' } };
    await house.apply(claim('restored', 'now', { dataSource, resources }));
    await house.apply(pod('historian', 'restored'));
    const restored = await house.mounted('historian');
    expect(await readFile(join(restored, 'greeting'), 'utf8')).toBe('hello');
    // The copy was asked for larger than the original, and its disk and its file system are.
    expect((await diskOf('restored')).capacityMb).toBe(960n);
    const { blocks, bsize } = await statfs(restored);
    expect(blocks * bsize).toBeGreaterThan(800 * mib);
    expect(await readFile(join(path, 'greeting'), 'utf8')).toBe('changed');
  });

  it('a snapshot goes, and its disk keeps what it has', async () => {
    await house.kube.delete(volumeSnapshots, named('monday'));
    await house.until('the snapshot to go', async () => {
      const contents = await house.kube.list(volumeSnapshotContents);
      return contents.items.length === 0 && (await house.kube.find(volumeSnapshots, named('monday'))) === undefined;
    });
    expect(house.sim.volumes.list().flatMap(({ snapshots }) => snapshots)).toEqual([]);
  });

  it('a claim is copied while it is in use', async () => {
    const dataSource = { kind: 'PersistentVolumeClaim', name: 'data' };
    await house.apply(claim('copy', 'now', { dataSource, resources: { requests: { storage: '640Mi' } } }));
    await house.apply(pod('twin', 'copy'));
    const copy = await house.mounted('twin');
    expect(await readFile(join(copy, 'greeting'), 'utf8')).toBe('changed');
    expect((await diskOf('copy')).id).not.toBe((await diskOf('data')).id);
    await writeFile(join(copy, 'greeting'), 'of the copy');
    expect(await readFile(join(await house.mounted('reader'), 'greeting'), 'utf8')).toBe('changed');
    expect(house.sim.volumes.list().flatMap(({ snapshots }) => snapshots)).toEqual([]);
  });

  it('a claim that waits for its first consumer gets its disk, file system and mount options then', async () => {
    await house.apply(claim('patient', 'later', { resources: { requests: { storage: '64Mi' } } }));
    await house.apply(pod('consumer', 'patient'));
    const path = await house.mounted('consumer');
    const line = await mountAt(path);
    expect(line).toContain(' - ext4 ');
    expect(line).toContain('noatime');
  });

  it('a claim for one pod only is written by its pod', async () => {
    await house.apply(claim('single', 'now', { accessModes: ['ReadWriteOncePod'] }));
    await house.apply(pod('hermit', 'single'));
    const path = await house.mounted('hermit');
    await writeFile(join(path, 'diary'), 'alone');
    expect(await mountAt(path)).toContain(' - xfs ');
    const name = (await house.kube.find(persistentVolumeClaims, named('single')))?.spec.volumeName ?? '';
    expect((await house.kube.find(persistentVolumes, { name }))?.spec.accessModes).toEqual(['ReadWriteOncePod']);
  });

  it('a raw device reaches its pod', async () => {
    await house.apply(claim('raw', 'now', { volumeMode: 'Block' }));
    await house.apply(pod('database', 'raw', true));
    const path = await house.mounted('database');
    expect((await stat(path)).isBlockDevice()).toBe(true);
  });

  it('everything goes when its pods and claims go', async () => {
    for (const name of ['reader', 'historian', 'twin', 'consumer', 'hermit', 'database']) await remove(name);
    await detached();
    for (const name of ['data', 'restored', 'copy', 'patient', 'single', 'raw'])
      await house.kube.delete(persistentVolumeClaims, named(name));
    await house.until('the disks to go', async () => {
      const { items } = await house.kube.list(persistentVolumes);
      return items.length === 0 && house.sim.volumes.list().length === 0;
    });
    expect((await house.mountsBelow()).filter((path) => path.includes('csi.vsphere'))).toEqual([]);
  });
});
