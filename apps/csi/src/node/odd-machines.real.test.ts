import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { VolumeCapability_AccessMode_Mode as Mode } from '@vdo/csi-proto/gen/csi-pb';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { afterEach, describe, expect, it } from 'vitest';
import { mebibyte } from '../testing/disk-corpus.ts';
import { interruptMkfs } from '../testing/interrupted-mkfs.ts';
import { blankVolume, createNodeTestbed, mountOf, type NodeTestbed } from '../testing/node-testbed.ts';

// What others do on a node, by mistake, by design or on purpose: none of it may make the node role say that a disk is unused which is
// not, nor keep a volume from its pod, or staged, for ever.
const sh = (script: string, ...args: readonly string[]): string =>
  execFileSync('sh', ['-c', script, 'sh', ...args], { encoding: 'utf8' });
const inUse = expect.objectContaining({ code: 'NodeDiskInUse' });
const size = 64 * mebibyte;
let testbed: NodeTestbed;
let disk: LoopDisk;
const setUp = async (bytes = size) => {
  testbed = await createNodeTestbed({ bytes });
  disk = await testbed.attach();
};
afterEach(() => testbed.close());
const mounts = () => sh('cat /proc/self/mountinfo');
const sizeAt = (path: string) => Number(sh('df --output=size -m "$1" | tail -1', testbed.path(path)));

describe('something else that is mounted over the staging path', () => {
  it('does not hide that a pod still has the disk', async () => {
    await setUp();
    await testbed.calls().stage(disk);
    await testbed.calls().publish(disk);
    sh('mount -t tmpfs none "$1"', testbed.path('staging'));
    await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    await testbed.calls().unpublish();
    await testbed.calls().unstage();
    expect(mounts()).not.toContain(disk.device);
  });

  it('be it another disk, does not hide it either, not even the second time', async () => {
    await setUp();
    const other = await testbed.attach();
    sh('mkfs.ext4 -q "$1"', other.device);
    await testbed.calls().stage(disk);
    await testbed.calls().publish(disk);
    sh('mount "$1" "$2"', other.device, testbed.path('staging'));
    for (const _ of [1, 2]) await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    await testbed.calls().unpublish();
    await testbed.calls().unstage();
    expect(mounts()).not.toContain(testbed.folder);
  });

  it('in the place of the volume does not hide it either', async () => {
    await setUp();
    await testbed.calls().stage(disk);
    await testbed.calls().publish(disk);
    sh('umount "$1" && mount -t tmpfs none "$1"', testbed.path('staging'));
    await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    await testbed.calls().unpublish();
    await testbed.calls().unstage();
  });

  it('is not taken away from whoever mounted it when the volume is staged again', async () => {
    await setUp();
    await testbed.calls().stage(disk);
    await testbed.calls().publish(disk);
    sh('mount -t tmpfs none "$1"', testbed.path('staging'));
    await expect(testbed.impatient().stage(disk)).rejects.toMatchObject({
      code: 'NodeMountFailed',
      message: expect.stringContaining('none is already mounted'),
    });
    sh('umount "$1"', testbed.path('staging'));
    await testbed.calls().stage(disk);
  });
});

describe('a btrfs that another driver mounted under another name of its disk', () => {
  const capability = mountOf('btrfs');
  it('is still known by its disk', async () => {
    await setUp(128 * mebibyte);
    const other = testbed.path('other-name');
    sh('mkfs.btrfs -q "$1" && mknod "$2" b 7 "$3"', disk.device, other, disk.device.replace(/\D/g, ''));
    sh('mount "$1" "$2" && btrfs device scan "$1"', other, testbed.path('staging'));
    expect(mounts()).toContain(` ${other} `);
    await testbed.calls().stage(disk, { capability });
    // It was well, and was not mounted anew.
    expect(mounts()).toContain(` ${other} `);
    await testbed.calls().publish(disk, { capability });
    await writeFile(testbed.path('target/file'), 'whole');
    await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    sh('umount "$1"', testbed.path('staging'));
    await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    await testbed.calls().unpublish();
    await testbed.calls().unstage();
    expect(mounts()).not.toContain(testbed.folder);
  });
});

describe('a folder of the kubelet that is mounted at two places', () => {
  it('shows every volume twice, and keeps none staged for ever', async () => {
    await setUp();
    for (const name of ['kubelet', 'data']) await mkdir(testbed.path(name));
    sh('mount --bind "$1" "$1" && mount --make-shared "$1"', testbed.path('kubelet'));
    sh('mount --bind "$1" "$2"', testbed.path('kubelet'), testbed.path('data'));
    const staging = 'kubelet/plugins/staging';
    const target = 'kubelet/pods/target';
    await testbed.makeStaging(staging);
    for (const _ of [1, 2]) await testbed.calls().stage(disk, { staging });
    // For one pod only: its own double is no second one.
    const capability = mountOf('ext4', Mode.SINGLE_NODE_SINGLE_WRITER);
    for (const _ of [1, 2]) await testbed.calls().publish(disk, { staging, target, capability });
    expect(mounts()).toContain(testbed.path('data/plugins/staging'));
    await expect(testbed.impatient().unstage({ staging })).rejects.toEqual(inUse);
    await testbed.calls().unpublish(target);
    // What somebody bound from it by hand is no such double.
    sh('mkdir "$2" && mount --bind "$1" "$2"', testbed.path(staging), testbed.path('data/by-hand'));
    await expect(testbed.impatient().unstage({ staging })).rejects.toEqual(inUse);
    sh('umount "$1"', testbed.path('data/by-hand'));
    await testbed.calls().unstage({ staging });
    expect(mounts()).not.toContain(disk.device);
  });
});

