import { mkdir, mkdtemp, realpath, rm, statfs } from 'node:fs/promises';
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
import { createNodeService, type NodeServiceDeps } from '../node/node-service.ts';
import { createStagedDisks } from '../node/volumes/staged-disks.ts';
import { createUsedDisks } from '../node/volumes/used-disks.ts';

type AccessMode = (typeof Mode)[keyof typeof Mode];
export interface Capability {
  readonly accessType:
    | { readonly case: 'mount'; readonly value: { readonly fsType: string; readonly mountFlags: string[] } }
    | { readonly case: 'block'; readonly value: object };
  readonly accessMode: { readonly mode: AccessMode };
}

export const mountOf = (
  fsType = 'ext4',
  mode: AccessMode = Mode.SINGLE_NODE_WRITER,
  mountFlags: string[] = [],
): Capability => ({ accessType: { case: 'mount', value: { fsType, mountFlags } }, accessMode: { mode } });
export const rawOf = (mode: AccessMode = Mode.SINGLE_NODE_WRITER): Capability => ({
  accessType: { case: 'block', value: {} },
  accessMode: { mode },
});

/** What a call is about, where it differs from the one volume of the testbed. */
export interface CallOptions {
  readonly volumeId?: string;
  readonly staging?: string;
  readonly target?: string;
  readonly capability?: Capability;
  readonly readonly?: boolean;
  readonly volumeContext?: Record<string, string>;
  /** Size by vCenter. */
  readonly bytes?: number;
  /** False: the controller does not say that the disk was never attached before. Default true. */
  readonly firstUse?: boolean;
}

export const blankVolume = { 'vdo.vmware.com/blank': 'true' };
export const defaultVolumeId = '3c8c5e39-0d4d-4a6a-8f2d-1c9a6a4b9f01';
let counter = 0;

const memory = '/dev/shm';
const tmpfsMagic = 0x01021994;
const roomNeeded = 4 * 1024 ** 3;

/** Where the images of disks are: in memory if there is room. They are sparse, and gone after the test. */
const makeImageFolder = async (folder: string): Promise<string> => {
  const room = await statfs(memory).catch(() => undefined);
  const fits = room?.type === tmpfsMagic && room.bavail * room.bsize >= roomNeeded;
  return fits ? mkdtemp(join(memory, 'csi-node-')) : folder;
};

/** The node role over real loop devices, called as the kubelet calls it. Every call goes to a new process, so to speak. Needs root. */
export const createNodeTestbed = async ({ bytes }: { readonly bytes: number }) => {
  // As the kernel names it in its list of mounts.
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'csi-node-')));
  const path = (name: string) => join(folder, name);
  const images = await makeImageFolder(folder);
  const machine = { folder, devRoot: path('dev'), sysfsRoot: path('sys') };
  const disks: LoopDisk[] = [];
  const { signal } = new AbortController();
  // Many programs at once listen to it.
  const context = { signal, lifetime: signal, fence: openFence };
  await mkdir(path('staging'));

  const serviceWith = (more: Partial<NodeServiceDeps> = {}) => {
    const run = more.run ?? createCommandRunner(process.env);
    return createNodeService({
      mounter: createMounter(run),
      clock: createSystemClock(),
      ...machine,
      diskTimeoutMs: 3_000,
      nodeUuid: async () => 'uuid',
      stagedDisks: createStagedDisks(path('staged')),
      usedDisks: createUsedDisks(path('used')),
      ...more,
      run,
    });
  };
  const callsOf = (service: ReturnType<typeof serviceWith>) => {
    const publishContext = (
      disk: Pick<LoopDisk, 'diskUuid'>,
      { bytes: size = bytes, firstUse = true }: CallOptions,
    ) => ({
      type: 'vSphere CNS Block Volume',
      diskUUID: disk.diskUuid,
      'vdo.vmware.com/size-bytes': String(size),
      ...(firstUse ? { 'vdo.vmware.com/first-use': 'true' } : {}),
    });
    const common = ({ volumeId = defaultVolumeId, staging = 'staging' }: CallOptions) => ({
      volumeId,
      stagingTargetPath: path(staging),
    });
    return {
      stage: async (disk: Pick<LoopDisk, 'diskUuid'>, options: CallOptions = {}) =>
        service.nodeStageVolume?.(
          create(NodeStageVolumeRequestSchema, {
            ...common(options),
            volumeCapability: options.capability ?? mountOf(),
            publishContext: publishContext(disk, options),
            volumeContext: options.volumeContext ?? blankVolume,
          }),
          context,
        ),
      publish: async (disk: Pick<LoopDisk, 'diskUuid'>, options: CallOptions = {}) =>
        service.nodePublishVolume?.(
          create(NodePublishVolumeRequestSchema, {
            ...common(options),
            targetPath: path(options.target ?? 'target'),
            volumeCapability: options.capability ?? mountOf(),
            publishContext: publishContext(disk, options),
            readonly: options.readonly ?? false,
          }),
          context,
        ),
      unpublish: async (target = 'target', volumeId = defaultVolumeId) =>
        service.nodeUnpublishVolume?.(
          create(NodeUnpublishVolumeRequestSchema, { volumeId, targetPath: path(target) }),
          context,
        ),
      unstage: async (options: CallOptions = {}) =>
        service.nodeUnstageVolume?.(create(NodeUnstageVolumeRequestSchema, common(options)), context),
      stats: async (target = 'target') =>
        service.nodeGetVolumeStats?.(
          create(NodeGetVolumeStatsRequestSchema, { volumeId: defaultVolumeId, volumePath: path(target) }),
          context,
        ),
      expand: async (required: number, target = 'target') =>
        service.nodeExpandVolume?.(
          create(NodeExpandVolumeRequestSchema, {
            volumeId: defaultVolumeId,
            volumePath: path(target),
            capacityRange: { requiredBytes: BigInt(required) },
          }),
          context,
        ),
    };
  };

  return {
    ...machine,
    path,
    /** As udev and the kernel show a disk that vCenter has attached. */
    attach: async (
      options: { readonly diskUuid?: string; readonly bytes?: number; readonly folder?: string } = {},
    ): Promise<LoopDisk> => {
      counter++;
      const unique = `6000c29${String(process.pid).padStart(10, '0')}${String(counter).padStart(15, '0')}`;
      const disk = await attachLoopDisk({ ...machine, folder: images, diskUuid: unique, bytes, ...options });
      disks.push(disk);
      return disk;
    },
    /** As the kubelet does before it stages. */
    makeStaging: async (staging = 'staging') => void (await mkdir(path(staging), { recursive: true })),
    serviceWith,
    callsOf,
    /** One call, by a process of its own. */
    calls: () => callsOf(serviceWith()),
    /** One that does not wait as long for what will not come. */
    impatient: () => {
      const clock = createSystemClock();
      return callsOf(serviceWith({ clock: { ...clock, monotonicMs: () => 20 * clock.monotonicMs() } }));
    },
    close: async () => {
      const run = createCommandRunner(process.env);
      const mounter = createMounter(run);
      const left = (await mounter.list({ signal })).filter(({ target }) => target.startsWith(folder)).reverse();
      for (const { target } of left) await mounter.unmount(target, { signal });
      for (const disk of disks) await disk.detach().catch(() => {});
      for (const place of new Set([images, folder])) await rm(place, { recursive: true });
    },
  };
};

export type NodeTestbed = Awaited<ReturnType<typeof createNodeTestbed>>;
