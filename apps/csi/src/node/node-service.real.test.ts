import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { VolumeCapability_AccessMode_Mode as Mode } from '@vdo/csi-proto/gen/csi-pb';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CallOptions,
  createNodeTestbed,
  mountOf as mount,
  type NodeTestbed,
  rawOf,
} from '../testing/node-testbed.ts';

const mebibyte = 1024 * 1024;
const size = 400 * mebibyte;
const block = rawOf();
const programs: Record<string, string> = { ext4: 'mkfs.ext4', xfs: 'mkfs.xfs', btrfs: 'mkfs.btrfs' };
const isInstalled = (program: string): boolean => {
  try {
    execFileSync('which', [program]);
    return true;
  } catch {
    return false;
  }
};
// On CI a missing program is a failure of the machine, not a reason to skip.
const fileSystems = Object.keys(programs).filter((name) => process.env['CI'] || isInstalled(programs[name] ?? ''));

/** Some machines withhold CAP_SYS_RESOURCE even from root; then the error is what can be tested. */
const mayGrowExt = (): boolean => {
  const effective = /CapEff:\s*([0-9a-f]+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${effective}`) & (1n << 24n)) !== 0n;
};

let testbed: NodeTestbed;
const path = (name: string) => testbed.path(name);
const attach = () => testbed.attach();
const stage = (disk: Pick<LoopDisk, 'diskUuid'>, options?: CallOptions) => testbed.calls().stage(disk, options);
const publish = (disk: LoopDisk, options?: CallOptions) => testbed.calls().publish(disk, options);
const unpublish = (target?: string) => testbed.calls().unpublish(target);
const unstage = () => testbed.calls().unstage();
const stats = (target?: string) => testbed.calls().stats(target);
const expand = (bytes: number, target?: string) => testbed.calls().expand(bytes, target);

const writeAt = async (file: string, position: number, text: string) => {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.from(text, 'latin1'), 0, text.length, position);
  await handle.sync();
  await handle.close();
};

/** One Linux partition from sector 2048 on, as fdisk writes it. */
const writePartitionTable = (device: string) =>
  writeAt(device, 446, Buffer.from(`8020210083aa280c0008000000f00b00${'00'.repeat(48)}55aa`, 'hex').toString('latin1'));

beforeEach(async () => {
  testbed = await createNodeTestbed({ bytes: size });
});
afterEach(() => testbed.close());

describe.each(fileSystems)('a volume with %s', (fsType) => {
  it('is formatted once, mounted, and keeps its data over a move', async () => {
    const disk = await attach();
    const capability = mount(fsType);
    await stage(disk, { capability });
    await publish(disk, { capability });
    await writeFile(path('target/hello'), 'kept');
    await unpublish();
    await unstage();
    await expect(stat(path('target'))).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(path('staging'));
    await stage(disk, { capability });
    await publish(disk, { capability });
    expect(await readFile(path('target/hello'), 'utf8')).toBe('kept');
  });

  it('grows while it is in use', async () => {
    const disk = await attach();
    const capability = mount(fsType);
    await stage(disk, { capability });
    await publish(disk, { capability });
    const before = await stats();
    await disk.grow(2 * size);
    if (fsType === 'ext4' && !mayGrowExt()) {
      await expect(expand(2 * size)).rejects.toMatchObject({ remedy: expect.stringContaining('CAP_SYS_RESOURCE') });
      return;
    }
    expect(await expand(2 * size)).toEqual({ capacityBytes: BigInt(2 * size) });
    const after = await stats();
    expect(Number(after?.usage?.[0]?.total)).toBeGreaterThan(1.7 * Number(before?.usage?.[0]?.total));
  });
});

describe('every operation', () => {
  it('may be repeated, also by a new process', async () => {
    const disk = await attach();
    for (const _ of [1, 2]) await stage(disk);
    for (const _ of [1, 2]) await publish(disk);
    for (const _ of [1, 2]) await unpublish();
    for (const _ of [1, 2]) await unstage();
  });

  it('waits for a disk that appears late', async () => {
    const staged = stage({ diskUuid: `6000c29${'a'.repeat(25)}` });
    await testbed.attach({ diskUuid: `6000c29${'a'.repeat(25)}` });
    await staged;
  });

  it('says what to do about a disk that never appears', async () => {
    await expect(
      testbed.callsOf(testbed.serviceWith({ diskTimeoutMs: 500 })).stage({ diskUuid: `6000c29${'b'.repeat(25)}` }),
    ).rejects.toMatchObject({
      code: 'NodeDiskNotFound',
      remedy: expect.stringContaining('disk.EnableUUID'),
    });
  });
});

describe('a disk is not formatted', () => {
  const refused = (options: Parameters<typeof stage>[1], disk: LoopDisk) =>
    expect(stage(disk, options)).rejects.toMatchObject({ code: 'VolumeFormatRefused' });

  it('that has a partition table', async () => {
    const disk = await attach();
    await writePartitionTable(disk.device);
    await refused({}, disk);
  });

  it('that has another file system', async () => {
    const disk = await attach();
    execFileSync('mkfs.ext4', ['-q', disk.device]);
    await refused({ capability: mount('xfs') }, disk);
  });

  it('that is a copy on which nothing is found', async () => {
    await refused({ volumeContext: { 'vdo.vmware.com/blank': 'false' } }, await attach());
  });

  it('whose size is not what vCenter says', async () => {
    await refused({ bytes: size + mebibyte }, await attach());
  });

  it('of another driver that holds something, be it at its very end', async () => {
    const disk = await attach();
    await writeAt(disk.device, size - 512, 'data');
    await refused({ volumeContext: {} }, disk);
  });

  it('read-only', async () => {
    await refused({ capability: mount('ext4', Mode.SINGLE_NODE_READER_ONLY) }, await attach());
  });

  it('unless it is of another driver and all zeros', async () => {
    await stage(await attach(), { volumeContext: {} });
  });
});

describe('a raw device', () => {
  it('is shown as a device, measured and grown', async () => {
    const disk = await attach();
    await stage(disk, { capability: block });
    await publish(disk, { capability: block });
    await publish(disk, { capability: block });
    await writeAt(path('target'), 0, 'raw');
    expect((await readFile(disk.file)).subarray(0, 3).toString()).toBe('raw');
    expect((await stats())?.usage).toMatchObject([{ total: BigInt(size) }]);
    await disk.grow(2 * size);
    expect(await expand(2 * size)).toEqual({ capacityBytes: BigInt(2 * size) });
    await unpublish();
    await expect(stat(path('target'))).rejects.toMatchObject({ code: 'ENOENT' });
    await unstage();
  });
});

describe('a read-only publication', () => {
  it('cannot be written, while another one can', async () => {
    const disk = await attach();
    await stage(disk);
    await publish(disk);
    await publish(disk, { target: 'second', readonly: true });
    await writeFile(path('target/a'), '1');
    await expect(writeFile(path('second/b'), '2')).rejects.toMatchObject({ code: 'EROFS' });
    expect(await readFile(path('second/a'), 'utf8')).toBe('1');
  });
});

describe('a raw device that is shown already', () => {
  it('is not taken for one of the other kind, nor of another volume', async () => {
    const disk = await attach();
    await stage(disk, { capability: block });
    await publish(disk, { capability: block, readonly: true });
    await publish(disk, { capability: block, readonly: true });
    await expect(publish(disk, { capability: block })).rejects.toMatchObject({
      code: 'VolumeConflict',
      message: expect.stringContaining('already mounted read-only'),
    });
    // The target was left over from another volume: the pod sees its own.
    const other = await attach();
    await publish(other, { capability: block });
    await writeAt(path('target'), 0, 'mine');
    expect((await readFile(other.file)).subarray(0, 4).toString()).toBe('mine');
  });
});

describe('a volume for one pod only', () => {
  const onePod = mount('ext4', Mode.SINGLE_NODE_SINGLE_WRITER);
  const oneRawPod = rawOf(Mode.SINGLE_NODE_SINGLE_WRITER);

  it.each([
    ['mounted', onePod],
    ['as a raw device', oneRawPod],
  ])('is shown to a second one when the first has ended: %s', async (_how, capability) => {
    const disk = await attach();
    await stage(disk, { capability });
    await publish(disk, { capability });
    // The same pod may be told twice.
    await publish(disk, { capability });
    await expect(publish(disk, { capability, target: 'second' })).rejects.toMatchObject({
      code: 'VolumeAttachedElsewhere',
      message: expect.stringContaining(path('target')),
    });
    await expect(stat(path('second'))).rejects.toMatchObject({ code: 'ENOENT' });
    await unpublish();
    await publish(disk, { capability, target: 'second' });
  });

  it('is not kept from others by a volume that several pods may have', async () => {
    const capability = mount('ext4', Mode.SINGLE_NODE_MULTI_WRITER);
    const disk = await attach();
    await stage(disk, { capability });
    await publish(disk, { capability });
    await publish(disk, { capability, target: 'second' });
    await writeFile(path('target/a'), '1');
    expect(await readFile(path('second/a'), 'utf8')).toBe('1');
  });
});

describe('what is not there', () => {
  it('has no stats and cannot grow', async () => {
    await expect(stats('nowhere')).rejects.toMatchObject({ code: 'VolumeNotFound' });
    await expect(expand(size, 'nowhere')).rejects.toMatchObject({ code: 'VolumeNotFound' });
  });

  it('cannot be published before it is staged', async () => {
    await expect(publish(await attach())).rejects.toMatchObject({ code: 'NodeMountFailed' });
  });

  it('is not deleted if something was written below the mount point', async () => {
    const disk = await attach();
    await stage(disk);
    await publish(disk);
    await unpublish();
    execFileSync('mkdir', ['-p', path('target/data')]);
    await expect(unpublish()).rejects.toMatchObject({ code: 'NodeMountFailed' });
    expect((await stat(path('target/data'))).isDirectory()).toBe(true);
    execFileSync('rmdir', [path('target/data')]);
  });
});