describe('a folder of a pod that is called like a disk of the node', () => {
  it.each(['ext4', 'tmpfs'])('and mounted by itself from %s is not taken for the disk', async (fsType) => {
    await setUp();
    const name = basename(disk.device);
    const [volume, pod] = [testbed.path('volume'), testbed.path('pod')];
    sh('mkdir "$1" "$2"', volume, pod);
    if (fsType === 'tmpfs') sh('mount -t tmpfs none "$1"', volume);
    else sh('truncate -s 16M "$1.img" && mkfs.ext4 -q "$1.img" && mount -o loop "$1.img" "$1"', volume);
    // As the kubelet does for a subPath.
    sh('mkdir "$1/$3" && mount --bind "$1/$3" "$2"', volume, pod, name);
    await testbed.calls().stage(disk);
    await testbed.calls().publish(disk);
    await testbed.calls().unpublish();
    await testbed.calls().unstage();
    await testbed.makeStaging();
    await testbed.calls().stage(disk, { staging: 'staging' });
    await testbed.calls().unstage();
    sh('umount "$2" && umount "$1"', volume, pod);
  });
});

describe('a volume that grows', () => {
  // Growing a mounted ext4 takes a right that root does not have everywhere.
  it.each(['xfs', 'btrfs'] as const)(
    'grows with its file system, though the pod that it is asked for may only read: %s',
    async (fsType) => {
      const capability = mountOf(fsType);
      await setUp(320 * mebibyte);
      await testbed.calls().stage(disk, { capability });
      await testbed.calls().publish(disk, { capability, readonly: true });
      await disk.grow(640 * mebibyte);
      await testbed.calls().expand(640 * mebibyte);
      expect(sizeAt('target')).toBeGreaterThan(500);
      await expect(writeFile(testbed.path('target/file'), '')).rejects.toMatchObject({ code: 'EROFS' });
    },
  );

  it('between looking at it and mkfs is made whole', async () => {
    const capability = mountOf('ext4');
    await setUp(320 * mebibyte);
    const run = createCommandRunner(process.env);
    const node = testbed.serviceWith({
      run: async (command, args, options) => {
        if (command.startsWith('mkfs')) await disk.grow(640 * mebibyte);
        return run(command, args, options);
      },
    });
    await testbed.callsOf(node).stage(disk, { capability });
    await writeFile(testbed.path('staging/file'), 'whole');
    await testbed.calls().unstage();
    await testbed.makeStaging();
    await testbed.calls().stage(disk, { capability, bytes: 640 * mebibyte });
    expect(await readFile(testbed.path('staging/file'), 'utf8')).toBe('whole');
    await testbed.calls().unstage();
    expect((await readFile(disk.file)).includes('VDO is making')).toBe(false);
  });

  it.each([
    ['ext4', 30],
    ['xfs', 9],
    ['btrfs', 12],
  ] as const)('after its mkfs was cut short is formatted all the same: %s, write %i', async (fsType, nth) => {
    await setUp(320 * mebibyte);
    const options = { capability: mountOf(fsType), firstUse: false };
    const cut = await interruptMkfs(testbed, disk, { fsType, volumeContext: blankVolume, nth });
    expect(cut).toBe(true);
    await disk.grow(480 * mebibyte);
    const run = createCommandRunner(process.env);
    const found: boolean[] = [];
    const node = testbed.serviceWith({
      run: async (command, args, more) => {
        // What tells where the marks of the smaller disk are may be gone after mkfs: they go before.
        if (command.startsWith('mkfs')) found.push((await readFile(disk.file)).includes(` of ${320 * mebibyte}\n`));
        return run(command, args, more);
      },
    });
    await testbed.callsOf(node).stage(disk, { ...options, bytes: 480 * mebibyte });
    expect(found).toEqual([false]);
    expect(sizeAt('staging')).toBeGreaterThan(350);
    await testbed.calls().unstage();
    // Nothing is left that could be taken for a mark of later.
    expect((await readFile(disk.file)).includes('VDO is making')).toBe(false);
  });
});

