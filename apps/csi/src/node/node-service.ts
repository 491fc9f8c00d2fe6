import { VdoError } from '@vdo/base/vdo-error';
import {
  VolumeCapability_AccessMode_Mode as Mode,
  type Node,
  NodeServiceCapability_RPC_Type as Rpc,
  VolumeUsage_Unit as Unit,
  type VolumeCapability,
} from '@vdo/csi-proto/gen/csi-pb';
import type { ServiceHandlers } from '@vdo/csi-proto/rpc/service-handlers';
import type { Segments } from '../placement/segments.ts';
import { toVolumeUses } from '../rpc/volume-uses.ts';
import { missingField, requireField, requireVolumeId } from '../volumes/require-field.ts';
import { readVolumeAccess } from '../volumes/volume-access.ts';
import { readAttachLimit } from './attach-limit.ts';
import { expandVolume } from './volumes/expand-volume.ts';
import type { NodeVolumeAccess, NodeVolumeDeps } from './volumes/node-volumes.ts';
import { publishShare } from './volumes/publish-share.ts';
import { publishVolume } from './volumes/publish-volume.ts';
import { stageVolume } from './volumes/stage-volume.ts';
import { unmountPath } from './volumes/unmount-path.ts';
import { unstageVolume } from './volumes/unstage-volume.ts';
import { readBlank, readPublishedVolume } from './volumes/volume-contexts.ts';
import { createVolumeLock } from './volumes/volume-lock.ts';
import { readVolumeStats } from './volumes/volume-stats.ts';
import type { VolumeUsage } from './volumes/volume-usage.ts';

export interface NodeServiceDeps extends NodeVolumeDeps {
  /** BIOS UUID of the VM. */
  readonly nodeUuid: () => Promise<string>;
  /** The topology of the node; absent if topology is not configured. Throws while it is not known yet. */
  readonly topology?: () => Promise<Segments>;
  /** Number of volumes that fit the VM besides its own disks. By default, the free slots of its paravirtual controllers according to the kernel. */
  readonly maxVolumes?: number;
}

/** The advertised capabilities; all of them are implemented below. */
const capabilities = [
  Rpc.STAGE_UNSTAGE_VOLUME,
  Rpc.EXPAND_VOLUME,
  Rpc.GET_VOLUME_STATS,
  Rpc.VOLUME_CONDITION,
  Rpc.SINGLE_NODE_MULTI_WRITER,
];

/** The kernel's limit for paths of mounts. */
const pathLimit = { maxBytes: 4096 };
const readOnlyModes: readonly Mode[] = [Mode.SINGLE_NODE_READER_ONLY, Mode.MULTI_NODE_READER_ONLY];

/** If mount flags contradict each other, the kernel uses the last one. */
const flagsReadOnly = (flags: readonly string[]): boolean =>
  flags.flatMap((flag) => flag.split(',')).findLast((flag) => flag === 'ro' || flag === 'rw') === 'ro';

const accessOf = (capability: VolumeCapability | undefined, readOnly: boolean): NodeVolumeAccess => {
  if (!capability) throw missingField('volume_capability');
  const { kind, fsType } = readVolumeAccess(toVolumeUses([capability]));
  const mode = capability.accessMode?.mode ?? Mode.UNKNOWN;
  const mountFlags = capability.accessType.case === 'mount' ? capability.accessType.value.mountFlags : [];
  return {
    kind,
    fsType,
    mountFlags,
    readOnly: readOnly || readOnlyModes.includes(mode) || flagsReadOnly(mountFlags),
    exclusive: mode === Mode.SINGLE_NODE_SINGLE_WRITER,
  };
};

const usage = (unit: Unit, { total, used, available }: VolumeUsage) => ({ unit, total, used, available });

const samePath = (path: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `staging path and target path are both ${path}`,
    remedy: 'Use different paths.',
  });

/** The CSI node service. Operations on the same volume run one after another; those on different volumes run concurrently. */
export const createNodeService = (deps: NodeServiceDeps): ServiceHandlers<typeof Node> => {
  const locks = createVolumeLock(deps);
  return {
    nodeGetInfo: async (_request, { signal }) => {
      const segments = await deps.topology?.();
      return {
        nodeId: await deps.nodeUuid(),
        maxVolumesPerNode: BigInt(deps.maxVolumes ?? (await readAttachLimit({ ...deps, signal }))),
        ...(segments ? { accessibleTopology: { segments: { ...segments } } } : {}),
      };
    },

    nodeGetCapabilities: async () => ({
      capabilities: capabilities.map((type) => ({ type: { case: 'rpc', value: { type } } })),
    }),

    nodeStageVolume: async (request, { lifetime }) => {
      const volumeId = requireVolumeId('volume_id', request.volumeId);
      const stagingPath = requireField('staging_target_path', request.stagingTargetPath, pathLimit);
      const access = accessOf(request.volumeCapability, false);
      const disk = readPublishedVolume(request.publishContext);
      const blank = readBlank(request.volumeContext);
      // A share is mounted only at the target paths of its pods, so there is nothing to stage.
      if (disk.kind === 'share') return {};
      await locks.run(volumeId, () => stageVolume({ stagingPath, access, disk, blank }, deps, lifetime));
      return {};
    },

    nodeUnstageVolume: async (request, { lifetime }) => {
      const volumeId = requireVolumeId('volume_id', request.volumeId);
      const path = requireField('staging_target_path', request.stagingTargetPath, pathLimit);
      await locks.run(volumeId, () => unstageVolume(path, deps, lifetime));
      return {};
    },

    nodePublishVolume: async (request, { lifetime }) => {
      const volumeId = requireVolumeId('volume_id', request.volumeId);
      const targetPath = requireField('target_path', request.targetPath, pathLimit);
      const access = accessOf(request.volumeCapability, request.readonly);
      const stagingPath = requireField('staging_target_path', request.stagingTargetPath, pathLimit);
      if (stagingPath === targetPath) throw samePath(targetPath);
      const volume = readPublishedVolume(request.publishContext);
      await locks.run(volumeId, () =>
        volume.kind === 'share'
          ? publishShare({ targetPath, access, share: volume }, deps, lifetime)
          : publishVolume({ stagingPath, targetPath, access, disk: volume }, deps, lifetime),
      );
      return {};
    },

    nodeUnpublishVolume: async (request, { lifetime }) => {
      const volumeId = requireVolumeId('volume_id', request.volumeId);
      const path = requireField('target_path', request.targetPath, pathLimit);
      await locks.run(volumeId, () => unmountPath(path, deps, lifetime));
      return {};
    },

    nodeGetVolumeStats: async (request, { signal }) => {
      requireVolumeId('volume_id', request.volumeId);
      const path = requireField('volume_path', request.volumePath, pathLimit);
      const { bytes, inodes, problem } = await readVolumeStats(path, deps, signal);
      return {
        usage: [usage(Unit.BYTES, bytes), ...(inodes ? [usage(Unit.INODES, inodes)] : [])],
        volumeCondition: { abnormal: problem !== undefined, message: problem ?? 'the volume is healthy' },
      };
    },

    nodeExpandVolume: async (request, { lifetime }) => {
      const volumeId = requireVolumeId('volume_id', request.volumeId);
      const volumePath = requireField('volume_path', request.volumePath, pathLimit);
      const requiredBytes = request.capacityRange?.requiredBytes ?? 0n;
      const capacityBytes = await locks.run(volumeId, () =>
        expandVolume({ volumePath, requiredBytes }, deps, lifetime),
      );
      return { capacityBytes };
    },
  };
};
