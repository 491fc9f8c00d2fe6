import { createKeyedLock } from '@vdo/base/async/keyed-lock';
import { raceAbort } from '@vdo/base/async/race-abort';
import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { CnsSnapshot } from '@vdo/vsphere/cns/cns-types';
import { assertOffers } from '../placement/offered.ts';
import type { CallContext } from './call-context.ts';
import { type CsiVCenter, vcenterOf } from './csi-vcenter.ts';
import { createSnapshotDeleter, type SnapshotDeleterDeps } from './delete-snapshot.ts';
import { assertOwn } from './own-volumes.ts';
import { type Asked, type SnapshotOrder, snapshotSettling } from './snapshot-order.ts';
import type { Volume, VolumeService } from './volume.ts';
import { formatSnapshotId, parseSnapshotId } from './volume-id.ts';
import { notForShares, volumeNotFound } from './volume-not-found.ts';

export interface Snapshot {
  /** `<volume>+<snapshot>`. */
  readonly id: string;
  readonly volumeId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly sizeMb: bigint;
}

/** Snapshots of volumes. All operations are idempotent. */
export interface SnapshotService {
  /** Creates the snapshot, or finds the one that an earlier call created. */
  create(name: string, volumeId: string, context: CallContext): Promise<Snapshot>;
  /** It is not an error if the snapshot does not exist. */
  delete(id: string, context: CallContext): Promise<void>;
  /** Undefined if there is none with this ID. */
  find(id: string, context: CallContext): Promise<Snapshot | undefined>;
  /** The snapshots of one volume, or of all volumes of this cluster; oldest first. */
  list(volumeId: string | undefined, context: CallContext): Promise<readonly Snapshot[]>;
}

/** Maximum number of snapshots per volume; it can depend on the kind of datastore. */
export interface SnapshotLimits {
  readonly maxPerVolume: number;
  readonly maxPerVolumeVsan?: number;
  readonly maxPerVolumeVvol?: number;
}

/** The URL of a datastore contains its kind: `ds:///vmfs/volumes/vsan:52…/`, `ds:///vmfs/volumes/vvol:…/`. */
const limitFor = ({ datastoreUrl }: Volume, limits: SnapshotLimits): number => {
  if (datastoreUrl.includes('/vsan:')) return limits.maxPerVolumeVsan ?? limits.maxPerVolume;
  if (datastoreUrl.includes('/vvol:')) return limits.maxPerVolumeVvol ?? limits.maxPerVolume;
  return limits.maxPerVolume;
};

export interface SnapshotServiceDeps extends SnapshotDeleterDeps {
  readonly volumes: Pick<VolumeService, 'find' | 'isGone' | 'list'>;
  readonly order: SnapshotOrder;
  readonly limits: SnapshotLimits;
}

const takenBefore = (name: string, volumeId: string): VdoError =>
  new VdoError({
    code: 'VolumeConflict',
    message: `a snapshot named ${name} already exists for volume ${volumeId}`,
    remedy: 'Use another name, or delete that snapshot first.',
  });

const limitReached = (volumeId: string, count: number, limit: number): VdoError =>
  new VdoError({
    code: 'SnapshotLimitReached',
    message: `volume ${volumeId} has ${count} snapshots, but only ${limit} are allowed`,
    remedy: 'Delete snapshots that are no longer needed, or raise csi.snapshots.maxPerVolume (at most 32).',
  });

/** A call that failed before it sent a request says nothing about earlier requests. */
const inDoubt = (cause: unknown): VdoError => {
  const { code, message, remedy, retry, details } = toVdoError(cause);
  return new VdoError({ code, message, remedy, retry, details, effect: 'unknown', cause });
};

const toSnapshot = (snapshot: CnsSnapshot, { sizeMb }: Pick<Volume, 'sizeMb'>): Snapshot => ({
  id: formatSnapshotId({ volumeId: snapshot.volumeId, snapshotId: snapshot.id }),
  volumeId: snapshot.volumeId,
  name: snapshot.description,
  createdAt: snapshot.createTime,
  sizeMb,
});

const byAge = (left: Snapshot, right: Snapshot): number =>
  left.createdAt.getTime() - right.createdAt.getTime() || (left.id < right.id ? -1 : 1);

