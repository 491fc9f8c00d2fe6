import { execFileSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { VolumeCapability_AccessMode_Mode as Mode } from '@vdo/csi-proto/gen/csi-pb';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf, mebibyte, put } from '../testing/disk-corpus.ts';
import { countMkfsWrites, interruptMkfs } from '../testing/interrupted-mkfs.ts';
import { blankVolume, createNodeTestbed, mountOf, type NodeTestbed, rawOf } from '../testing/node-testbed.ts';

const sh = (script: string): string => execFileSync('sh', ['-c', script], { encoding: 'utf8' });
let testbed: NodeTestbed;
let disk: LoopDisk;
const open = async (size: number) => {
  testbed = await createNodeTestbed({ bytes: size * mebibyte });
  disk = await testbed.attach();
};
afterEach(() => testbed.close());

describe('a volume is not stuck', () => {
  beforeEach(() => open(64));

  it('when it was bound and not yet made read-only', async () => {
    await testbed.calls().stage(disk);
    await mkdir(testbed.path('target'));
    sh(`mount --bind ${testbed.path('staging')} ${testbed.path('target')}`);
    await testbed.calls().publish(disk, { readonly: true });
    await expect(writeFile(testbed.path('target/file'), '')).rejects.toMatchObject({ code: 'EROFS' });
    await writeFile(testbed.path('staging/file'), 'others may write');
  });

  it('with mountOptions ro, at the second stage', async () => {
    await testbed.calls().stage(disk);
    await testbed.calls().unstage();
    await testbed.makeStaging();
    const capability = mountOf('ext4', Mode.SINGLE_NODE_WRITER, ['ro']);
    for (const _ of [1, 2]) await testbed.calls().stage(disk, { capability });
    for (const _ of [1, 2]) await testbed.calls().publish(disk, { capability });
  });

  it('for its long in-tree handle', async () => {
    const volumeId = `[datastore] kubevols/${'long-'.repeat(40)}.vmdk`;
    await testbed.calls().stage(disk, { volumeId });
    await testbed.calls().publish(disk, { volumeId });
    await testbed.calls().unpublish('target', volumeId);
    await testbed.calls().unstage({ volumeId });
  });

  it('at a second staging path', async () => {
    await testbed.calls().stage(disk);
    await writeFile(testbed.path('staging/file'), 'one');
    await testbed.makeStaging('staging-2');
    await testbed.calls().stage(disk, { staging: 'staging-2' });
    expect(await readFile(testbed.path('staging-2/file'), 'utf8')).toBe('one');
    await expect(testbed.calls().unstage()).rejects.toMatchObject({ code: 'NodeDiskInUse' });
  });

  it('for the signature of a boot sector in front of ext4', async () => {
    execFileSync('mkfs.ext4', ['-q', disk.device], { stdio: 'ignore' });
    put(disk.device, 510, '\x55\xaa');
    await testbed.calls().stage(disk);
  });

  it('and what is missing or in the way is named', async () => {
    sh(`rmdir ${testbed.path('staging')}`);
    const untouched = hashOf(disk);
    await expect(testbed.calls().stage(disk)).rejects.toMatchObject({
      code: 'NodeMountFailed',
      message: expect.stringContaining('does not exist'),
    });
    await expect(stat(testbed.path('staging'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(hashOf(disk)).toBe(untouched);
    await testbed.makeStaging();
    await testbed.calls().stage(disk);
    await writeFile(testbed.path('target'), '');
    await expect(testbed.calls().publish(disk)).rejects.toMatchObject({
      message: expect.stringContaining('expected a directory'),
    });
    await testbed.calls().unstage();
    await mkdir(testbed.path('device'));
    await expect(testbed.calls().publish(disk, { target: 'device', capability: rawOf() })).rejects.toMatchObject({
      message: expect.stringContaining('expected a file to mount the device on'),
    });
  });

  it('for long by a disk that was not grown', async () => {
    await testbed.calls().stage(disk);
    await testbed.calls().publish(disk);
    const startMs = performance.now();
    await expect(testbed.calls().expand(128 * mebibyte)).rejects.toMatchObject({ code: 'NodeDiskNotFound' });
    expect(performance.now() - startMs).toBeLessThan(15_000);
  });
});

describe('a raw volume for reading', () => {
  beforeEach(() => open(64));
  const capability = rawOf();
  const write = () => sh(`echo x | dd of=${testbed.path('target')} conv=notrunc,fsync status=none 2>&1 || true`);

  it('cannot be written to, and later can', async () => {
    await testbed.calls().stage(disk, { capability });
    for (const _ of [1, 2]) await testbed.calls().publish(disk, { capability, readonly: true });
    expect(write()).toMatch(/not permitted|Read-only/);
    await testbed.calls().unpublish();
    await testbed.calls().publish(disk, { capability });
    expect(write()).toBe('');
  });

  it('is protected no longer than it is staged: its protection is gone when the volume is unstaged', async () => {
    await testbed.calls().stage(disk, { capability });
    await testbed.calls().publish(disk, { capability, readonly: true });
    await testbed.calls().unpublish();
    await testbed.calls().unstage();
    await testbed.makeStaging();
    await testbed.calls().stage(disk);
  });

  it('is not one for writing to another pod of the node', async () => {
    await testbed.calls().stage(disk, { capability });
    await testbed.calls().publish(disk, { capability });
    await expect(testbed.calls().publish(disk, { capability, readonly: true, target: 'second' })).rejects.toMatchObject(
      {
        code: 'VolumeConflict',
      },
    );
    expect(write()).toBe('');
  });
});

describe.each([
  ['ext4', 64],
  ['xfs', 320],
])('a broken %s', (fsType, size) => {
  beforeEach(() => open(size));
  const capability = mountOf(fsType);

  it('is not called well, not shown to another pod, and mounted anew when the last one has ended', async () => {
    await testbed.calls().stage(disk, { capability });
    await testbed.calls().publish(disk, { capability });
    sh(`xfs_io -x -c shutdown ${testbed.path('staging')}`);
    expect(await testbed.calls().stats()).toMatchObject({ volumeCondition: { abnormal: true } });
    await expect(testbed.calls().publish(disk, { capability, target: 'second' })).rejects.toMatchObject({
      code: 'NodeMountFailed',
    });
    await expect(testbed.calls().stage(disk, { capability })).rejects.toMatchObject({
      remedy: expect.stringContaining('Delete the pods'),
    });
    await testbed.calls().unpublish();
    await testbed.calls().stage(disk, { capability });
    await testbed.calls().publish(disk, { capability });
    expect(await testbed.calls().stats()).toMatchObject({ volumeCondition: { abnormal: false } });
  });
});

describe('a disk that the kernel mounts read-only by itself', () => {
  it.each(['ext4', 'btrfs'])('is not called staged for writing: %s', async (fsType) => {
    const capability = mountOf(fsType);
    await open(128);
    await testbed.calls().stage(disk, { capability });
    await testbed.calls().unstage();
    await testbed.makeStaging();
    sh(`blockdev --setro ${disk.device}`);
    await expect(testbed.calls().stage(disk, { capability })).rejects.toMatchObject({
      code: expect.stringMatching(/^Node/),
    });
    expect(sh('cat /proc/self/mountinfo')).not.toContain(testbed.path('staging'));
    sh(`blockdev --setrw ${disk.device}`);
    await testbed.calls().stage(disk, { capability });
  });
});

// A sample that fits CI; interrupted-mkfs.long.test.ts has every point.
describe.each([
  ['ext4', 32],
  ['xfs', 320],
  ['btrfs', 128],
] as const)('an mkfs of %s that is cut short', (fsType, size) => {
  it.each([
    ['ours', blankVolume],
    ['of the Go driver', {}],
  ])('is made again, for volumes %s', async (_whose, volumeContext) => {
    await open(size);
    const writes = await countMkfsWrites(testbed, fsType);
    for (const part of [0.1, 0.5, 0.9]) {
      const next = await testbed.attach();
      const nth = Math.max(1, Math.floor(writes * part));
      expect(await interruptMkfs(testbed, next, { fsType, volumeContext, nth })).toBe(true);
      await testbed.calls().stage(next, { capability: mountOf(fsType), volumeContext });
      await testbed.calls().unstage();
      await testbed.makeStaging();
    }
  });
});

describe('a node role that is told to stop', () => {
  it('lets mkfs finish, and the next one mounts what it made', async () => {
    await open(64);
    const stop = new AbortController();
    const real = createCommandRunner(process.env);
    const commands: string[] = [];
    const node = testbed.serviceWith({
      run: async (command, args, options) => {
        if (command === 'mkfs.ext4') setTimeout(() => stop.abort(new Error('stopping')), 1);
        const result = await real(command, args, { ...options, signal: stop.signal });
        commands.push(`${command} ${result.exitCode}`);
        return result;
      },
    });
    await testbed
      .callsOf(node)
      .stage(disk)
      .catch(() => {});
    expect(commands).toContain('mkfs.ext4 0');
    await testbed.calls().stage(disk);
  });
});
