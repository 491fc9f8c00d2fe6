import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { contextKeys, volumeTypes } from '../driver.ts';
import type { Placer } from '../placement/placer.ts';
import type { PolicyFilter } from '../placement/policy-filter.ts';
import type { Segments } from '../placement/segments.ts';
import type { AttachmentService } from './attachment-service.ts';
import type { CallContext } from './call-context.ts';
import type { CsiVCenter } from './csi-vcenter.ts';
import type { ExpandVolume } from './expand-service.ts';
import { type ModifyVolume, readMutableParameters } from './modify-service.ts';
import { type PageRequest, pageOf } from './page.ts';
import type { PublishedNodes } from './published-nodes.ts';
import { requireField, requireVolumeId } from './require-field.ts';
import type { ShareService } from './share-service.ts';
import type { Snapshot, SnapshotService } from './snapshot-service.ts';
import type { CreatedVolume, CreateVolumeSpec, Volume, VolumeService, VolumeSource } from './volume.ts';
import { readVolumeAccess, type VolumeAccess, type VolumeUse } from './volume-access.ts';
import { claimUidOf, parseSnapshotId, parseVolumeId } from './volume-id.ts';
import { volumeNotFound } from './volume-not-found.ts';
import { readVolumeParameters } from './volume-parameters.ts';
import { mbToBytes, type SizeRange } from './volume-size.ts';

type Parameters = Readonly<Record<string, string>>;

export interface NewVolume {
  /** Two requests with the same name give one volume. */
  readonly name: string;
  readonly size: SizeRange | undefined;
  readonly uses: readonly VolumeUse[];
  /** Parameters of the StorageClass. */
  readonly parameters: Parameters;
  /** Parameters of the VolumeAttributesClass. */
  readonly mutableParameters?: Parameters;
  /** The source of the copy. Absent: the volume is empty. */
  readonly source?: CopiedFrom;
  /** Acceptable topology segments, preferred ones first. Empty: it must be accessible from every node. */
  readonly topologies: readonly Segments[];
  /** Called before a volume is created or an existing one is used. Throws if it is no longer requested. */
  readonly confirm?: () => Promise<void>;
}

/** Identified by the handles that users know. */
export type CopiedFrom =
  | { readonly kind: 'volume'; readonly volumeId: string }
  | { readonly kind: 'snapshot'; readonly snapshotId: string };

export interface ProvisionedVolume {
  readonly id: string;
  readonly sizeBytes: bigint;
  /** The volume context for the node role. */
  readonly context: Parameters;
  /** The selected topology segment, if segments were requested. */
  readonly topology?: Segments;
}

export interface Publication {
  readonly volumeId: string;
  readonly nodeId: string;
  readonly use: VolumeUse;
  readonly readOnly: boolean;
  readonly volumeContext: Parameters | undefined;
}

export interface ListedVolume {
  /** The cluster's name for it. */
  readonly volumeId: string;
  readonly volume: Volume;
  readonly publishedNodeIds: readonly string[];
}

export interface CapacityQuestion {
  readonly uses: readonly VolumeUse[];
  readonly parameters: Parameters;
  readonly place: Segments;
}

/**
 * The operations of a CSI controller, with CSI's names and our own types. Both the socket (rpc/) and the loops use them. Each operation takes
 * one argument and the context, so that all of them can be wrapped. All are idempotent.
 */
