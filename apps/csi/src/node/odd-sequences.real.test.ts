import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type MountEntry, mountAt } from '@vdo/linux-disks/mount-table';
import { createMounter } from '@vdo/linux-disks/mounter';
import { createCommandRunner, type RunCommand } from '@vdo/linux-disks/run-command';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf, mebibyte, put } from '../testing/disk-corpus.ts';
import { createNodeHouse, mountOf, type NodeHouse, rawOf } from '../testing/node-house.ts';

const sh = (script: string): string => execFileSync('sh', ['-c', script], { encoding: 'utf8' });
const run = createCommandRunner(process.env);
const inUse = expect.objectContaining({ code: 'NodeDiskInUse' });
let house: NodeHouse;
let disk: LoopDisk;
let other: LoopDisk;
const setUp = async (size: number) => {
  house = await createNodeHouse({ bytes: size * mebibyte });
  disk = await house.attach();
  other = await house.attach();
};
afterEach(() => house.close());

describe('two volumes at one staging path', () => {
  beforeEach(() => setUp(64));

  it('do not make the driver forget which of them is in use', async () => {
    await house.calls().stage(disk);
    await expect(house.calls().stage(other, { volumeId: 'other' })).rejects.toMatchObject({ code: 'NodeMountFailed' });
    const file = await open(house.path('staging/file'), 'w');
    // Whoever unmounts it lazily makes the mount invisible, not the file system free.
    const lazy: RunCommand = (command, args, options) =>
      command === 'umount' ? run('umount', ['-l', ...args], options) : run(command, args, options);
    await expect(house.callsOf(house.serviceWith({ run: lazy })).unstage()).rejects.toEqual(inUse);
    await expect(house.impatient().unstage()).rejects.toEqual(inUse);
    await file.close();
    await house.calls().unstage();
  });
});

describe('a raw device whose name changes hands', () => {
  beforeEach(() => setUp(64));

  it('right before it is shown is not shown to the pod', async () => {
    const device = join(house.devRoot, basename(disk.device));
    const leadTo = async ({ device: shown }: LoopDisk) => {
      await rm(device, { force: true });
      execFileSync('mknod', [device, 'b', '7', shown.replace(/\D/g, '')]);
    };
    await leadTo(disk);
    const capability = rawOf();
    await house.calls().stage(disk, { capability });
    const swapped: RunCommand = async (command, args, options) => {
      if (command === 'mount') await leadTo(other);
      return run(command, args, options);
    };
    await expect(
      house.callsOf(house.serviceWith({ run: swapped })).publish(disk, { capability }),
    ).rejects.toMatchObject({ code: 'NodeDiskChanged' });
    expect(sh('cat /proc/self/mountinfo')).not.toContain(house.path('target'));
    await leadTo(disk);
    await house.calls().publish(disk, { capability });
    expect((await stat(house.path('target'))).rdev).toBe((await stat(disk.device)).rdev);
  });
});

describe('a raw target that has the right name and leads to another disk', () => {
  beforeEach(() => setUp(64));

  it('is not called published, and is put right', async () => {
    const capability = rawOf();
    const rdevOf = async (path: string) => (await stat(path)).rdev;
    await house.calls().stage(disk, { capability });
    await mkdir(house.path('old-dev'));
    await writeFile(house.path('target'), '');
    const old = house.path(`old-dev/${basename(disk.device)}`);
    sh(`mount -t tmpfs none ${house.path('old-dev')} && mknod ${old} b 7 ${other.device.replace(/\D/g, '')}`);
    sh(`mount --bind ${old} ${house.path('target')}`);
    expect(await rdevOf(house.path('target'))).toBe(await rdevOf(other.device));
    // The folder stands for /dev, where names are the kernel's own.
    const mounter = createMounter(run);
    const inDev = (entry: MountEntry): MountEntry =>
      entry.target === house.path('target') ? { ...entry, fsType: 'devtmpfs' } : entry;
    const list: typeof mounter.list = async (options) => (await mounter.list(options)).map(inDev);
    const at: typeof mounter.at = async (target, options) => mountAt(await list(options), target);
    await house.callsOf(house.serviceWith({ mounter: { ...mounter, list, at } })).publish(disk, { capability });
    expect(await rdevOf(house.path('target'))).toBe(await rdevOf(disk.device));
  });
});

describe('a target', () => {
  beforeEach(() => setUp(64));

  it.each([
    ['within the staging path', 'staging/pod'],
    ['around the staging path', '.'],
  ])('%s is refused: it would be mounted into the volume, or over it', async (_where, target) => {
    await house.calls().stage(disk);
    await expect(house.calls().publish(disk, { target })).rejects.toMatchObject({ code: 'InvalidArgument' });
    await expect(stat(house.path('staging/pod'))).rejects.toMatchObject({ code: 'ENOENT' });
    await house.calls().unstage();
  });

  it('within another target does not let the outer one be unpublished first', async () => {
    await house.calls().stage(disk);
    await house.calls().publish(disk);
    await house.calls().publish(disk, { target: 'target/inner' });
    await expect(house.calls().unpublish()).rejects.toMatchObject({ code: 'NodeMountFailed' });
    await expect(house.impatient().unstage()).rejects.toEqual(inUse);
    await house.calls().unpublish('target/inner');
    await house.calls().unpublish();
    await house.calls().unstage();
  });
});

