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
import { startStorageTestbed } from './storage-testbed.ts';

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
  let testbed: Awaited<ReturnType<typeof startStorageTestbed>>;
  beforeAll(async () => {
    target = await start();
    testbed = await startStorageTestbed(target.kube);
    // Growing a mounted ext4 takes CAP_SYS_RESOURCE, which not every machine that runs tests has.
    const fsType = (type: string) => ({ parameters: { 'csi.storage.k8s.io/fstype': type } });
    await testbed.apply(storageClass('now', fsType('xfs')));
    await testbed.apply(
      storageClass('later', {
        volumeBindingMode: 'WaitForFirstConsumer',
        mountOptions: ['noatime'],
        ...fsType('ext4'),
      }),
    );
    await testbed.apply(snapshotClass);
  });
  afterAll(async () => {
    await testbed?.stop();
    await target?.stop();
  });

  const remove = async (name: string): Promise<void> => {
    const found = await testbed.kube.find(pods, named(name));
    await testbed.kube.delete(pods, named(name));
    await testbed.until(`pod ${name} to go`, async () => (await testbed.kube.find(pods, named(name))) === undefined);
    expect(found).toBeDefined();
  };
  /** The line of the kernel about the mount at a path; what was written there without one would be lost. */
  const mountAt = async (path: string): Promise<string> =>
    (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').find((line) => line.includes(` ${path} `)) ?? '';
  /** The disk of a claim, as vCenter has it. */
  const diskOf = async (claimName: string) => {
    const name = (await testbed.kube.find(persistentVolumeClaims, named(claimName)))?.spec.volumeName ?? '';
    const handle = (await testbed.kube.find(persistentVolumes, { name }))?.spec.csi?.volumeHandle ?? '';
    const disk = testbed.sim.volumes.get(handle);
    if (!disk) throw new Error(`vCenter has no volume ${handle} of claim ${claimName}`);
    return disk;
  };
  const detached = () =>
    testbed.until('all disks to be detached', async () => {
      const { items } = await testbed.kube.list(volumeAttachments);
      return items.length === 0 && testbed.sim.volumes.list().every(({ attachedTo }) => attachedTo === undefined);
    });

  it('a claim becomes a mounted disk; what one pod writes, the next one reads', async () => {
    await testbed.apply(claim('data', 'now'));
    await testbed.apply(pod('writer', 'data'));
    const first = await testbed.mounted('writer');
    expect(await mountAt(first)).toContain(' - xfs ');
    expect((await diskOf('data')).attachedTo?.vm).toEqual(testbed.sim.control.find('node-1', 'VirtualMachine'));
    await writeFile(join(first, 'greeting'), 'hello');
    await remove('writer');
    await detached();
    expect(await mountAt(first)).toBe('');
    await testbed.apply(pod('reader', 'data'));
    const second = await testbed.mounted('reader');
    expect(await mountAt(second)).toContain(' - xfs ');
    expect(await readFile(join(second, 'greeting'), 'utf8')).toBe('hello');
  });

  it('a volume grows while a pod uses it', async () => {
    const path = await testbed.mounted('reader');
    const before = await statfs(path);
    await testbed.kube.patch(persistentVolumeClaims, named('data'), {
      type: 'merge',
      body: { spec: { resources: { requests: { storage: '640Mi' } } } },
    });
    await testbed.until('the claim to show the new size', async () => {
      const found = await testbed.kube.find(persistentVolumeClaims, named('data'));
      return found?.status?.capacity?.storage === '640Mi';
    });
    expect((await diskOf('data')).capacityMb).toBe(640n);
    const after = await statfs(path);
    expect(after.blocks * after.bsize).toBeGreaterThan(before.blocks * before.bsize + 200 * mib);
    expect(await readFile(join(path, 'greeting'), 'utf8')).toBe('hello');
  });

  it('a snapshot keeps what was there; restored, it is read by another pod', async () => {
    const path = await testbed.mounted('reader');
    await testbed.apply({
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshot',
      metadata: named('monday'),
      spec: { source: { persistentVolumeClaimName: 'data' }, volumeSnapshotClassName: 'snap' },
    } as AnyObject);
    const snapshot = await testbed.until('the snapshot to be ready', async () => {
      const found = await testbed.kube.find(volumeSnapshots, named('monday'));
      return found?.status?.readyToUse ? found : undefined;
    });
    expect(snapshot.status?.restoreSize).toBe('640Mi');
    expect((await diskOf('data')).snapshots).toHaveLength(1);
    await writeFile(join(path, 'greeting'), 'changed');
    const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'monday' };
    const resources = { requests: { storage: '960Mi' } };
    await testbed.apply(claim('restored', 'now', { dataSource, resources }));
    await testbed.apply(pod('historian', 'restored'));
    const restored = await testbed.mounted('historian');
    expect(await readFile(join(restored, 'greeting'), 'utf8')).toBe('hello');
    // The copy was asked for larger than the original, and its disk and its file system are.
    expect((await diskOf('restored')).capacityMb).toBe(960n);
    const { blocks, bsize } = await statfs(restored);
    expect(blocks * bsize).toBeGreaterThan(800 * mib);
    expect(await readFile(join(path, 'greeting'), 'utf8')).toBe('changed');
  });

  it('a snapshot goes, and its disk keeps what it has', async () => {
    await testbed.kube.delete(volumeSnapshots, named('monday'));
    await testbed.until('the snapshot to go', async () => {
      const contents = await testbed.kube.list(volumeSnapshotContents);
      return contents.items.length === 0 && (await testbed.kube.find(volumeSnapshots, named('monday'))) === undefined;
    });
    expect(testbed.sim.volumes.list().flatMap(({ snapshots }) => snapshots)).toEqual([]);
  });

  it('a claim is copied while it is in use', async () => {
    const dataSource = { kind: 'PersistentVolumeClaim', name: 'data' };
    await testbed.apply(claim('copy', 'now', { dataSource, resources: { requests: { storage: '640Mi' } } }));
    await testbed.apply(pod('twin', 'copy'));
    const copy = await testbed.mounted('twin');
    expect(await readFile(join(copy, 'greeting'), 'utf8')).toBe('changed');
    expect((await diskOf('copy')).id).not.toBe((await diskOf('data')).id);
    await writeFile(join(copy, 'greeting'), 'of the copy');
    expect(await readFile(join(await testbed.mounted('reader'), 'greeting'), 'utf8')).toBe('changed');
    expect(testbed.sim.volumes.list().flatMap(({ snapshots }) => snapshots)).toEqual([]);
  });

  it('a claim that waits for its first consumer gets its disk, file system and mount options then', async () => {
    await testbed.apply(claim('patient', 'later', { resources: { requests: { storage: '64Mi' } } }));
    await testbed.apply(pod('consumer', 'patient'));
    const path = await testbed.mounted('consumer');
    const line = await mountAt(path);
    expect(line).toContain(' - ext4 ');
    expect(line).toContain('noatime');
  });

  it('a claim for one pod only is written by its pod', async () => {
    await testbed.apply(claim('single', 'now', { accessModes: ['ReadWriteOncePod'] }));
    await testbed.apply(pod('hermit', 'single'));
    const path = await testbed.mounted('hermit');
    await writeFile(join(path, 'diary'), 'alone');
    expect(await mountAt(path)).toContain(' - xfs ');
    const name = (await testbed.kube.find(persistentVolumeClaims, named('single')))?.spec.volumeName ?? '';
    expect((await testbed.kube.find(persistentVolumes, { name }))?.spec.accessModes).toEqual(['ReadWriteOncePod']);
  });

  it('a raw device reaches its pod', async () => {
    await testbed.apply(claim('raw', 'now', { volumeMode: 'Block' }));
    await testbed.apply(pod('database', 'raw', true));
    const path = await testbed.mounted('database');
    expect((await stat(path)).isBlockDevice()).toBe(true);
  });

  it('everything goes when its pods and claims go', async () => {
    for (const name of ['reader', 'historian', 'twin', 'consumer', 'hermit', 'database']) await remove(name);
    await detached();
    for (const name of ['data', 'restored', 'copy', 'patient', 'single', 'raw'])
      await testbed.kube.delete(persistentVolumeClaims, named(name));
    await testbed.until('the disks to go', async () => {
      const { items } = await testbed.kube.list(persistentVolumes);
      return items.length === 0 && testbed.sim.volumes.list().length === 0;
    });
    expect((await testbed.mountsBelow()).filter((path) => path.includes('csi.vsphere'))).toEqual([]);
  });
});