export interface VolumeOperations {
  createVolume(wanted: NewVolume, context: CallContext): Promise<ProvisionedVolume>;
  deleteVolume(volumeId: string, context: CallContext): Promise<void>;
  /** Returns the publish context for the node role. */
  controllerPublishVolume(wanted: Publication, context: CallContext): Promise<Parameters>;
  /** Without a node: from the node that has it. */
  controllerUnpublishVolume(
    on: { readonly volumeId: string; readonly nodeId: string | undefined },
    context: CallContext,
  ): Promise<void>;
  controllerExpandVolume(
    wanted: { readonly volumeId: string; readonly size: SizeRange },
    context: CallContext,
  ): Promise<{ readonly sizeBytes: bigint; readonly nodeExpansionRequired: boolean }>;
  controllerModifyVolume(
    wanted: { readonly volumeId: string; readonly mutableParameters: Parameters },
    context: CallContext,
  ): Promise<void>;
  /** Why the volume cannot be used in this way; undefined if it can. */
  validateVolumeCapabilities(
    asked: { readonly volumeId: string; readonly uses: readonly VolumeUse[] },
    context: CallContext,
  ): Promise<string | undefined>;
  listVolumes(
    page: PageRequest,
    context: CallContext,
  ): Promise<{ readonly entries: readonly ListedVolume[]; readonly nextToken: string }>;
  controllerGetVolume(volumeId: string, context: CallContext): Promise<ListedVolume>;
  getCapacity(
    question: CapacityQuestion,
    context: CallContext,
  ): Promise<{ readonly availableBytes: bigint; readonly largestBytes: bigint }>;
  createSnapshot(wanted: { readonly name: string; readonly volumeId: string }, context: CallContext): Promise<Snapshot>;
  deleteSnapshot(snapshotId: string, context: CallContext): Promise<void>;
  /** One snapshot, those of a volume, or all; oldest first. */
  listSnapshots(
    asked: { readonly snapshotId?: string; readonly volumeId?: string },
    context: CallContext,
  ): Promise<readonly Snapshot[]>;
}

/** Volumes of this cluster: their operations, and the handling of intents until the volumes are recorded. */
export type Volumes = VolumeOperations &
  Omit<VolumeService, 'create' | 'delete' | 'list'> & {
    /** Whether vCenter may still be attaching or detaching a disk because a reply was lost. */
    hasAttachDoubts(): boolean;
  };

export interface VolumeOperationsDeps {
  readonly service: VolumeService;
  /** Refuses volumes of other clusters. */
  readonly own: Pick<VolumeService, 'find'>;
  readonly attachments: AttachmentService;
  readonly shares: ShareService;
  readonly expandVolume: ExpandVolume;
  readonly modifyVolume: ModifyVolume;
  readonly snapshots: SnapshotService;
  readonly publishedNodes: PublishedNodes;
  readonly placer: Placer;
  readonly vcenters: readonly CsiVCenter[];
  readonly policies: PolicyFilter;
  /** Datastore for classes of the in-tree provider that do not set one. */
  readonly inTreeDatastoreUrl?: string;
}

/** Two UUIDs and a plus sign. */
const snapshotIdLimit = { maxBytes: 256 };

const assertServes = ({ id, kind }: Volume, access: VolumeAccess): void => {
  const reason =
    kind === 'block' && access.shared
      ? [
          `is a disk, which only one node can use at a time`,
          'Use ReadWriteOnce or ReadWriteOncePod, or a new claim with ReadWriteMany.',
        ]
      : kind === 'file' && access.kind === 'block'
        ? [
            'is a file share, which cannot be used as a raw device',
            'Use volumeMode Filesystem, or a new claim with ReadWriteOnce.',
          ]
        : undefined;
  if (reason)
    throw new VdoError({
      code: 'VolumeCapabilityUnsupported',
      message: `volume ${id} ${reason[0]}`,
      remedy: reason[1] ?? '',
    });
};

/** If the handle and the attributes of a PersistentVolume are of different kinds, a person has written it incorrectly. */
const assertContext = (volumeId: string, context: Parameters | undefined): void => {
  const type = context?.[contextKeys.type];
  if (!type) return;
  const expected = volumeTypes[parseVolumeId(volumeId)?.kind === 'file' ? 'file' : 'block'];
  if (type !== expected)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `volume ${volumeId} has the attribute type "${type}", but its handle requires "${expected}"`,
      remedy: `Re-create the PersistentVolume with volumeAttributes.type "${expected}", or without it.`,
    });
};

