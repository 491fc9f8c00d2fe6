import { isVdoError } from '@vdo/base/vdo-error';
import type { Controller } from '@vdo/csi-proto/gen/csi-pb';
import type { ServiceHandlers } from '@vdo/csi-proto/rpc/service-handlers';
import { volumeTypes } from '../driver.ts';
import type { Placer } from '../placement/placer.ts';
import type { PolicyFilter } from '../placement/policy-filter.ts';
import type { CsiVCenter } from '../volumes/csi-vcenter.ts';
import { pageOf } from '../volumes/page.ts';
import type { PublishedNodes } from '../volumes/published-nodes.ts';
import type { Volume, VolumeService } from '../volumes/volume.ts';
import { readVolumeAccess } from '../volumes/volume-access.ts';
import { parseVolumeId } from '../volumes/volume-id.ts';
import { volumeNotFound } from '../volumes/volume-not-found.ts';
import { readVolumeParameters } from '../volumes/volume-parameters.ts';
import { mbToBytes } from '../volumes/volume-size.ts';
import { requireVolumeId } from './require-field.ts';

export type ListHandlers = Required<
  Pick<ServiceHandlers<typeof Controller>, 'listVolumes' | 'controllerGetVolume' | 'getCapacity'>
>;

export interface ListHandlersOptions {
  readonly volumes: VolumeService;
  readonly publishedNodes: PublishedNodes;
  readonly placer: Placer;
  readonly vcenters: readonly CsiVCenter[];
  readonly policies: PolicyFilter;
  readonly inTreeDatastoreUrl?: string;
}

const conditionOf = ({ health }: Volume) =>
  health === 'red'
    ? { abnormal: true, message: 'vCenter reports the volume as not accessible (red)' }
    : { abnormal: false, message: health ? `vCenter reports ${health}` : 'vCenter reports nothing unusual' };

const toMessage = (volume: Volume) => ({
  volumeId: volume.id,
  capacityBytes: mbToBytes(volume.sizeMb),
  volumeContext: { type: volumeTypes[volume.kind] },
});

/** The operations of the controller that only look. */
export const createListHandlers = (options: ListHandlersOptions): ListHandlers => {
  const { volumes, publishedNodes, placer, vcenters, policies, inTreeDatastoreUrl } = options;
  return {
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
      const id = requireVolumeId('volume_id', request.volumeId);
      const volume = await volumes.find(id, context);
      if (!volume) throw volumeNotFound(id);
      const published = await publishedNodes(context);
      return {
        volume: toMessage(volume),
        status: { publishedNodeIds: [...(published.get(id) ?? [])], volumeCondition: conditionOf(volume) },
      };
    },

    getCapacity: async (request, { lifetime: signal }) => {
      const shared = request.volumeCapabilities.length > 0 && readVolumeAccess(request.volumeCapabilities).shared;
      const { datastoreUrl, datastoreName, storagePolicyName } = readVolumeParameters(
        request.parameters,
        inTreeDatastoreUrl,
      );
      const segments = request.accessibleTopology?.segments ?? {};
      const topologies = Object.keys(segments).length > 0 ? [segments] : [];
      const where = {
        topologies,
        ...(shared ? { kind: 'file' as const } : {}),
        ...(datastoreUrl === undefined ? {} : { datastoreUrl }),
        ...(datastoreName === undefined ? {} : { datastoreName }),
      };
      const room = async () => {
        const { vcenter, datastores } = await placer.place(where, { signal });
        const owner = vcenters.find(({ server }) => server === vcenter.server);
        if (storagePolicyName === undefined || !owner) return datastores;
        return (await policies.choose(owner, storagePolicyName, datastores, { signal })).datastores;
      };
      const datastores = await room().catch((error: unknown) => {
        // No datastore is an answer here: there is no room.
        if (isVdoError(error, 'VolumeNoDatastore')) return [];
        throw error;
      });
      const free = datastores.map(({ freeBytes }) => freeBytes);
      const availableCapacity = free.reduce((sum, bytes) => sum + bytes, 0n);
      const largest = free.reduce((most, bytes) => (bytes > most ? bytes : most), 0n);
      return { availableCapacity, maximumVolumeSize: largest };
    },
  };
};