describe('a disk that vanishes while it is mounted', () => {
  /** What a hot removal leaves of it: the mounts, and nothing that the kernel tells of the disk. */
  const vanish = async () => {
    await rm(join(testbed.sysfsRoot, 'dev'));
    await mkdir(join(testbed.sysfsRoot, 'dev/block'), { recursive: true });
    await rm(join(testbed.sysfsRoot, 'block', basename(disk.device)), { recursive: true });
  };
  const comeBack = async (device: string) => {
    const { major, minor } =
      /(?<major>\d+):(?<minor>\d+)/.exec(sh('lsblk -n -d -o MAJ:MIN "$1"', device))?.groups ?? {};
    await symlink(`/sys/block/${basename(device)}`, join(testbed.sysfsRoot, 'dev/block', `${major}:${minor}`));
  };

  it('is not called well, and mounted anew, where the old one was, when it comes back under another name', async () => {
    await setUp();
    await testbed.calls().stage(disk);
    await testbed.calls().publish(disk);
    await writeFile(testbed.path('target/file'), 'whole');
    sh('sync -f "$1"', testbed.path('target/file'));
    await vanish();
    const { volumeCondition } = (await testbed.calls().stats()) ?? {};
    expect(volumeCondition).toMatchObject({ abnormal: true, message: expect.stringContaining('lost its disk') });
    await expect(testbed.impatient().publish(disk, { target: 'second' })).rejects.toMatchObject({
      code: 'NodeDiskNotFound',
    });
    await mkdir(testbed.path('images'));
    const again = await testbed.attach({ diskUuid: disk.diskUuid, folder: testbed.path('images') });
    await copyFile(disk.file, again.file);
    sh('blockdev --flushbufs "$1"', again.device);
    await comeBack(again.device);
    await testbed.calls().stage(disk);
    await testbed.calls().publish(disk);
    for (const path of ['staging', 'target']) {
      expect(sh('findmnt -n -o SOURCE "$1"', testbed.path(path)).trim()).toBe(again.device);
      expect(await readFile(testbed.path(`${path}/file`), 'utf8')).toBe('whole');
    }
    await testbed.calls().unpublish();
    await testbed.calls().unstage();
    expect(mounts()).not.toContain(testbed.folder);
  });
});

describe('flags of a class', () => {
  it.each(['loop', 'remount'])(
    '%s mount nothing else in the place of the volume, and leave no device behind',
    async (flag) => {
      await setUp();
      await testbed.calls().stage(disk);
      await writeFile(testbed.path('staging/file'), 'whole');
      await testbed.calls().unstage();
      await testbed.makeStaging();
      const staged = await testbed
        .calls()
        .stage(disk, { capability: mountOf('ext4', Mode.SINGLE_NODE_WRITER, [flag]) })
        .then(
          () => true,
          () => false,
        );
      if (staged) expect(await readFile(testbed.path('staging/file'), 'utf8')).toBe('whole');
      else expect(mounts()).not.toContain(testbed.path('staging'));
      await testbed.calls().unstage();
      expect(sh('losetup --noheadings --output BACK-FILE')).not.toContain(disk.device);
    },
  );
});

describe('a disk that has a dirty log', () => {
  it.each(['ext4', 'xfs'] as const)('is mounted for reading with what was written: %s', async (fsType) => {
    await setUp(320 * mebibyte);
    const capability = mountOf(fsType);
    await testbed.calls().stage(disk, { capability });
    await writeFile(testbed.path('staging/file'), 'whole\n');
    sh('sync "$1" && sync -f "$1"', testbed.path('staging/file'));
    const copy = await testbed.attach();
    await copyFile(disk.file, copy.file);
    sh('blockdev --flushbufs "$1"', copy.device);
    const options = { volumeId: 'copy', staging: 'copy', volumeContext: { 'vdo.vmware.com/blank': 'false' } };
    await testbed.makeStaging('copy');
    for (const _ of [1, 2])
      await testbed.calls().stage(copy, { ...options, capability: mountOf(fsType, Mode.SINGLE_NODE_READER_ONLY) });
    expect(await readFile(testbed.path('copy/file'), 'utf8')).toBe('whole\n');
    await testbed.calls().unstage(options);
  });
});

describe('names that are no text', () => {
  it('in the list of mounts hide nobody who has the disk, and disturb no other', async () => {
    await setUp();
    await testbed.calls().stage(disk);
    await testbed.calls().publish(disk);
    sh(`cd "$1" && name=$(printf 'b\\377d \\134040') && mkdir "$name" && mount --bind staging "$name"`, testbed.folder);
    await testbed.calls().unpublish();
    await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    sh(`cd "$1" && name=$(printf 'b\\377d \\134040') && umount "$name" && rmdir "$name"`, testbed.folder);
    await testbed.calls().unstage();
  });

  it('and paths as long as the kernel takes are paths like any other', async () => {
    await setUp();
    const staging = Array.from({ length: 14 }, () => 'x'.repeat(250)).join('/');
    const target = Array.from({ length: 14 }, () => 'y'.repeat(250)).join('/');
    await testbed.makeStaging(staging);
    for (const _ of [1, 2]) await testbed.calls().stage(disk, { staging });
    for (const _ of [1, 2]) await testbed.calls().publish(disk, { staging, target });
    await expect(testbed.impatient().unstage({ staging })).rejects.toEqual(inUse);
    await testbed.calls().unpublish(target);
    await testbed.calls().unstage({ staging });
    await expect(stat(testbed.path(staging))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
