import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type MountEntry, mountAt } from '@vdo/linux-disks/mount-table';
import { createMounter } from '@vdo/linux-disks/mounter';
import { createCommandRunner, type RunCommand } from '@vdo/linux-disks/run-command';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf, mebibyte, put } from '../testing/disk-corpus.ts';
import { createNodeTestbed, mountOf, type NodeTestbed, rawOf } from '../testing/node-testbed.ts';

const sh = (script: string): string => execFileSync('sh', ['-c', script], { encoding: 'utf8' });
const run = createCommandRunner(process.env);
const inUse = expect.objectContaining({ code: 'NodeDiskInUse' });
let testbed: NodeTestbed;
let disk: LoopDisk;
let other: LoopDisk;
const setUp = async (size: number) => {
  testbed = await createNodeTestbed({ bytes: size * mebibyte });
  disk = await testbed.attach();
  other = await testbed.attach();
};
afterEach(() => testbed.close());

describe('two volumes at one staging path', () => {
  beforeEach(() => setUp(64));

  it('do not make the driver forget which of them is in use', async () => {
    await testbed.calls().stage(disk);
    await expect(testbed.calls().stage(other, { volumeId: 'other' })).rejects.toMatchObject({
      code: 'NodeMountFailed',
    });
    const file = await open(testbed.path('staging/file'), 'w');
    // Whoever unmounts it lazily makes the mount invisible, not the file system free.
    const lazy: RunCommand = (command, args, options) =>
      command === 'umount' ? run('umount', ['-l', ...args], options) : run(command, args, options);
    await expect(testbed.callsOf(testbed.serviceWith({ run: lazy })).unstage()).rejects.toEqual(inUse);
    await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    await file.close();
    await testbed.calls().unstage();
  });
});

describe('a raw device whose name changes hands', () => {
  beforeEach(() => setUp(64));

  it('right before it is shown is not shown to the pod', async () => {
    const device = join(testbed.devRoot, basename(disk.device));
    const leadTo = async ({ device: shown }: LoopDisk) => {
      await rm(device, { force: true });
      execFileSync('mknod', [device, 'b', '7', shown.replace(/\D/g, '')]);
    };
    await leadTo(disk);
    const capability = rawOf();
    await testbed.calls().stage(disk, { capability });
    const swapped: RunCommand = async (command, args, options) => {
      if (command === 'mount') await leadTo(other);
      return run(command, args, options);
    };
    await expect(
      testbed.callsOf(testbed.serviceWith({ run: swapped })).publish(disk, { capability }),
    ).rejects.toMatchObject({ code: 'NodeDiskChanged' });
    expect(sh('cat /proc/self/mountinfo')).not.toContain(testbed.path('target'));
    await leadTo(disk);
    await testbed.calls().publish(disk, { capability });
    expect((await stat(testbed.path('target'))).rdev).toBe((await stat(disk.device)).rdev);
  });
});

describe('a raw target that has the right name and leads to another disk', () => {
  beforeEach(() => setUp(64));

  it('is not called published, and is put right', async () => {
    const capability = rawOf();
    const rdevOf = async (path: string) => (await stat(path)).rdev;
    await testbed.calls().stage(disk, { capability });
    await mkdir(testbed.path('old-dev'));
    await writeFile(testbed.path('target'), '');
    const old = testbed.path(`old-dev/${basename(disk.device)}`);
    sh(`mount -t tmpfs none ${testbed.path('old-dev')} && mknod ${old} b 7 ${other.device.replace(/\D/g, '')}`);
    sh(`mount --bind ${old} ${testbed.path('target')}`);
    expect(await rdevOf(testbed.path('target'))).toBe(await rdevOf(other.device));
    // The folder stands for /dev, where names are the kernel's own.
    const mounter = createMounter(run);
    const inDev = (entry: MountEntry): MountEntry =>
      entry.target === testbed.path('target') ? { ...entry, fsType: 'devtmpfs' } : entry;
    const list: typeof mounter.list = async (options) => (await mounter.list(options)).map(inDev);
    const at: typeof mounter.at = async (target, options) => mountAt(await list(options), target);
    await testbed.callsOf(testbed.serviceWith({ mounter: { ...mounter, list, at } })).publish(disk, { capability });
    expect(await rdevOf(testbed.path('target'))).toBe(await rdevOf(disk.device));
  });
});

describe('a target', () => {
  beforeEach(() => setUp(64));

  it.each([
    ['within the staging path', 'staging/pod'],
    ['around the staging path', '.'],
  ])('%s is refused: it would be mounted into the volume, or over it', async (_where, target) => {
    await testbed.calls().stage(disk);
    await expect(testbed.calls().publish(disk, { target })).rejects.toMatchObject({ code: 'InvalidArgument' });
    await expect(stat(testbed.path('staging/pod'))).rejects.toMatchObject({ code: 'ENOENT' });
    await testbed.calls().unstage();
  });

  it('within another target does not let the outer one be unpublished first', async () => {
    await testbed.calls().stage(disk);
    await testbed.calls().publish(disk);
    await testbed.calls().publish(disk, { target: 'target/inner' });
    await expect(testbed.calls().unpublish()).rejects.toMatchObject({ code: 'NodeMountFailed' });
    await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    await testbed.calls().unpublish('target/inner');
    await testbed.calls().unpublish();
    await testbed.calls().unstage();
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
    await testbed.calls().stage(disk, { capability: mountOf('') });
    expect(sh(`findmnt -n -o FSTYPE ${testbed.path('staging')}`).trim()).toBe(fsType);
    await testbed.calls().unstage();
  });
});