describe('what is written in a label', () => {
  it.each([
    ['ext4', 64, ['mkfs.ext4', '-q', '-L', 'a\nTYPE=xfs']],
    ['ext4', 64, ['mkfs.ext4', '-q', '-L', 'a\nPTTYPE=gpt']],
    ['btrfs', 128, ['mkfs.btrfs', '-q', '-L', 'a TYPE= PTTYPE=']],
    ['xfs', 320, ['mkfs.xfs', '-q', '-L', 'x\nTYPE=']],
  ] as const)('is taken for nothing else: %s of %i MiB with %j', async (fsType, size, [command, ...args]) => {
    await setUp(size);
    execFileSync(command, [...args, disk.device], { stdio: 'ignore' });
    await house.calls().stage(disk, { capability: mountOf('') });
    expect(sh(`findmnt -n -o FSTYPE ${house.path('staging')}`).trim()).toBe(fsType);
    await house.calls().unstage();
  });
});

describe('a btrfs', () => {
  beforeEach(() => setUp(128));
  const capability = mountOf('btrfs');

  it('over two disks is not called unused as long as one of them is mounted', async () => {
    execFileSync('mkfs.btrfs', ['-q', '-K', '-d', 'single', '-m', 'dup', disk.device, other.device]);
    execFileSync('btrfs', ['device', 'scan', disk.device, other.device]);
    await house.calls().stage(disk, { capability });
    await writeFile(house.path('staging/file'), 'both');
    const raw = { capability: rawOf(), volumeId: 'other', staging: 'staging-2' };
    await house.makeStaging('staging-2');
    await house.calls().stage(other, raw);
    await expect(house.impatient().unstage(raw)).rejects.toEqual(inUse);
    await house.calls().unstage();
    await house.calls().unstage(raw);
    await house.makeStaging();
    await house.calls().stage(disk, { capability });
    expect(await readFile(house.path('staging/file'), 'utf8')).toBe('both');
    await house.calls().unstage();
    execFileSync('btrfs', ['device', 'scan', '--forget']);
  });

  it('and its copy on one node are not taken for each other', async () => {
    await house.calls().stage(disk, { capability });
    await writeFile(house.path('staging/file'), 'original');
    await house.calls().unstage();
    await copyFile(disk.file, other.file);
    execFileSync('blockdev', ['--flushbufs', other.device]);
    const copy = { capability, volumeId: 'copy', staging: 'copy', volumeContext: { 'vdo.vmware.com/blank': 'false' } };
    await house.makeStaging();
    await house.makeStaging('copy');
    await house.calls().stage(disk, { capability });
    await writeFile(house.path('staging/file'), 'changed');
    // An older kernel refuses to mount both; none may show the one for the other.
    const staged = await house
      .calls()
      .stage(other, copy)
      .then(
        () => true,
        () => false,
      );
    if (staged) expect(await readFile(house.path('copy/file'), 'utf8')).toBe('original');
    await house.calls().unstage(copy);
    await house.calls().unstage();
    await house.makeStaging('copy');
    await house.calls().stage(other, copy);
    expect(await readFile(house.path('copy/file'), 'utf8')).toBe('original');
  });
});

describe('a raw volume with partitions', () => {
  it('is not called unused while one of them is mounted', async () => {
    await setUp(64);
    const capability = rawOf();
    await house.calls().stage(disk, { capability });
    // A table with a partition from the second MiB to the end, and the kernel's own view of it.
    put(disk.device, 446, Buffer.from(`00000000830000000008000000f80100${'00'.repeat(48)}55aa`, 'hex'));
    sh(`addpart ${disk.device} 1 2048 129024`);
    const numbers = sh(`cat /sys/class/block/${basename(disk.device)}p1/dev`)
      .trim()
      .replace(':', ' ');
    const node = house.path('partition');
    sh(`mknod ${node} b ${numbers} && mkfs.ext4 -q ${node}`);
    await mkdir(house.path('elsewhere'));
    sh(`mount ${node} ${house.path('elsewhere')}`);
    await expect(house.impatient().unstage()).rejects.toEqual(inUse);
    sh(`umount ${house.path('elsewhere')}`);
    await house.calls().unstage();
    await house.makeStaging();
    const before = hashOf(disk);
    await expect(house.calls().stage(disk)).rejects.toMatchObject({ code: 'VolumeFormatRefused' });
    expect(hashOf(disk)).toBe(before);
    sh(`delpart ${disk.device} 1`);
  });
});

describe('an empty disk that is attached read-only', () => {
  it('is not written to', async () => {
    await setUp(64);
    execFileSync('blockdev', ['--setro', disk.device]);
    const before = hashOf(disk);
    await expect(house.calls().stage(disk)).rejects.toMatchObject({ code: 'NodeCommandFailed' });
    expect(hashOf(disk)).toBe(before);
    execFileSync('blockdev', ['--setrw', disk.device]);
    await house.calls().stage(disk);
  });
});

describe('growing', () => {
  it('while pods come and go neither fails nor is lost', async () => {
    await setUp(320);
    const capability = mountOf('xfs');
    const node = house.callsOf(house.serviceWith());
    await node.stage(disk, { capability });
    await node.publish(disk, { capability });
    await disk.grow(512 * mebibyte);
    const results = await Promise.allSettled([
      node.expand(512 * mebibyte),
      node.publish(disk, { capability, target: 'second' }),
      node.expand(512 * mebibyte),
      node.unpublish('third'),
    ]);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'VolumeBusy' });
    await node.expand(512 * mebibyte);
    expect(Number(sh(`df --output=size -m ${house.path('target')} | tail -1`))).toBeGreaterThan(400);
    for (const target of ['target', 'second']) await node.unpublish(target);
    await node.unstage();
  });
});
