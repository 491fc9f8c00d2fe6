import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createCommandRunner, type RunCommand } from '@vdo/linux-disks/run-command';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf, mebibyte } from '../testing/disk-corpus.ts';
import { createNodeTestbed, mountOf, type NodeTestbed, rawOf } from '../testing/node-testbed.ts';

let testbed: NodeTestbed;
let disk: LoopDisk;
let other: LoopDisk;
beforeEach(async () => {
  testbed = await createNodeTestbed({ bytes: 64 * mebibyte });
  disk = await testbed.attach();
  other = await testbed.attach();
});
afterEach(() => testbed.close());

const run = createCommandRunner(process.env);
const wwidFile = ({ device }: LoopDisk) => join(testbed.sysfsRoot, 'block', basename(device), 'device/wwid');
/** The kernel says that the disk is the one with the UUID of another. */
const claim = (claimant: LoopDisk, { diskUuid }: LoopDisk) => writeFile(wwidFile(claimant), `naa.${diskUuid}\n`);

/** A device file of its own, so that its name can change hands. */
const nodeOf = ({ device }: LoopDisk) => join(testbed.devRoot, basename(device));
const leadTo = async (name: LoopDisk, { device }: LoopDisk) => {
  await rm(nodeOf(name), { force: true });
  execFileSync('mknod', [nodeOf(name), 'b', '7', device.replace(/\D/g, '')]);
};

/** Does something right before the given program runs for the nth time. */
const before = (program: string, nth: number, act: () => Promise<unknown>): RunCommand => {
  let count = 0;
  return async (command, args, options) => {
    if (command === program && ++count === nth) await act();
    return run(command, args, options);
  };
};

describe('a stale link below /dev/disk/by-id', () => {
  it('leads nobody to another disk', async () => {
    await mkdir(join(testbed.devRoot, 'disk/by-id'), { recursive: true });
    await symlink(other.device, join(testbed.devRoot, 'disk/by-id', `wwn-0x${disk.diskUuid}`));
    const untouched = hashOf(other);
    await testbed.calls().stage(disk);
    expect(execFileSync('findmnt', ['-n', '-o', 'SOURCE', testbed.path('staging')], { encoding: 'utf8' }).trim()).toBe(
      disk.device,
    );
    expect(hashOf(other)).toBe(untouched);
  });
});

describe('two disks with one UUID', () => {
  it.each([
    ['staged', () => testbed.calls().stage(disk)],
    ['staged raw', () => testbed.calls().stage(disk, { capability: rawOf() })],
    ['published raw', () => testbed.calls().publish(disk, { capability: rawOf() })],
  ])('are refused and not touched when one of them is to be %s', async (_how, call) => {
    await claim(other, disk);
    const untouched = [hashOf(disk), hashOf(other)];
    await expect(call()).rejects.toMatchObject({
      code: 'NodeDiskAmbiguous',
      message: expect.stringContaining(basename(other.device)),
    });
    expect([hashOf(disk), hashOf(other)]).toEqual(untouched);
  });
});

describe('a name that changes hands', () => {
  // By shells, marks are looked for, the disk is read, and marks are written; then comes mkfs.
  it.each([
    ['before the disk is opened', 'cmp', 1],
    ['before it is locked', 'flock', 1],
    ['before it is looked at', 'blkid', 1],
    ['while it is looked at', 'sh', 2],
    ['before mkfs', 'sh', 3],
  ])('%s leads to no other disk', async (_when, program, nth) => {
    await leadTo(disk, disk);
    const untouched = hashOf(other);
    const node = testbed.serviceWith({ run: before(program, nth, () => leadTo(disk, other)) });
    await expect(testbed.callsOf(node).stage(disk)).rejects.toMatchObject({ code: 'NodeDiskChanged' });
    expect(hashOf(other)).toBe(untouched);
    await leadTo(disk, disk);
    await testbed.calls().stage(disk);
  });

  it('while it is mounted shows no other disk', async () => {
    for (const { device } of [disk, other]) execFileSync('mkfs.ext4', ['-q', device], { stdio: 'ignore' });
    await leadTo(disk, disk);
    const node = testbed.serviceWith({ run: before('mount', 1, () => leadTo(disk, other)) });
    await expect(testbed.callsOf(node).stage(disk)).rejects.toMatchObject({ code: 'NodeMountFailed' });
    expect(execFileSync('cat', ['/proc/self/mountinfo'], { encoding: 'utf8' })).not.toContain(testbed.path('staging'));
    await leadTo(disk, disk);
    await testbed.calls().stage(disk);
  });

  it.each([
    ['before it is locked', 'flock', 1],
    ['while it is looked at', 'sh', 2],
    ['before mkfs', 'sh', 3],
  ])('%s, by what the kernel says of the disk, either', async (_when, program, nth) => {
    const untouched = hashOf(other);
    const node = testbed.serviceWith({ run: before(program, nth, () => claim(disk, other)) });
    await expect(testbed.callsOf(node).stage(disk)).rejects.toMatchObject({ code: 'NodeDiskChanged' });
    expect(hashOf(other)).toBe(untouched);
  });
});

describe('a path that shows another volume', () => {
  it('is not published to the pod', async () => {
    await testbed.calls().stage(disk);
    await expect(testbed.calls().publish(other)).rejects.toMatchObject({
      code: 'NodeMountFailed',
      message: expect.stringMatching(
        new RegExp(`${disk.device} is mounted at the staging path .*, expected ${other.device}`),
      ),
    });
  });

  it('is not staged over', async () => {
    await testbed.calls().stage(disk);
    await expect(testbed.calls().stage(other)).rejects.toMatchObject({
      message: expect.stringContaining('is already mounted at'),
    });
  });

  it('at the target is replaced by the right one', async () => {
    await testbed.calls().stage(disk);
    await testbed.calls().publish(disk);
    await mkdir(testbed.path('staging-2'));
    await testbed.calls().stage(other, { staging: 'staging-2', volumeId: 'other' });
    await testbed.calls().publish(other, { staging: 'staging-2', volumeId: 'other' });
    const shown = execFileSync('findmnt', ['-n', '-o', 'SOURCE', testbed.path('target')], { encoding: 'utf8' });
    expect(shown).toContain(other.device);
  });
});

describe('a disk that mkfs or another process of the node role has', () => {
  it('is not touched until it lets go, and then formatted once', async () => {
    const args = ['--exclusive', disk.device, 'sh', '-c', 'echo locked; exec sleep 600'];
    const holder = spawn('flock', args, { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    try {
      await once(holder.stdout, 'data');
      await expect(testbed.calls().stage(disk)).rejects.toMatchObject({ code: 'VolumeBusy' });
    } finally {
      const ended = once(holder, 'exit');
      process.kill(-(holder.pid ?? 0), 'SIGKILL');
      await ended;
    }
    await testbed.calls().stage(disk);
  });

  it('of two volumes that lead to it, one is formatted and both are mounted or refused', async () => {
    await mkdir(testbed.path('staging-2'));
    const node = testbed.callsOf(testbed.serviceWith());
    const results = await Promise.allSettled([
      node.stage(disk),
      node.stage(disk, { volumeId: '[ds] kubevols/a.vmdk', staging: 'staging-2' }),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1);
    await testbed.calls().stage(disk);
    await testbed.calls().stage(disk, { staging: 'staging-2', capability: mountOf('') });
  });
});