/** Snapshots with CNS, which stores the CSI name as the description of a snapshot. */
export const createSnapshotService = (deps: SnapshotServiceDeps): SnapshotService => {
  const { vcenters, volumes, clusterId, order, limits } = deps;
  const deleter = createSnapshotDeleter(deps);
  const locks = createKeyedLock();
  // Names are unique in the cluster, but vCenter cannot search by name. So all names are read once and then kept up to date.
  let names: Map<string, string> | undefined;

  const operationsOf = (volume: Volume): CsiVCenter['cns'] => vcenterOf(vcenters, volume).cns;
  const ofVolume = async (volume: Volume, signal: AbortSignal): Promise<readonly Snapshot[]> => {
    const found = await operationsOf(volume).querySnapshots({ volumeId: volume.id }, { signal });
    return found.map((snapshot) => toSnapshot(snapshot, volume)).sort(byAge);
  };
  const ofAll = async (context: CallContext): Promise<readonly Snapshot[]> => {
    const own = new Map((await volumes.list(context)).map((volume) => [volume.id, volume]));
    const answers = await Promise.all(
      vcenters.map((vcenter) => vcenter.cns.querySnapshots({}, { signal: context.lifetime })),
    );
    return answers
      .flat()
      .flatMap((snapshot) => {
        const volume = own.get(snapshot.volumeId);
        return volume ? [toSnapshot(snapshot, volume)] : [];
      })
      .sort(byAge);
  };

  /** When the volume is deleted, earlier requests for its snapshots no longer matter. */
  const withoutVolume = async (name: string, volumeId: string, asked: Asked, context: CallContext) => {
    if (asked === 'may come') return snapshotSettling(name);
    if (asked === 'certain' && !(await volumes.isGone(volumeId, context))) return snapshotSettling(name);
    await order.settle(name, context.lifetime);
    return volumeNotFound(volumeId);
  };

  const take = async (name: string, volume: Volume, asked: Asked, context: CallContext): Promise<Snapshot> => {
    const { lifetime: signal } = context;
    const existing = await ofVolume(volume, signal);
    const earlier = existing.find((snapshot) => snapshot.name === name);
    if (!earlier && asked === 'may come') throw snapshotSettling(name);
    if (earlier) return earlier;
    if (asked === 'certain') await order.settle(name, signal);
    names ??= new Map((await ofAll(context)).map((snapshot) => [snapshot.name, snapshot.volumeId]));
    const other = names.get(name);
    if (other !== undefined && other !== volume.id) throw takenBefore(name, other);
    const limit = limitFor(volume, limits);
    if (existing.length >= limit) throw limitReached(volume.id, existing.length, limit);
    const snapshot = await order.take(name, volume, context);
    names.set(name, volume.id);
    return toSnapshot(snapshot, volume);
  };

  const create = async (name: string, volumeId: string, asked: Asked, context: CallContext): Promise<Snapshot> => {
    const volume = await volumes.find(volumeId, context);
    if (!volume) throw await withoutVolume(name, volumeId, asked, context);
    assertOwn(volume, clusterId);
    if (volume.kind === 'file') throw notForShares(volumeId, 'given a snapshot');
    await assertOffers(vcenterOf(vcenters, volume), 'snapshots', { signal: context.lifetime });
    const snapshot = await take(name, volume, asked, context);
    await order.settle(name, context.lifetime);
    return snapshot;
  };

  return {
    create: (name, volumeId, context) =>
      raceAbort(
        locks.join(volumeId, `create ${name}`, async () => {
          const asked = await order.earlier(name, context.lifetime).catch((error) => {
            throw inDoubt(error);
          });
          return create(name, volumeId, asked, context).catch((error) => {
            throw order.isNoted(name) ? inDoubt(error) : error;
          });
        }),
        context.signal,
      ),
    delete: async (id, context) => {
      const parsed = parseSnapshotId(id);
      if (!parsed) return;
      await locks.join(parsed.volumeId, `delete ${id}`, async () => {
        const { permitSnapshotDeletion: permit } = context;
        const isMeant = (snapshot: CnsSnapshot) => snapshot.id === parsed.snapshotId;
        const reason = permit ? deleter.permitted(permit) : deleter.asked;
        const doomed = { ...parsed, isMeant, isSure: permit !== undefined, reason };
        const deleted = await deleter.delete(doomed, context);
        if (deleted) names?.delete(deleted.name);
      });
    },
    find: async (id, context) => {
      const parsed = parseSnapshotId(id);
      const volume = parsed && (await volumes.find(parsed.volumeId, context));
      if (!volume) return undefined;
      return (await ofVolume(volume, context.lifetime)).find((snapshot) => snapshot.id === id);
    },
    list: async (volumeId, context) => {
      if (volumeId === undefined) return ofAll(context);
      const volume = await volumes.find(volumeId, context);
      return volume ? ofVolume(volume, context.lifetime) : [];
    },
  };
};
