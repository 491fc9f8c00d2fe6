import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createMounter } from '@vdo/linux-disks/mounter';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mebibyte } from '../testing/disk-corpus.ts';
import { createNodeHouse, mountOf, type NodeHouse, rawOf } from '../testing/node-house.ts';

const sizes: Readonly<Record<string, number>> = { ext4: 64, xfs: 320, btrfs: 128 };
const sh = (script: string): string => execFileSync('sh', ['-c', script], { encoding: 'utf8' });
let house: NodeHouse;
const inUse = expect.objectContaining({ code: 'NodeDiskInUse', remedy: expect.stringContaining('mountinfo') });

describe.each(Object.keys(sizes))('unstaging %s', (fsType) => {
  const bytes = (sizes[fsType] ?? 0) * mebibyte;
  const capability = mountOf(fsType);
  let disk: LoopDisk;
  beforeEach(async () => {
    house = await createNodeHouse({ bytes });
    disk = await house.attach();
    await house.calls().stage(disk, { capability });
    await house.calls().publish(disk, { capability });
    await writeFile(house.path('target/file'), 'whole');
  });
  afterEach(() => house.close());

  const again = async () => {
    await house.calls().unpublish();
    await house.calls().unstage();
    await mkdir(house.path('staging'));
    await house.calls().stage(disk, { capability });
    expect(await readFile(house.path('staging/file'), 'utf8')).toBe('whole');
  };

  it('fails while a pod still has it, and every time, and succeeds after', async () => {
    for (const _ of [1, 2]) await expect(house.impatient().unstage()).rejects.toEqual(inUse);
    // Nothing was begun.
    expect(sh('cat /proc/self/mountinfo')).toContain(` ${house.path('staging')} `);
    await writeFile(house.path('target/more'), 'still writable');
    await again();
  });

  it('fails while somebody mounted it elsewhere', async () => {
    await house.calls().unpublish();
    await mkdir(house.path('elsewhere'));
    sh(`mount --bind ${house.path('staging')} ${house.path('elsewhere')}`);
    for (const _ of [1, 2]) await expect(house.impatient().unstage()).rejects.toEqual(inUse);
    sh(`umount ${house.path('elsewhere')}`);
    await again();
  });

  it('fails while a program has a file of what was unmounted lazily, though nothing is mounted', async () => {
    await house.calls().unpublish();
    const file = await open(house.path('staging/file'), 'r');
    sh(`umount -l ${house.path('staging')}`);
    for (const _ of [1, 2]) await expect(house.impatient().unstage()).rejects.toEqual(inUse);
    await file.close();
    await again();
  });

  it('fails while another mount namespace has it', async () => {
    const args = ['--mount', '--propagation', 'private', 'sh', '-c', 'echo ready; exec sleep 600'];
    const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await once(child.stdout, 'data');
      await house.calls().unpublish();
      for (const _ of [1, 2]) await expect(house.impatient().unstage()).rejects.toEqual(inUse);
    } finally {
      child.kill();
      await new Promise((resolve) => child.once('exit', resolve));
    }
    await again();
  });

  it('unmounts what is stacked on the path', async () => {
    await house.calls().unpublish();
    sh(`mount --bind ${house.path('staging')} ${house.path('staging')}`);
    await again();
  });
});