const sourceOf = (source: CopiedFrom | undefined): VolumeSource | undefined => {
  if (source?.kind === 'volume') {
    const volumeId = requireVolumeId('volume_content_source.volume.volume_id', source.volumeId);
    return { kind: 'volume', volumeId };
  }
  if (source === undefined) return undefined;
  const id = requireField('volume_content_source.snapshot.snapshot_id', source.snapshotId);
  const parsed = parseSnapshotId(id);
  if (!parsed)
    throw new VdoError({
      code: 'SnapshotNotFound',
      message: `${id} is not a snapshot of this driver`,
      remedy: 'Use a VolumeSnapshot whose VolumeSnapshotContent was created by this driver.',
    });
  return { kind: 'snapshot', ...parsed };
};

/** Throws for a request that is invalid or not supported. */
const specOf = (wanted: NewVolume, inTreeDatastoreUrl: string | undefined): CreateVolumeSpec => {
  const name = requireField('name', wanted.name);
  const { shared } = readVolumeAccess(wanted.uses);
  const { datastoreUrl, datastoreName, ...parameters } = readVolumeParameters(wanted.parameters, inTreeDatastoreUrl);
  // A VolumeAttributesClass takes precedence over the StorageClass.
  const { storagePolicyName } = { ...parameters, ...readMutableParameters(wanted.mutableParameters ?? {}) };
  const source = sourceOf(wanted.source);
  const uid = claimUidOf(name);
  return {
    name,
    size: wanted.size,
    ...(shared ? { kind: 'file' as const } : {}),
    ...(datastoreUrl === undefined ? {} : { datastoreUrl }),
    ...(datastoreName === undefined ? {} : { datastoreName }),
    ...(parameters.inTree ? { needsPath: true as const } : {}),
    ...(storagePolicyName === undefined ? {} : { storagePolicyName }),
    ...(source ? { source } : {}),
    ...(parameters.claim && uid ? { claim: { ...parameters.claim, uid } } : {}),
    topologies: wanted.topologies,
    ...(wanted.confirm ? { confirm: wanted.confirm } : {}),
  };
};

/** The information that a volume is empty is used only to decide about formatting. A raw volume is never formatted, so it does not get it. */
const blankContext = ({ blank }: CreatedVolume, { kind }: VolumeAccess): Parameters =>
  blank === undefined || (blank && kind === 'block') ? {} : { [contextKeys.blank]: String(blank) };