describe('a btrfs', () => {
  beforeEach(() => setUp(128));
  const capability = mountOf('btrfs');

  it('over two disks is not called unused as long as one of them is mounted', async () => {
    execFileSync('mkfs.btrfs', ['-q', '-K', '-d', 'single', '-m', 'dup', disk.device, other.device]);
    execFileSync('btrfs', ['device', 'scan', disk.device, other.device]);
    await testbed.calls().stage(disk, { capability });
    await writeFile(testbed.path('staging/file'), 'both');
    const raw = { capability: rawOf(), volumeId: 'other', staging: 'staging-2' };
    await testbed.makeStaging('staging-2');
    await testbed.calls().stage(other, raw);
    await expect(testbed.impatient().unstage(raw)).rejects.toEqual(inUse);
    await testbed.calls().unstage();
    await testbed.calls().unstage(raw);
    await testbed.makeStaging();
    await testbed.calls().stage(disk, { capability });
    expect(await readFile(testbed.path('staging/file'), 'utf8')).toBe('both');
    await testbed.calls().unstage();
    execFileSync('btrfs', ['device', 'scan', '--forget']);
  });

  it('and its copy on one node are not taken for each other', async () => {
    await testbed.calls().stage(disk, { capability });
    await writeFile(testbed.path('staging/file'), 'original');
    await testbed.calls().unstage();
    await copyFile(disk.file, other.file);
    execFileSync('blockdev', ['--flushbufs', other.device]);
    const copy = { capability, volumeId: 'copy', staging: 'copy', volumeContext: { 'vdo.vmware.com/blank': 'false' } };
    await testbed.makeStaging();
    await testbed.makeStaging('copy');
    await testbed.calls().stage(disk, { capability });
    await writeFile(testbed.path('staging/file'), 'changed');
    // An older kernel refuses to mount both; none may show the one for the other.
    const staged = await testbed
      .calls()
      .stage(other, copy)
      .then(
        () => true,
        () => false,
      );
    if (staged) expect(await readFile(testbed.path('copy/file'), 'utf8')).toBe('original');
    await testbed.calls().unstage(copy);
    await testbed.calls().unstage();
    await testbed.makeStaging('copy');
    await testbed.calls().stage(other, copy);
    expect(await readFile(testbed.path('copy/file'), 'utf8')).toBe('original');
  });
});

describe('a raw volume with partitions', () => {
  it('is not called unused while one of them is mounted', async () => {
    await setUp(64);
    const capability = rawOf();
    await testbed.calls().stage(disk, { capability });
    // A table with a partition from the second MiB to the end, and the kernel's own view of it.
    put(disk.device, 446, Buffer.from(`00000000830000000008000000f80100${'00'.repeat(48)}55aa`, 'hex'));
    sh(`addpart ${disk.device} 1 2048 129024`);
    const numbers = sh(`cat /sys/class/block/${basename(disk.device)}p1/dev`)
      .trim()
      .replace(':', ' ');
    const node = testbed.path('partition');
    sh(`mknod ${node} b ${numbers} && mkfs.ext4 -q ${node}`);
    await mkdir(testbed.path('elsewhere'));
    sh(`mount ${node} ${testbed.path('elsewhere')}`);
    await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    sh(`umount ${testbed.path('elsewhere')}`);
    await testbed.calls().unstage();
    await testbed.makeStaging();
    const before = hashOf(disk);
    await expect(testbed.calls().stage(disk)).rejects.toMatchObject({ code: 'VolumeFormatRefused' });
    expect(hashOf(disk)).toBe(before);
    sh(`delpart ${disk.device} 1`);
  });
});

describe('an empty disk that is attached read-only', () => {
  it('is not written to', async () => {
    await setUp(64);
    execFileSync('blockdev', ['--setro', disk.device]);
    const before = hashOf(disk);
    await expect(testbed.calls().stage(disk)).rejects.toMatchObject({ code: 'NodeCommandFailed' });
    expect(hashOf(disk)).toBe(before);
    execFileSync('blockdev', ['--setrw', disk.device]);
    await testbed.calls().stage(disk);
  });
});

describe('growing', () => {
  it('while pods come and go neither fails nor is lost', async () => {
    await setUp(320);
    const capability = mountOf('xfs');
    const node = testbed.callsOf(testbed.serviceWith());
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
    expect(Number(sh(`df --output=size -m ${testbed.path('target')} | tail -1`))).toBeGreaterThan(400);
    for (const target of ['target', 'second']) await node.unpublish(target);
    await node.unstage();
  });
});
