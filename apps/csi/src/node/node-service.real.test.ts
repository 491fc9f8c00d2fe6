import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { createSystemClock } from '@vdo/base/clock';
import { openFence } from '@vdo/base/fence';
import {
  VolumeCapability_AccessMode_Mode as Mode,
  NodeExpandVolumeRequestSchema,
  NodeGetVolumeStatsRequestSchema,
  NodePublishVolumeRequestSchema,
  NodeStageVolumeRequestSchema,
  NodeUnpublishVolumeRequestSchema,
  NodeUnstageVolumeRequestSchema,
} from '@vdo/csi-proto/gen/csi-pb';
import { createMounter } from '@vdo/linux-disks/mounter';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import { attachLoopDisk, type LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeService } from './node-service.ts';

const mebibyte = 1024 * 1024;
const size = 400 * mebibyte;
const volumeId = '3c8c5e39-0d4d-4a6a-8f2d-1c9a6a4b9f01';
const { signal } = new AbortController();
const context = { signal, lifetime: signal, fence: openFence };
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

let folder: string;
let disks: LoopDisk[];
let counter = 0;
const path = (name: string) => join(folder, name);

const service = (diskTimeoutMs = 3_000) => {
  const run = createCommandRunner(process.env);
  return createNodeService({
    run,
    mounter: createMounter(run),
    clock: createSystemClock(),
    sysfsRoot: '/sys',
    devRoot: path('dev'),
    diskTimeoutMs,
    nodeUuid: async () => 'uuid',
  });
};

const attach = async (bytes = size): Promise<LoopDisk> => {
  counter++;
  const diskUuid = `6000c29${String(process.pid).padStart(10, '0')}${String(counter).padStart(15, '0')}`;
  const disk = await attachLoopDisk({ folder, devRoot: path('dev'), diskUuid, bytes });
  disks.push(disk);
  return disk;
};

const mount = (fsType = 'ext4', mode: (typeof Mode)[keyof typeof Mode] = Mode.SINGLE_NODE_WRITER) => ({
  accessType: { case: 'mount' as const, value: { fsType } },
  accessMode: { mode },
});
interface RawAccess {
  readonly accessType: { readonly case: 'block'; readonly value: object };
  readonly accessMode: { readonly mode: (typeof Mode)[keyof typeof Mode] };
}
const block: RawAccess = {
  accessType: { case: 'block', value: {} },
  accessMode: { mode: Mode.SINGLE_NODE_WRITER },
};
const publishContext = (disk: Pick<LoopDisk, 'diskUuid'>, bytes = size) => ({
  type: 'vSphere CNS Block Volume',
  diskUUID: disk.diskUuid,
  'vdo.vmware.com/size-bytes': String(bytes),
});
const blankVolume = { 'vdo.vmware.com/blank': 'true' };

const stage = (
  disk: Pick<LoopDisk, 'diskUuid'>,
  options: {
    capability?: ReturnType<typeof mount> | RawAccess;
    volumeContext?: Record<string, string>;
    bytes?: number;
  } = {},
  node = service(),
) =>
  node.nodeStageVolume?.(
    create(NodeStageVolumeRequestSchema, {
      volumeId,
      stagingTargetPath: path('staging'),
      volumeCapability: options.capability ?? mount(),
      publishContext: publishContext(disk, options.bytes),
      volumeContext: options.volumeContext ?? blankVolume,
    }),
    context,
  );
const publish = (
  disk: LoopDisk,
  options: { capability?: ReturnType<typeof mount> | RawAccess; target?: string; readonly?: boolean } = {},
) =>
  service().nodePublishVolume?.(
    create(NodePublishVolumeRequestSchema, {
      volumeId,
      stagingTargetPath: path('staging'),
      targetPath: path(options.target ?? 'target'),
      volumeCapability: options.capability ?? mount(),
      publishContext: publishContext(disk),
      readonly: options.readonly ?? false,
    }),
    context,
  );
const unpublish = (target = 'target') =>
  service().nodeUnpublishVolume?.(
    create(NodeUnpublishVolumeRequestSchema, { volumeId, targetPath: path(target) }),
    context,
  );
const unstage = () =>
  service().nodeUnstageVolume?.(
    create(NodeUnstageVolumeRequestSchema, { volumeId, stagingTargetPath: path('staging') }),
    context,
  );
const stats = (target = 'target') =>
  service().nodeGetVolumeStats?.(
    create(NodeGetVolumeStatsRequestSchema, { volumeId, volumePath: path(target) }),
    context,
  );
const expand = (bytes: number, target = 'target') =>
  service().nodeExpandVolume?.(
    create(NodeExpandVolumeRequestSchema, {
      volumeId,
      volumePath: path(target),
      capacityRange: { requiredBytes: BigInt(bytes) },
    }),
    context,
  );

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
  folder = await mkdtemp(join(tmpdir(), 'csi-node-'));
  disks = [];
});
afterEach(async () => {
  for (const target of ['target', 'second']) await unpublish(target)?.catch(() => {});
  await unstage()?.catch(() => {});
  for (const disk of disks) await disk.detach();
  await rm(folder, { recursive: true });
});

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
    const disk = await attachLoopDisk({
      folder,
      devRoot: path('dev'),
      diskUuid: `6000c29${'a'.repeat(25)}`,
      bytes: size,
    });
    disks.push(disk);
    await staged;
  });

  it('says what to do about a disk that never appears', async () => {
    await expect(stage({ diskUuid: `6000c29${'b'.repeat(25)}` }, {}, service(500))).rejects.toMatchObject({
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
      message: expect.stringContaining('read-only already'),
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
  const oneRawPod = { ...block, accessMode: { mode: Mode.SINGLE_NODE_SINGLE_WRITER } };

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
