import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { afterEach, describe, expect, it } from 'vitest';
import { hashOf, mebibyte, put } from '../testing/disk-corpus.ts';
import { createNodeTestbed, mountOf, type NodeTestbed, rawOf } from '../testing/node-testbed.ts';

const sh = (script: string, ...args: readonly string[]): string =>
  execFileSync('sh', ['-c', script, 'sh', ...args], { encoding: 'utf8' });
const inUse = expect.objectContaining({ code: 'NodeDiskInUse' });
const sizes = { ext4: 64, xfs: 320, btrfs: 128 } as const;
const fsTypes = ['ext4', 'xfs', 'btrfs'] as const;
let testbed: NodeTestbed;
let disk: LoopDisk;
const setUp = async (size: number) => {
  testbed = await createNodeTestbed({ bytes: size * mebibyte });
  disk = await testbed.attach();
};
afterEach(() => testbed.close());

describe('a path that is called', () => {
  it.each([
    'a b\tc',
    'line\nbreak',
    'back\\slash \\040 \\134',
    ' - ext4 /dev/sda rw',
    '#comment "quoted" \'twice\' $(false) `false`',
    'comma,ro,=x',
    'Füße 日本',
    'gone (deleted)',
    'gone//deleted',
    '-o remount',
    'stale file handle',
  ])('%j is a path like any other', async (name) => {
    await setUp(sizes.ext4);
    const [staging, target] = [`staged/${name}`, `pods/${name}`];
    await testbed.makeStaging(staging);
    for (const _ of [1, 2]) await testbed.calls().stage(disk, { staging });
    for (const _ of [1, 2]) await testbed.calls().publish(disk, { staging, target, readonly: true });
    await writeFile(join(testbed.path(staging), 'file'), 'whole');
    expect(await readFile(join(testbed.path(target), 'file'), 'utf8')).toBe('whole');
    await expect(writeFile(join(testbed.path(target), 'more'), '')).rejects.toMatchObject({ code: 'EROFS' });
    await expect(testbed.impatient().unstage({ staging })).rejects.toEqual(inUse);
    for (const _ of [1, 2]) await testbed.calls().unpublish(target);
    for (const _ of [1, 2]) await testbed.calls().unstage({ staging });
    expect(sh('cat /proc/self/mountinfo')).not.toContain(disk.device);
    for (const path of [staging, target])
      await expect(stat(testbed.path(path))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe.each(fsTypes)('a %s volume', (fsType) => {
  const capability = mountOf(fsType);
  const bytes = sizes[fsType] * mebibyte;
  const larger = bytes + 320 * mebibyte;
  const withFile = async () => {
    await setUp(sizes[fsType]);
    await testbed.calls().stage(disk, { capability });
    sh('echo whole > "$1" && sync -f "$1"', testbed.path('staging/file'));
  };

  it('that grew while it was not staged is grown when it is asked for, with its data', async () => {
    let withheld = false;
    await withFile();
    await testbed.calls().unstage();
    await testbed.makeStaging();
    await disk.grow(larger);
    await testbed.calls().stage(disk, { capability, bytes: larger });
    await testbed.calls().publish(disk, { capability, bytes: larger });
    // A machine may withhold from root what growing a mounted ext4 needs: node-service.real.test.ts has more.
    await testbed
      .calls()
      .expand(larger)
      .catch((error: { readonly remedy?: string }) => {
        if (fsType !== 'ext4' || !error.remedy?.includes('CAP_SYS_RESOURCE')) throw error;
        withheld = true;
      });
    const size = Number(sh('df --output=size -B1 "$1" | tail -1', testbed.path('target')));
    if (!withheld) expect(size).toBeGreaterThan(bytes + 200 * mebibyte);
    expect(await readFile(testbed.path('target/file'), 'utf8')).toBe('whole\n');
  });

  it('whose disk became smaller than its file system is refused, and mounted when it has its size again', async () => {
    await withFile();
    await testbed.calls().unstage();
    await testbed.makeStaging();
    await copyFile(disk.file, testbed.path('whole'));
    await truncate(disk.file, bytes / 2);
    sh('losetup --set-capacity "$1"', disk.device);
    await expect(testbed.calls().stage(disk, { capability, bytes: bytes / 2 })).rejects.toMatchObject({
      code: expect.stringMatching(/^Node(Mount|Command)Failed$/),
    });
    await copyFile(testbed.path('whole'), disk.file);
    await disk.grow(bytes);
    sh('blockdev --flushbufs "$1"', disk.device);
    await testbed.calls().stage(disk, { capability });
    expect(await readFile(testbed.path('staging/file'), 'utf8')).toBe('whole\n');
  });

  it('that a crash left with a dirty log is mounted with what was written, beside its original', async () => {
    await withFile();
    // The image of a disk in use is what a crash of the node leaves.
    const copy = await testbed.attach();
    await copyFile(disk.file, copy.file);
    sh('blockdev --flushbufs "$1"', copy.device);
    const options = {
      ...{ capability, volumeId: 'copy', staging: 'copy', volumeContext: { 'vdo.vmware.com/blank': 'false' } },
    };
    await testbed.makeStaging('copy');
    // btrfs knows file systems by their UUID: an older kernel mounts no second one.
    if (fsType === 'btrfs') await testbed.calls().unstage();
    await testbed.calls().stage(copy, options);
    expect(await readFile(testbed.path('copy/file'), 'utf8')).toBe('whole\n');
    expect(sh('findmnt -n -o SOURCE "$1"', testbed.path('copy')).trim()).toBe(copy.device);
    await testbed.calls().unstage(options);
  });
});

describe('a file system with features that nobody here knows', () => {
  const unknown: Readonly<Record<(typeof fsTypes)[number], (device: string) => void>> = {
    ext4: (device) => {
      sh('mkfs.ext4 -q "$1" && debugfs -w -R "set_super_value feature_incompat 0x400002c2" "$1" 2>/dev/null', device);
    },
    xfs: (device) => {
      sh('mkfs.xfs -q "$1" && xfs_db -x -c "sb 0" -c "write -d features_incompat 0x4000000b" "$1" >/dev/null', device);
    },
    // Byte 0xbc of the superblock: incompat_flags. Its checksum is wrong then, too: another reason to leave it alone.
    btrfs: (device) => {
      sh('mkfs.btrfs -q -K "$1"', device);
      for (const copy of [64 * 1024, 64 * mebibyte]) put(device, copy + 0xbc + 6, '\x40');
    },
  };
  it.each(fsTypes)('is neither formatted, nor repaired, nor mounted: %s', async (fsType) => {
    await setUp(sizes[fsType]);
    unknown[fsType](disk.device);
    const before = hashOf(disk);
    await expect(testbed.calls().stage(disk, { capability: mountOf(fsType) })).rejects.toMatchObject({
      code: expect.stringMatching(/^(Node(Mount|Command)Failed|VolumeFormatRefused)$/),
    });
    expect(hashOf(disk)).toBe(before);
    await testbed.calls().unstage();
  });
});

describe('an ext4 whose fsck was killed', () => {
  it.each(['1024', '4096'])(
    'between a field of the superblock and its checksum is not stuck: blocks of %s bytes',
    async (blocks) => {
      await setUp(160);
      sh('mkfs.ext4 -q -b "$2" "$1"', disk.device, blocks);
      await testbed.calls().stage(disk);
      sh('echo whole > "$1"', testbed.path('staging/file'));
      await testbed.calls().unstage();
      await testbed.makeStaging();
      // The number of mounts: one of the fields that every fsck writes.
      put(disk.device, 1024 + 52, '\x07');
      await testbed.calls().stage(disk);
      expect(await readFile(testbed.path('staging/file'), 'utf8')).toBe('whole\n');
      await testbed.calls().unstage();
    },
  );
});

describe('an ext4 whose faults a person has to look at', () => {
  it('is not mounted, though the kernel would', async () => {
    await setUp(sizes.ext4);
    sh('mkfs.ext4 -q -O ^extent,^metadata_csum,^64bit "$1"', disk.device);
    const debugfs = (request: string) => sh('debugfs -w -R "$2" "$1" 2>/dev/null', disk.device, request).trim();
    for (const name of ['one', 'two']) debugfs(`write /etc/passwd ${name}`);
    // One block belongs to two files.
    debugfs(`set_inode_field two block[0] ${debugfs('blocks one').split(' ')[0]}`);
    debugfs('set_super_value state 0');
    await expect(testbed.calls().stage(disk)).rejects.toMatchObject({
      code: 'NodeCommandFailed',
      message: expect.stringContaining('is damaged'),
      remedy: expect.stringContaining('fsck'),
    });
    expect(sh('cat /proc/self/mountinfo')).not.toContain(` ${disk.device} `);
  });
});

describe('one volume for reading and for writing on one node', () => {
  it('is each to its own pod, in whatever order they come and go', async () => {
    await setUp(sizes.ext4);
    await testbed.calls().stage(disk);
    await testbed.calls().publish(disk, { target: 'reader', readonly: true });
    await testbed.calls().publish(disk, { target: 'writer' });
    for (const readonly of [true, false])
      await testbed.calls().publish(disk, { target: readonly ? 'reader' : 'writer', readonly });
    await writeFile(testbed.path('writer/file'), 'whole');
    await expect(writeFile(testbed.path('reader/file'), '')).rejects.toMatchObject({ code: 'EROFS' });
    await testbed.calls().unpublish('writer');
    expect(await readFile(testbed.path('reader/file'), 'utf8')).toBe('whole');
    await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    await testbed.calls().publish(disk, { target: 'writer' });
    await testbed.calls().unpublish('reader');
    await writeFile(testbed.path('writer/file'), 'still');
    await testbed.calls().unpublish('writer');
    await testbed.calls().unstage();
  });
});

describe('one disk, raw for one pod and with a file system for another', () => {
  it('is not formatted or mounted under the feet of whoever has it raw', async () => {
    await setUp(sizes.ext4);
    await testbed.calls().stage(disk, { capability: rawOf() });
    await testbed.calls().publish(disk, { capability: rawOf() });
    const before = hashOf(disk);
    const second = { volumeId: 'same disk', staging: 'second' };
    await testbed.makeStaging('second');
    await expect(testbed.calls().stage(disk, second)).rejects.toMatchObject({ code: 'VolumeConflict' });
    expect(hashOf(disk)).toBe(before);
    sh('printf raw | dd of="$1" conv=notrunc,fsync status=none', testbed.path('target'));
    await testbed.calls().unpublish();
    await testbed.calls().unstage();
    await testbed.calls().unstage(second);
  });

  it('is not shown raw while its file system is mounted', async () => {
    await setUp(sizes.ext4);
    await testbed.calls().stage(disk);
    const raw = { capability: rawOf(), volumeId: 'same disk', staging: 'second', target: 'raw' };
    await testbed.makeStaging('second');
    await testbed.calls().stage(disk, raw);
    await expect(testbed.calls().publish(disk, raw)).rejects.toMatchObject({ code: 'VolumeConflict' });
    await testbed.calls().unstage();
    await testbed.calls().publish(disk, raw);
    await testbed.calls().unpublish('raw');
    await testbed.calls().unstage(raw);
  });
});

describe('a raw device whose file was made anew while a pod has it', () => {
  it('is not called unused', async () => {
    await setUp(sizes.ext4);
    const capability = rawOf();
    const node = join(testbed.devRoot, basename(disk.device));
    const makeNode = async () => {
      await rm(node, { force: true });
      sh('mknod "$1" b 7 "$2"', node, disk.device.replace(/\D/g, ''));
    };
    await rm(testbed.devRoot, { recursive: true });
    await mkdir(testbed.devRoot);
    sh('mount -t tmpfs none "$1"', testbed.devRoot);
    await makeNode();
    await testbed.calls().stage(disk, { capability });
    await testbed.calls().publish(disk, { capability });
    await makeNode();
    await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    // It is the same disk: nothing has to be done anew.
    await testbed.calls().publish(disk, { capability });
    await testbed.calls().unpublish();
    await testbed.calls().unstage();
  });
});

describe('a disk that is under something else', () => {
  it('is not called unused while a loop device stands on it', async () => {
    await setUp(sizes.ext4);
    const capability = rawOf();
    await testbed.calls().stage(disk, { capability });
    const upper = sh('losetup --find --show "$1"', disk.device).trim();
    try {
      sh('mkfs.ext4 -q "$1"', upper);
      await mkdir(testbed.path('elsewhere'));
      sh('mount "$1" "$2"', upper, testbed.path('elsewhere'));
      await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
      sh('umount "$1"', testbed.path('elsewhere'));
      await expect(testbed.impatient().unstage()).rejects.toEqual(inUse);
    } finally {
      sh('losetup --detach "$1"', upper);
    }
    await testbed.calls().unstage();
  });
});

describe('a volume that somebody unmounts', () => {
  it('right before it is published does not show the folder below it to the pod', async () => {
    await setUp(sizes.ext4);
    await testbed.calls().stage(disk);
    const run = createCommandRunner(process.env);
    const node = testbed.serviceWith({
      run: (command, args, options) => {
        if (command === 'mount') sh('umount "$1"', testbed.path('staging'));
        return run(command, args, options);
      },
    });
    await expect(testbed.callsOf(node).publish(disk)).rejects.toMatchObject({ code: 'NodeMountFailed' });
    expect(sh('cat /proc/self/mountinfo')).not.toContain(testbed.path('target'));
    await testbed.calls().stage(disk);
    await testbed.calls().publish(disk);
  });
});

describe('a folder of notes', () => {
  it('that is full keeps a volume from being mounted, and no longer than that', async () => {
    await setUp(sizes.ext4);
    await mkdir(testbed.path('staged'));
    sh('mount -t tmpfs -o size=4k none "$1" && head -c 4096 /dev/zero > "$1/full"', testbed.path('staged'));
    await expect(testbed.calls().stage(disk)).rejects.toMatchObject({ message: expect.stringContaining('ENOSPC') });
    expect(sh('cat /proc/self/mountinfo')).not.toContain(` ${disk.device} `);
    await rm(testbed.path('staged/full'));
    await testbed.calls().stage(disk);
    await testbed.calls().unstage();
  });

  it('of which one is damaged neither keeps the volume staged for ever nor forgets who has it', async () => {
    await setUp(sizes.ext4);
    await testbed.calls().stage(disk);
    const damage = () => sh('for note in "$1"/*; do : > "$note"; done', testbed.path('staged'));
    damage();
    await testbed.calls().stage(disk);
    damage();
    const file = sh('exec 3> "$1"; echo opened', testbed.path('staging/file')).trim();
    expect(file).toBe('opened');
    await testbed.calls().unstage();
    await testbed.makeStaging();
    await testbed.calls().stage(disk);
    sh('umount "$1"', testbed.path('staging'));
    damage();
    await expect(testbed.calls().unstage()).rejects.toMatchObject({
      code: 'NodeDiskInUse',
      remedy: expect.stringContaining('rm '),
    });
    sh('rm "$1"/*', testbed.path('staged'));
    await testbed.calls().unstage();
  });
});
