import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createMounter } from '@vdo/linux-disks/mounter';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mebibyte } from '../testing/disk-corpus.ts';
import { createNodeTestbed, mountOf, type NodeTestbed, rawOf } from '../testing/node-testbed.ts';

const sizes: Readonly<Record<string, number>> = { ext4: 64, xfs: 320, btrfs: 128 };
const sh = (script: string): string => execFileSync('sh', ['-c', script], { encoding: 'utf8' });
let testbed: NodeTestbed;
const inUse = expect.objectContaining({ code: 'NodeDiskInUse', remedy: expect.stringContaining('mountinfo') });

describe.each(Object.keys(sizes))('unstaging %s', (fsType) => {
  const bytes = (sizes[fsType] ?? 0) * mebibyte;
  const capability = mountOf(fsType);
  let disk: LoopDisk;
  beforeEach(async () => {
    testbed = await createNodeTestbed({ bytes });
    disk = await testbed.attach();
    await testbed.calls().stage(disk, { capability });
    await testbed.calls().publish(disk, { capability });
    await writeFile(testbed.path('target/file'), 'whole');
  });
  afterEach(() => testbed.close());

  const again = async () => {
    await testbed.calls().unpublish();
    await testbed.calls().unstage();
    await mkdir(testbed.path('staging'));
    await testbed.calls().stage(disk, { capability });
    expect(await readFile(testbed.path('staging/file'), 'utf8')).toBe('whole');
  };

  it('fails while a pod still has it, and every time, and succeeds after', async () => {
    for (const _ of [1, 2]) await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    // Nothing was begun.
    expect(sh('cat /proc/self/mountinfo')).toContain(` ${testbed.path('staging')} `);
    await writeFile(testbed.path('target/more'), 'still writable');
    await again();
  });

  it('fails while somebody mounted it elsewhere', async () => {
    await testbed.calls().unpublish();
    await mkdir(testbed.path('elsewhere'));
    sh(`mount --bind ${testbed.path('staging')} ${testbed.path('elsewhere')}`);
    for (const _ of [1, 2]) await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    sh(`umount ${testbed.path('elsewhere')}`);
    await again();
  });

  it('fails while a program has a file of what was unmounted lazily, though nothing is mounted', async () => {
    await testbed.calls().unpublish();
    const file = await open(testbed.path('staging/file'), 'r');
    sh(`umount -l ${testbed.path('staging')}`);
    for (const _ of [1, 2]) await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    await file.close();
    await again();
  });

  it('fails while another mount namespace has it', async () => {
    const args = ['--mount', '--propagation', 'private', 'sh', '-c', 'echo ready; exec sleep 600'];
    const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await once(child.stdout, 'data');
      await testbed.calls().unpublish();
      for (const _ of [1, 2]) await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    } finally {
      child.kill();
      await new Promise((resolve) => child.once('exit', resolve));
    }
    await again();
  });

  it('unmounts what is stacked on the path', async () => {
    await testbed.calls().unpublish();
    sh(`mount --bind ${testbed.path('staging')} ${testbed.path('staging')}`);
    await again();
  });
});