describe('unmounting', () => {
  let disk: LoopDisk;
  const staleName = 'pvc-stale-transport endpoint';
  beforeEach(async () => {
    house = await createNodeHouse({ bytes: 64 * mebibyte });
    disk = await house.attach();
    await house.calls().stage(disk);
  });
  afterEach(() => house.close());

  it('never hides a busy disk, whatever its path is called', async () => {
    await house.calls().publish(disk, { target: staleName });
    const file = await open(house.path(`${staleName}/file`), 'w');
    await expect(house.calls().unpublish(staleName)).rejects.toMatchObject({
      code: 'NodeMountFailed',
      message: expect.stringContaining('target is busy'),
      remedy: expect.stringContaining('fuser'),
    });
    await file.writeFile('goes on');
    await file.close();
    await house.calls().unpublish(staleName);
    expect(await readFile(house.path('staging/file'), 'utf8')).toBe('goes on');
  });

  it('refuses a target that is a link', async () => {
    await house.calls().publish(disk);
    await house.calls().publish(disk, { target: 'second' });
    await house.calls().unpublish();
    await symlink(house.path('second'), house.path('target'));
    await expect(house.calls().unpublish()).rejects.toMatchObject({
      message: expect.stringContaining('symbolic link'),
    });
    await expect(house.impatient().unstage()).rejects.toEqual(inUse);
    await rm(house.path('target'));
  });

  it('follows links of the parents, and does not mind slashes', async () => {
    await mkdir(house.path('real'));
    await symlink(house.path('real'), house.path('linked'));
    await house.calls().publish(disk, { target: 'linked/target/' });
    // It is there already.
    await house.calls().publish(disk, { target: 'real/./target' });
    expect(sh(`findmnt -n -o TARGET ${house.path('real/target')}`).trim()).toBe(house.path('real/target'));
    await house.calls().unpublish('linked//target/');
    await expect(stat(house.path('real/target'))).rejects.toMatchObject({ code: 'ENOENT' });
    await house.calls().unstage({ staging: 'staging/' });
  });

  it('says nothing of a disk that is gone', async () => {
    await house.calls().unstage();
    await disk.detach();
    await house.calls().unstage();
  });
});

describe('unstaging a raw volume', () => {
  let disk: LoopDisk;
  const capability = rawOf();
  beforeEach(async () => {
    house = await createNodeHouse({ bytes: 64 * mebibyte });
    disk = await house.attach();
    await house.calls().stage(disk, { capability });
  });
  afterEach(() => house.close());

  it('fails while a pod has the device', async () => {
    await house.calls().publish(disk, { capability });
    await expect(house.impatient().unstage()).rejects.toEqual(inUse);
    await house.calls().unpublish();
    await house.calls().unstage();
  });

  it('writes what is only in memory to the disk, though somebody else still has the device open', async () => {
    await house.calls().publish(disk, { capability });
    // As a scanner of the host may: with another one who has it open, the end of the pod writes nothing.
    const scanner = await open(disk.device, 'r');
    try {
      sh(`printf 'written last' | dd of=${house.path('target')} conv=notrunc status=none`);
      await house.calls().unpublish();
      await house.calls().unstage();
      expect(sh(`head -c 12 ${disk.file}`)).toBe('written last');
    } finally {
      await scanner.close();
    }
  });

  it('fails while something is built on the device', async () => {
    execFileSync('mkfs.ext4', ['-q', disk.device], { stdio: 'ignore' });
    await mkdir(house.path('elsewhere'));
    sh(`mount ${disk.device} ${house.path('elsewhere')}`);
    await expect(house.impatient().unstage()).rejects.toEqual(inUse);
    sh(`umount ${house.path('elsewhere')}`);
    await house.calls().unstage();
  });
});

describe('a note of an older time', () => {
  it('is not needed to see that a disk is in use', async () => {
    house = await createNodeHouse({ bytes: 64 * mebibyte });
    const disk = await house.attach();
    await house.calls().stage(disk);
    await rename(house.path('staged'), house.path('staged-lost'));
    const file = await open(house.path('staging/file'), 'w');
    const run = createCommandRunner(process.env);
    const mounter = createMounter(run);
    // Lazily unmounted by somebody, between the look and the unmount of the call.
    const unmount: typeof mounter.unmount = async (target) => void sh(`umount -l ${target} 2>/dev/null || true`);
    const node = house.callsOf(house.serviceWith({ run, mounter: { ...mounter, unmount } }));
    for (const _ of [1, 2]) await expect(node.unstage()).rejects.toEqual(inUse);
    await file.close();
    await house.calls().unstage();
    await house.close();
  });
});
