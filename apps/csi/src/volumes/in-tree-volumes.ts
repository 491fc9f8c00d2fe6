import type { CallContext } from './call-context.ts';
import type { InTreeDisks } from './in-tree-disks.ts';
import { requireVolumeId } from './require-field.ts';
import { parseVolumeId } from './volume-id.ts';
import { volumeNotFound } from './volume-not-found.ts';
import type { VolumeOperations } from './volumes.ts';

const isPath = (id: string): boolean => parseVolumeId(id)?.kind === 'vmdk';

/** For callers that identify some volumes by the path of their disk, as PersistentVolumes of the in-tree provider do. */
export const withInTreeVolumes = (operations: VolumeOperations, disks: InTreeDisks): VolumeOperations => {
  /** The volume ID. A path without a disk is returned unchanged, and no volume is found for it. */
  const translated = async (id: string, context: CallContext): Promise<string> =>
    isPath(id) ? ((await disks.idOf(requireVolumeId('volume_id', id), context)) ?? id) : id;
  const must = async (id: string, context: CallContext): Promise<string> => {
    const found = await translated(id, context);
    if (isPath(found)) throw volumeNotFound(id);
    return found;
  };
  /** Operations with a volume in `volumeId`. */
  const byVolumeId =
    <Request extends { readonly volumeId: string }, Reply>(
      operation: (request: Request, context: CallContext) => Promise<Reply>,
    ) =>
    async (request: Request, context: CallContext): Promise<Reply> =>
      operation({ ...request, volumeId: await must(request.volumeId, context) }, context);

  return {
    ...operations,
    createVolume: async (wanted, context) => {
      const { source } = wanted;
      if (source?.kind !== 'volume') return operations.createVolume(wanted, context);
      const volumeId = await must(source.volumeId, context);
      return operations.createVolume({ ...wanted, source: { ...source, volumeId } }, context);
    },
    deleteVolume: async (id, context) => {
      await operations.deleteVolume(await translated(id, context), context);
      if (isPath(id)) await disks.forget(id, context);
    },
    controllerUnpublishVolume: async (on, context) => {
      const volumeId = await translated(on.volumeId, context);
      const named: CallContext = isPath(on.volumeId) ? { ...context, handle: on.volumeId } : context;
      return operations.controllerUnpublishVolume({ ...on, volumeId }, named);
    },
    controllerPublishVolume: byVolumeId(operations.controllerPublishVolume),
    controllerExpandVolume: byVolumeId(operations.controllerExpandVolume),
    controllerModifyVolume: byVolumeId(operations.controllerModifyVolume),
    validateVolumeCapabilities: byVolumeId(operations.validateVolumeCapabilities),
    controllerGetVolume: async (id, context) => ({
      ...(await operations.controllerGetVolume(await must(id, context), context)),
      volumeId: id,
    }),
    createSnapshot: async (wanted, context) => ({
      ...(await byVolumeId(operations.createSnapshot)(wanted, context)),
      volumeId: wanted.volumeId,
    }),
    listSnapshots: async (asked, context) => {
      if (asked.volumeId === undefined) return operations.listSnapshots(asked, context);
      return operations.listSnapshots({ ...asked, volumeId: await translated(asked.volumeId, context) }, context);
    },
    listVolumes: async (request, context) => {
      const [page, paths] = await Promise.all([operations.listVolumes(request, context), disks.known(context)]);
      const entries = page.entries.map((entry) => ({
        ...entry,
        volumeId: paths.get(entry.volumeId) ?? entry.volumeId,
      }));
      return { ...page, entries };
    },
  };
};