describe('unmounting', () => {
  let disk: LoopDisk;
  const staleName = 'pvc-stale-transport endpoint';
  beforeEach(async () => {
    testbed = await createNodeTestbed({ bytes: 64 * mebibyte });
    disk = await testbed.attach();
    await testbed.calls().stage(disk);
  });
  afterEach(() => testbed.close());

  it('never hides a busy disk, whatever its path is called', async () => {
    await testbed.calls().publish(disk, { target: staleName });
    const file = await open(testbed.path(`${staleName}/file`), 'w');
    await expect(testbed.calls().unpublish(staleName)).rejects.toMatchObject({
      code: 'NodeMountFailed',
      message: expect.stringContaining('target is busy'),
      remedy: expect.stringContaining('fuser'),
    });
    await file.writeFile('goes on');
    await file.close();
    await testbed.calls().unpublish(staleName);
    expect(await readFile(testbed.path('staging/file'), 'utf8')).toBe('goes on');
  });

  it('refuses a target that is a link', async () => {
    await testbed.calls().publish(disk);
    await testbed.calls().publish(disk, { target: 'second' });
    await testbed.calls().unpublish();
    await symlink(testbed.path('second'), testbed.path('target'));
    await expect(testbed.calls().unpublish()).rejects.toMatchObject({
      message: expect.stringContaining('symbolic link'),
    });
    await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    await rm(testbed.path('target'));
  });

  it('follows links of the parents, and does not mind slashes', async () => {
    await mkdir(testbed.path('real'));
    await symlink(testbed.path('real'), testbed.path('linked'));
    await testbed.calls().publish(disk, { target: 'linked/target/' });
    // It is there already.
    await testbed.calls().publish(disk, { target: 'real/./target' });
    expect(sh(`findmnt -n -o TARGET ${testbed.path('real/target')}`).trim()).toBe(testbed.path('real/target'));
    await testbed.calls().unpublish('linked//target/');
    await expect(stat(testbed.path('real/target'))).rejects.toMatchObject({ code: 'ENOENT' });
    await testbed.calls().unstage({ staging: 'staging/' });
  });

  it('says nothing of a disk that is gone', async () => {
    await testbed.calls().unstage();
    await disk.detach();
    await testbed.calls().unstage();
  });
});

describe('unstaging a raw volume', () => {
  let disk: LoopDisk;
  const capability = rawOf();
  beforeEach(async () => {
    testbed = await createNodeTestbed({ bytes: 64 * mebibyte });
    disk = await testbed.attach();
    await testbed.calls().stage(disk, { capability });
  });
  afterEach(() => testbed.close());

  it('fails while a pod has the device', async () => {
    await testbed.calls().publish(disk, { capability });
    await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    await testbed.calls().unpublish();
    await testbed.calls().unstage();
  });

  it('writes what is only in memory to the disk, though somebody else still has the device open', async () => {
    await testbed.calls().publish(disk, { capability });
    // As a scanner of the host may: with another one who has it open, the end of the pod writes nothing.
    const scanner = await open(disk.device, 'r');
    try {
      sh(`printf 'written last' | dd of=${testbed.path('target')} conv=notrunc status=none`);
      await testbed.calls().unpublish();
      await testbed.calls().unstage();
      expect(sh(`head -c 12 ${disk.file}`)).toBe('written last');
    } finally {
      await scanner.close();
    }
  });

  it('fails while something is built on the device', async () => {
    execFileSync('mkfs.ext4', ['-q', disk.device], { stdio: 'ignore' });
    await mkdir(testbed.path('elsewhere'));
    sh(`mount ${disk.device} ${testbed.path('elsewhere')}`);
    await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    sh(`umount ${testbed.path('elsewhere')}`);
    await testbed.calls().unstage();
  });
});

describe('a note of an older time', () => {
  it('is not needed to see that a disk is in use', async () => {
    testbed = await createNodeTestbed({ bytes: 64 * mebibyte });
    const disk = await testbed.attach();
    await testbed.calls().stage(disk);
    await rename(testbed.path('staged'), testbed.path('staged-lost'));
    const file = await open(testbed.path('staging/file'), 'w');
    const run = createCommandRunner(process.env);
    const mounter = createMounter(run);
    // Lazily unmounted by somebody, between the look and the unmount of the call.
    const unmount: typeof mounter.unmount = async (target) => void sh(`umount -l ${target} 2>/dev/null || true`);
    const node = testbed.callsOf(testbed.serviceWith({ run, mounter: { ...mounter, unmount } }));
    for (const _ of [1, 2]) await expect(node.unstage()).rejects.toEqual(inUse);
    await file.close();
    await testbed.calls().unstage();
    await testbed.close();
  });
});
