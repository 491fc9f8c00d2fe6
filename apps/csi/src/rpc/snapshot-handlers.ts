import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Controller } from '@vdo/csi-proto/gen/csi-pb';
import type { ServiceHandlers } from '@vdo/csi-proto/rpc/service-handlers';
import { pageOf } from '../volumes/page.ts';
import { parseSnapshotId } from '../volumes/snapshot-id.ts';
import type { Snapshot, SnapshotService } from '../volumes/snapshot-service.ts';
import { mbToBytes } from '../volumes/volume-size.ts';
import { requireField, requireVolumeId } from './require-field.ts';

/** Two UUIDs and a plus sign. */
const idLimit = { maxBytes: 256 };

export type SnapshotHandlers = Required<
  Pick<ServiceHandlers<typeof Controller>, 'createSnapshot' | 'deleteSnapshot' | 'listSnapshots'>
>;

const toMessage = ({ id, volumeId, createdAt, sizeMb }: Snapshot) => ({
  snapshotId: id,
  sourceVolumeId: volumeId,
  sizeBytes: mbToBytes(sizeMb),
  creationTime: timestampFromDate(createdAt),
  // CNS answers when the snapshot can be used.
  readyToUse: true,
});

/** The snapshot operations of the controller. */
export const createSnapshotHandlers = (snapshots: SnapshotService): SnapshotHandlers => ({
  createSnapshot: async (request, context) => {
    const name = requireField('name', request.name);
    const volumeId = requireVolumeId('source_volume_id', request.sourceVolumeId);
    return { snapshot: toMessage(await snapshots.create(name, volumeId, context)) };
  },

  deleteSnapshot: async (request, context) => {
    await snapshots.delete(requireField('snapshot_id', request.snapshotId, idLimit), context);
    return {};
  },

  listSnapshots: async (request, context) => {
    const { snapshotId, sourceVolumeId, maxEntries, startingToken } = request;
    const one = snapshotId === '' ? undefined : await snapshots.find(snapshotId, context);
    const found = snapshotId === '' ? await snapshots.list(sourceVolumeId || undefined, context) : one ? [one] : [];
    const { entries, nextToken } = pageOf(found, ({ id }) => id, {
      maxEntries,
      startingToken,
      isKey: (token) => parseSnapshotId(token) !== undefined,
    });
    return { entries: entries.map((snapshot) => ({ snapshot: toMessage(snapshot) })), nextToken };
  },
});
