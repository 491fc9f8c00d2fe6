import { isVdoError } from '@vdo/base/vdo-error';
import { volumeTypes } from '../driver.ts';
import type { Controller } from '../gen/csi-pb.ts';
import type { Placer } from '../placement/placer.ts';
import { pageOf } from '../volumes/page.ts';
import type { PublishedNodes } from '../volumes/published-nodes.ts';
import type { Volume, VolumeService } from '../volumes/volume.ts';
import { readVolumeAccess } from '../volumes/volume-access.ts';
import { parseVolumeId } from '../volumes/volume-id.ts';
import { volumeNotFound } from '../volumes/volume-not-found.ts';
import { readVolumeParameters } from '../volumes/volume-parameters.ts';
import { mbToBytes } from '../volumes/volume-size.ts';
import { requireField } from './require-field.ts';
import type { ServiceHandlers } from './service-handlers.ts';

export type ListHandlers = Required<
  Pick<ServiceHandlers<typeof Controller>, 'listVolumes' | 'controllerGetVolume' | 'getCapacity'>
>;

export interface ListHandlersOptions {
  readonly volumes: VolumeService;
  readonly publishedNodes: PublishedNodes;
  readonly placer: Placer;
}

const conditionOf = ({ health }: Volume) =>
  health === 'red'
    ? { abnormal: true, message: 'vCenter reports the volume as not accessible (red)' }
    : { abnormal: false, message: health ? `vCenter reports ${health}` : 'vCenter reports nothing unusual' };

const toMessage = (volume: Volume) => ({
  volumeId: volume.id,
  capacityBytes: mbToBytes(volume.sizeMb),
  volumeContext: { type: volumeTypes.block },
});

/** The operations of the controller that only look. */
export const createListHandlers = ({ volumes, publishedNodes, placer }: ListHandlersOptions): ListHandlers => ({
  listVolumes: async ({ maxEntries, startingToken }, context) => {
    const isKey = (token: string) => parseVolumeId(token) !== undefined;
    const { entries, nextToken } = pageOf(await volumes.list(context), ({ id }) => id, {
      maxEntries,
      startingToken,
      isKey,
    });
    const published = entries.length > 0 ? await publishedNodes(context) : new Map<string, readonly string[]>();
    return {
      entries: entries.map((volume) => ({
        volume: toMessage(volume),
        status: { publishedNodeIds: [...(published.get(volume.id) ?? [])], volumeCondition: conditionOf(volume) },
      })),
      nextToken,
    };
  },

  controllerGetVolume: async (request, context) => {
    const id = requireField('volume_id', request.volumeId);
    const volume = await volumes.find(id, context);
    if (!volume) throw volumeNotFound(id);
    const published = await publishedNodes(context);
    return {
      volume: toMessage(volume),
      status: { publishedNodeIds: [...(published.get(id) ?? [])], volumeCondition: conditionOf(volume) },
    };
  },

  getCapacity: async (request, { lifetime: signal }) => {
    if (request.volumeCapabilities.length > 0) readVolumeAccess(request.volumeCapabilities);
    const { datastoreUrl } = readVolumeParameters(request.parameters);
    const segments = request.accessibleTopology?.segments ?? {};
    const topologies = Object.keys(segments).length > 0 ? [segments] : [];
    const where = { topologies, ...(datastoreUrl === undefined ? {} : { datastoreUrl }) };
    const datastores = await placer.place(where, { signal }).then(
      (choice) => choice.datastores,
      (error: unknown) => {
        // No datastore is an answer here: there is no room.
        if (isVdoError(error, 'VolumeNoDatastore')) return [];
        throw error;
      },
    );
    const free = datastores.map(({ freeBytes }) => freeBytes);
    const availableCapacity = free.reduce((sum, bytes) => sum + bytes, 0n);
    const largest = free.reduce((most, bytes) => (bytes > most ? bytes : most), 0n);
    return { availableCapacity, maximumVolumeSize: largest };
  },
});
