import { VdoError } from '@vdo/base/vdo-error';
import type { CnsSnapshot, SnapshotSource } from '@vdo/vsphere/cns/cns-types';
import type { IntentStore } from '../intents/volume-intent.ts';
import { assertOffers } from '../placement/offered.ts';
import type { CallContext } from './call-context.ts';
import { type CsiVCenter, vcenterOf } from './csi-vcenter.ts';
import { createSnapshotDeleter, type DoomedSnapshot, type SnapshotDeleterDeps } from './delete-snapshot.ts';
import { assertMayCopy } from './own-volumes.ts';
import { createRegisterAgain, type RegisterAgainDeps } from './register-again.ts';
import { type SnapshotOrder, snapshotSettling } from './snapshot-order.ts';
import type { Volume, VolumeSource } from './volume.ts';
import { parseVolumeId } from './volume-id.ts';
import { findVolume, type VolumeLocator } from './volume-locator.ts';
import { notForShares, volumeNotFound } from './volume-not-found.ts';

export interface VolumeSources {
  /** The volume that is copied; throws VolumeNotFound, SnapshotNotFound, or VolumeForeign if another cluster owns it. */
  volumeOf(source: VolumeSource, context: CallContext): Promise<Volume>;
  /** The snapshot to copy from. For a volume, a temporary snapshot is created, or found from an earlier attempt. */
  prepare(name: string, source: VolumeSource, original: Volume, context: CallContext): Promise<SnapshotSource>;
  /** Removes the temporary snapshot of the copy. */
  cleanUp(name: string, originalId: string, context: CallContext): Promise<void>;
}

export interface VolumeSourcesDeps extends SnapshotDeleterDeps, RegisterAgainDeps {
  readonly locator: VolumeLocator;
  readonly intents: Pick<IntentStore, 'get'>;
  readonly order: SnapshotOrder;
  /** Whether a PersistentVolume of this cluster refers to the volume. */
  readonly isDeclared: (volume: Volume) => boolean;
}

const snapshotNotFound = (volumeId: string, snapshotId: string): VdoError =>
  new VdoError({
    code: 'SnapshotNotFound',
    message: `volume ${volumeId} has no snapshot ${snapshotId}`,
    remedy: 'Use a VolumeSnapshot that still exists in vCenter.',
  });

/** Marks the snapshots that exist only while a volume is copied. */
const temporary = (name: string): string => `vdo-copy:${name}`;

/** CNS can copy only snapshots. So a copy of a volume uses an internal temporary snapshot. */
export const createVolumeSources = (deps: VolumeSourcesDeps): VolumeSources => {
  const { vcenters, locator, clusterId, evidence, intents, order } = deps;
  const deleter = createSnapshotDeleter(deps);
  const registerAgain = createRegisterAgain(deps);

  const find = async (id: string, signal: AbortSignal): Promise<Volume | undefined> =>
    parseVolumeId(id) ? findVolume(locator, id, { signal }) : undefined;
  const operationsOf = (volume: Volume): CsiVCenter['cns'] => vcenterOf(vcenters, volume).cns;
  const temporaryOf = async (name: string, volume: Volume, signal: AbortSignal) => {
    const snapshots = await operationsOf(volume).querySnapshots({ volumeId: volume.id }, { signal });
    return snapshots.filter(({ description }) => description === temporary(name));
  };

  /**
   * The intent of the copy for which the temporary snapshot was created. If it no longer exists, or is from an older release, the snapshot
   * must belong to a volume that is registered by this cluster alone.
   */
  const reasonOf =
    (name: string, { lifetime: signal }: CallContext): DoomedSnapshot['reason'] =>
    async (attempt, { id, snapshot }) => {
      const holders = await evidence.contentsWith(attempt, id);
      const intent = await attempt.ask(`the intent of ${name}`, () => intents.get(name, { signal }));
      const instanceUuid = intent.value?.instanceUuid;
      if (instanceUuid === undefined) {
        const ground = { kind: 'request', what: `the copy ${name}` } as const;
        return { holders, ground: { seen: snapshot, ground } };
      }
      // The copy is handed over, not the temporary snapshot.
      const made = { name: temporary(name), clusterId, instanceUuid, handedOver: false };
      return { holders, ground: { seen: intent, ground: { kind: 'intent', ...made } } };
    };

  return {
    volumeOf: async (source, { lifetime: signal }) => {
      const volume = await find(source.volumeId, signal);
      if (!volume && source.kind === 'volume') throw volumeNotFound(source.volumeId);
      if (volume?.kind === 'file') throw notForShares(volume.id, 'copied');
      if (!volume) throw snapshotNotFound(source.volumeId, source.kind === 'snapshot' ? source.snapshotId : '');
      await assertOffers(vcenterOf(vcenters, volume), 'snapshots', { signal });
      assertMayCopy(volume, source.kind === 'snapshot' ? source.snapshotId : undefined, deps);
      if (source.kind === 'volume') return volume;
      const { volumeId, snapshotId } = source;
      const found = await operationsOf(volume).querySnapshots({ volumeId, snapshotId }, { signal });
      if (found.length === 0) throw snapshotNotFound(volumeId, snapshotId);
      return volume;
    },
    prepare: async (name, source, original, context) => {
      const { lifetime: signal } = context;
      if (source.kind === 'snapshot') return { volumeId: source.volumeId, snapshotId: source.snapshotId };
      const isComing = (await order.earlier(temporary(name), signal)) === 'may come';
      const [earlier] = await temporaryOf(name, original, signal);
      if (!earlier && isComing) throw snapshotSettling(temporary(name));
      const taken = earlier ?? (await order.take(temporary(name), original, context));
      return { volumeId: original.id, snapshotId: taken.id };
    },
    cleanUp: async (name, originalId, context) => {
      if (!parseVolumeId(originalId)) return;
      const isMeant = ({ description }: CnsSnapshot) => description === temporary(name);
      const doomed = { volumeId: originalId, isMeant, isSure: true, reason: reasonOf(name, context) };
      const isComing = (await order.earlier(temporary(name), context.lifetime)) === 'may come';
      // One is created per copy, but a lost reply may have left a second one.
      let deleted = await deleter.delete(doomed, context).catch(async (error: unknown) => {
        // If the PersistentVolume of the original no longer exists, nothing else registers the original again, and what the copy left could never be found.
        await registerAgain(vcenters, error, context);
        return deleter.delete(doomed, context);
      });
      if (!deleted && isComing) throw snapshotSettling(temporary(name));
      while (deleted && deleted.left > 0) deleted = await deleter.delete(doomed, context);
      await order.settle(temporary(name), context.lifetime);
    },
  };
};
