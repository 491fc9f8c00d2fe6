import type { CallContext } from '../volumes/call-context.ts';
import type { InTreeDisks } from '../volumes/in-tree-disks.ts';
import { parseVolumeId } from '../volumes/volume-id.ts';
import { volumeNotFound } from '../volumes/volume-not-found.ts';
import type { ControllerService } from './controller-service.ts';
import { requireVolumeId } from './require-field.ts';

const isPath = (id: string): boolean => parseVolumeId(id)?.kind === 'vmdk';

/** The reply with the volume named as the caller knows it. */
const withVolume = <Reply extends { readonly volume?: object | undefined }>(reply: Reply, change: object): Reply =>
  reply.volume ? { ...reply, volume: { ...reply.volume, ...change } } : reply;

/** The controller for callers who know some volumes by the path of their disk, as PersistentVolumes of the in-tree provider do. */
export const translateVolumeIds = (controller: ControllerService, disks: InTreeDisks): ControllerService => {
  /** The id; a path without a disk is left as it is, and nothing will be found by it. */
  const translated = async (id: string, context: CallContext): Promise<string> =>
    isPath(id) ? ((await disks.idOf(requireVolumeId('volume_id', id), context)) ?? id) : id;
  const must = async (id: string, context: CallContext): Promise<string> => {
    const found = await translated(id, context);
    if (isPath(found)) throw volumeNotFound(id);
    return found;
  };
  /** Requests that name a volume in `volumeId`. */
  const byVolumeId =
    <Request extends { readonly volumeId: string }, Reply>(
      handler: (request: Request, context: CallContext) => Promise<Reply>,
    ) =>
    async (request: Request, context: CallContext): Promise<Reply> =>
      isPath(request.volumeId)
        ? handler({ ...request, volumeId: await must(request.volumeId, context) }, context)
        : handler(request, context);

  return {
    ...controller,
    createVolume: async (request, context) => {
      const source = request.volumeContentSource?.type;
      if (source?.case !== 'volume' || !isPath(source.value.volumeId)) return controller.createVolume(request, context);
      const value = { ...source.value, volumeId: await must(source.value.volumeId, context) };
      const volumeContentSource = { ...request.volumeContentSource, type: { case: 'volume' as const, value } };
      const reply = await controller.createVolume({ ...request, volumeContentSource } as typeof request, context);
      const contentSource = request.volumeContentSource;
      return withVolume(reply, { contentSource });
    },
    deleteVolume: async (request, context) => {
      if (!isPath(request.volumeId)) return controller.deleteVolume(request, context);
      const volumeId = await translated(request.volumeId, context);
      const reply = await controller.deleteVolume({ ...request, volumeId }, context);
      await disks.forget(request.volumeId, context);
      return reply;
    },
    controllerUnpublishVolume: async (request, context) => {
      const volumeId = await translated(request.volumeId, context);
      const named: CallContext = isPath(request.volumeId) ? { ...context, handle: request.volumeId } : context;
      return controller.controllerUnpublishVolume({ ...request, volumeId }, named);
    },
    controllerPublishVolume: byVolumeId(controller.controllerPublishVolume),
    controllerExpandVolume: byVolumeId(controller.controllerExpandVolume),
    controllerModifyVolume: byVolumeId(controller.controllerModifyVolume),
    validateVolumeCapabilities: byVolumeId(controller.validateVolumeCapabilities),
    controllerGetVolume: async (request, context) => {
      const reply = await byVolumeId(controller.controllerGetVolume)(request, context);
      return withVolume(reply, { volumeId: request.volumeId });
    },
    createSnapshot: async (request, context) => {
      const { sourceVolumeId } = request;
      if (!isPath(sourceVolumeId)) return controller.createSnapshot(request, context);
      const found = await must(sourceVolumeId, context);
      const reply = await controller.createSnapshot({ ...request, sourceVolumeId: found }, context);
      return { ...reply, snapshot: { ...reply.snapshot, sourceVolumeId } } as typeof reply;
    },
    listSnapshots: async (request, context) =>
      controller.listSnapshots(
        { ...request, sourceVolumeId: await translated(request.sourceVolumeId, context) },
        context,
      ),
    listVolumes: async (request, context) => {
      const [reply, paths] = await Promise.all([controller.listVolumes(request, context), disks.known(context)]);
      if (paths.size === 0) return reply;
      const entries = (reply.entries ?? []).map((entry) => {
        const path = paths.get(entry.volume?.volumeId ?? '');
        return path === undefined ? entry : withVolume(entry, { volumeId: path });
      });
      return { ...reply, entries } as typeof reply;
    },
  };
};