export const createVolumeOperations = (deps: VolumeOperationsDeps): VolumeOperations => {
  const { service, own, attachments, shares, expandVolume, modifyVolume, snapshots, publishedNodes } = deps;
  const { placer, policies, vcenters, inTreeDatastoreUrl } = deps;

  const mustFind = async (id: string, context: CallContext, among: Pick<VolumeService, 'find'> = service) => {
    const volume = await among.find(id, context);
    if (!volume) throw volumeNotFound(id);
    return volume;
  };

  return {
    createVolume: async (wanted, context) => {
      const spec = specOf(wanted, inTreeDatastoreUrl);
      const volume = await service.create(spec, context);
      return {
        id: volume.id,
        sizeBytes: mbToBytes(volume.sizeMb),
        context: {
          [contextKeys.type]: volumeTypes[volume.kind],
          ...(spec.needsPath && volume.diskPath ? { [contextKeys.initialPath]: volume.diskPath } : {}),
          ...blankContext(volume, readVolumeAccess(wanted.uses)),
        },
        ...(volume.topology ? { topology: volume.topology } : {}),
      };
    },

    deleteVolume: async (volumeId, context) => service.delete(requireVolumeId('volume_id', volumeId), context),

    controllerPublishVolume: async (wanted, context) => {
      const volumeId = requireVolumeId('volume_id', wanted.volumeId);
      const nodeId = requireField('node_id', wanted.nodeId, { maxBytes: 256 });
      const access = readVolumeAccess([wanted.use]);
      assertContext(volumeId, wanted.volumeContext);
      if (parseVolumeId(volumeId)?.kind === 'file') {
        const share = await mustFind(volumeId, context, own);
        assertServes(share, access);
        const accessPoint = await shares.publish(share, nodeId, access.readOnly || wanted.readOnly, context);
        return { [contextKeys.type]: volumeTypes.file, [contextKeys.accessPoint]: accessPoint };
      }
      const { diskUuid, volume } = await attachments.attach(volumeId, nodeId, context, (found) =>
        assertServes(found, access),
      );
      return {
        [contextKeys.type]: volumeTypes.block,
        [contextKeys.diskUuid]: diskUuid,
        [contextKeys.sizeBytes]: String(mbToBytes(volume.sizeMb)),
      };
    },

    controllerUnpublishVolume: async (on, context) => {
      const volumeId = requireVolumeId('volume_id', on.volumeId);
      const { kind } = parseVolumeId(volumeId) ?? {};
      if (kind === 'block') await attachments.detach(volumeId, on.nodeId, context);
      if (kind !== 'file') return;
      const share = await service.find(volumeId, context);
      // A share that CNS does not list may still grant access to nodes.
      const possible = share ? [share] : vcenters.map(({ server }) => ({ id: volumeId, server }));
      for (const place of possible) await shares.unpublish(place, on.nodeId, context);
    },

    controllerExpandVolume: async ({ volumeId: id, size }, context) => {
      const { sizeMb, kind } = await expandVolume(requireVolumeId('volume_id', id), size, context);
      // The kernel keeps the old size of a disk, also of a raw device, until the node rescans it. The size of a share is known only to the server.
      return { sizeBytes: mbToBytes(sizeMb), nodeExpansionRequired: kind === 'block' };
    },

    controllerModifyVolume: async ({ volumeId: id, mutableParameters }, context) => {
      const volumeId = requireVolumeId('volume_id', id);
      await modifyVolume(volumeId, readMutableParameters(mutableParameters), context);
    },

    validateVolumeCapabilities: async ({ volumeId: id, uses }, context) => {
      const volume = await mustFind(requireVolumeId('volume_id', id), context);
      try {
        assertServes(volume, readVolumeAccess(uses));
        return undefined;
      } catch (error) {
        if (isVdoError(error, 'VolumeCapabilityUnsupported')) return error.message;
        throw error;
      }
    },

    listVolumes: async (request, context) => {
      const isKey = (token: string) => parseVolumeId(token) !== undefined;
      const { entries, nextToken } = pageOf(await service.list(context), ({ id }) => id, { ...request, isKey });
      const published = entries.length > 0 ? await publishedNodes(context) : new Map<string, readonly string[]>();
      const listed = entries.map((volume) => ({
        volumeId: volume.id,
        volume,
        publishedNodeIds: published.get(volume.id) ?? [],
      }));
      return { entries: listed, nextToken };
    },

    controllerGetVolume: async (id, context) => {
      const volume = await mustFind(requireVolumeId('volume_id', id), context);
      const published = await publishedNodes(context);
      return { volumeId: id, volume, publishedNodeIds: published.get(id) ?? [] };
    },

    getCapacity: async ({ uses, parameters, place }, { lifetime: signal }) => {
      const shared = uses.length > 0 && readVolumeAccess(uses).shared;
      const { datastoreUrl, datastoreName, storagePolicyName } = readVolumeParameters(parameters, inTreeDatastoreUrl);
      const where = {
        topologies: Object.keys(place).length > 0 ? [place] : [],
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
        // That no datastore fits is a valid answer here: there is no free space.
        if (isVdoError(error, 'VolumeNoDatastore')) return [];
        throw error;
      });
      const free = datastores.map(({ freeBytes }) => freeBytes);
      return {
        availableBytes: free.reduce((sum, bytes) => sum + bytes, 0n),
        largestBytes: free.reduce((most, bytes) => (bytes > most ? bytes : most), 0n),
      };
    },

    createSnapshot: async ({ name, volumeId }, context) =>
      snapshots.create(requireField('name', name), requireVolumeId('source_volume_id', volumeId), context),

    deleteSnapshot: async (snapshotId, context) =>
      snapshots.delete(requireField('snapshot_id', snapshotId, snapshotIdLimit), context),

    listSnapshots: async ({ snapshotId, volumeId }, context) => {
      if (snapshotId === undefined) return snapshots.list(volumeId, context);
      const one = await snapshots.find(snapshotId, context);
      return one ? [one] : [];
    },
  };
};
