import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '@vdo/base/clock';
import { contextKeys } from '@vdo/csi/driver';
import { createNodeService } from '@vdo/csi/node/node-service';
import { pods } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { createMounter } from '@vdo/linux-disks/mounter';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import { attachLoopDisk, type LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { createFakeDriver } from '@vdo/sandbox/testing/fake-driver';
import { startKubeletTestbed } from '@vdo/sandbox/testing/kubelet-testbed';
import { expect, test } from 'vitest';

const diskUuid = '6000c29b0d4d4a6a8f2d1c9a6a4b9f77';
const bytes = 64 * 1024 * 1024;
const metadata = (name: string) => ({ name, namespace: 'default' });
const claim: AnyObject = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: metadata('c'),
  spec: {
    storageClassName: 'fast',
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '64Mi' } },
  },
};
const pod = (name: string): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: metadata(name),
  spec: {
    containers: [
      { name: 'main', image: 'app', command: ['app'], volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    ],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'c' } }],
  },
});

// Needs root: a disk of its own, a file system made on it, mounts.
test('what one pod writes to a real disk, the next one reads; nothing stays mounted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mounts-'));
  const devRoot = join(folder, 'dev');
  const sysfsRoot = join(folder, 'sys');
  const run = createCommandRunner(process.env);
  const mounter = createMounter(run);
  const clock = createSystemClock();
  const service = createNodeService({ run, mounter, clock, sysfsRoot, devRoot, nodeUuid: async () => 'x' });
  // The promise, not the disk: two who ask at once get the same one.
  let disk: Promise<LoopDisk> | undefined;
  const testbed = await startKubeletTestbed({
    driver: createFakeDriver({ service }),
    fsType: 'ext4',
    publishContext: async () => {
      disk ??= attachLoopDisk({ folder, devRoot, sysfsRoot, diskUuid, bytes });
      await disk;
      return { [contextKeys.diskUuid]: diskUuid, [contextKeys.type]: 'vSphere CNS Block Volume' };
    },
  });
  const kubelet = testbed.startKubelet();
  const mountsBelow = async (): Promise<readonly string[]> =>
    (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').filter((line) => line.includes(testbed.folder));
  const runPod = async (name: string): Promise<string> => {
    await testbed.apply(pod(name));
    await testbed.until(`${name} to be ready`, () => testbed.isReady(name));
    return testbed.started.find((started) => started.pod.metadata.name === name)?.env['VDO_MOUNT_DATA'] ?? '';
  };
  const removePod = async (name: string): Promise<void> => {
    await testbed.kube.delete(pods, { namespace: 'default', name });
    await testbed.until('the volume to be detached', async () => {
      const { items } = await testbed.kube.list(volumeAttachments);
      return items.length === 0;
    });
    expect(await mountsBelow()).toEqual([]);
  };
  try {
    await testbed.setUp(['n1']);
    await testbed.apply(claim);
    const first = await runPod('writer');
    expect(await mountsBelow()).toHaveLength(2);
    await writeFile(join(first, 'greeting'), 'hello');
    await removePod('writer');
    const second = await runPod('reader');
    expect(second).not.toBe(first);
    expect(await readFile(join(second, 'greeting'), 'utf8')).toBe('hello');
    await removePod('reader');
  } finally {
    await kubelet.stop();
    for (const line of [...(await mountsBelow())].reverse())
      await mounter.unmount(line.split(' ')[4] ?? '', { signal: AbortSignal.timeout(10_000) });
    await testbed.stop();
    await (await disk)?.detach();
    await rm(folder, { recursive: true, force: true });
  }
});
