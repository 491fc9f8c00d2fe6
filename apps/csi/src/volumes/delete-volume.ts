import type { Attempt } from '@vdo/acts/attempt';
import { deleteDisk } from '@vdo/acts/disks/delete-disk';
import type { Answer, Current, Evidence } from '@vdo/acts/evidence';
import type { Logger } from '@vdo/base/logger';
import { VdoError } from '@vdo/base/vdo-error';
import { annotationKeys } from '@vdo/config/names';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { VolumeIntent } from '../intents/volume-intent.ts';
import type { CallContext } from './call-context.ts';
import type { ClusterCaches, ClusterEvidence } from './cluster-evidence.ts';
import type { CsiVCenter } from './csi-vcenter.ts';
import type { AbandonProof, DeletionPermit, Whereabouts } from './permissions.ts';
import { createRegisterAgain, type RegisterAgainDeps } from './register-again.ts';
import type { Sight } from './sight.ts';
import { cnsNameOf, parseVolumeId } from './volume-id.ts';
import { createWhereabouts, whereaboutsUnknown } from './whereabouts.ts';
import { explainingSnapshots } from './with-snapshots.ts';

export interface DeleteVolumeDeps extends RegisterAgainDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly clusterId: string;
  readonly evidence: ClusterEvidence;
  readonly caches: ClusterCaches;
  readonly sight: Pick<Sight, 'assertNoDisk'>;
  readonly logger: Logger;
}

const changed = (id: string): VdoError =>
  new VdoError({
    code: 'EvidenceMissing',
    message: `the PersistentVolume of volume ${id} was deleted while the volume was about to be deleted`,
    remedy: 'No action needed: the driver reads everything again and retries.',
  });

const stillBound = (id: string, { metadata, spec }: PersistentVolume): VdoError =>
  new VdoError({
    code: 'VolumesInUse',
    message: `volume ${id} is not deleted: PersistentVolume ${metadata.name} uses it and is bound to claim ${spec.claimRef?.namespace}/${spec.claimRef?.name}`,
    remedy: 'Delete the claim first.',
  });

const stillAttached = (id: string, attachments: readonly VolumeAttachment[]): VdoError => {
  const nodes = attachments.map(({ spec }) => spec.nodeName).join(', ');
  return new VdoError({
    code: 'VolumesInUse',
    message: `file share ${id} is not deleted: it is attached to ${nodes}`,
    remedy: 'It is deleted as soon as it is detached. If the node no longer exists, delete its Node object.',
  });
};

const isId = (id: string): boolean => ['block', 'file'].includes(parseVolumeId(id)?.kind ?? '');

const pathOf = (diskPath: string | undefined): string | undefined => diskPath?.split('/').at(-1);

/** Deletes disks and shares, on evidence that they belong to this cluster and that nothing uses them. */
export const createVolumeDeleter = (deps: DeleteVolumeDeps) => {
  const { vcenters, clusterId, evidence, caches, sight, logger } = deps;
  const owner = { clusterId, isOnlyVCenter: vcenters.length === 1 };
  const whereabouts = createWhereabouts(deps);
  const registerAgain = createRegisterAgain(deps);

  /**
   * A vCenter that was restored from a backup does not know a volume that was created after the backup, but the disk still exists. The disk is
   * registered again and `failure` is thrown, so that the next attempt deletes it.
   */
  const assertNoDisk = async (id: string, { server }: CsiVCenter, context: CallContext): Promise<void> => {
    if (parseVolumeId(id)?.kind !== 'block') return;
    await sight.assertNoDisk({ id, server, signal: context.lifetime }).catch(async (failure: unknown) => {
      await registerAgain(vcenters, failure, context);
      throw failure;
    });
  };

  /** The PersistentVolumes that refer to a volume by its ID, by its known handle, or by the path of its disk. */
  const holdersOf = (current: Current<PersistentVolume>, { volume }: Whereabouts, handles: readonly string[]) => {
    const [first = '', ...others] = [...new Set(handles)];
    const file = pathOf(volume.value?.diskPath);
    const byPath = file === undefined ? [] : [current.byIndex('disk', file)];
    return [
      current.byIndex('handle', first),
      ...others.map((one) => current.byIndex('handle', one)),
      ...byPath,
    ] as const;
  };

  /** Checks that no node uses the share. vCenter does not delete a disk that is attached to a VM, but it does not know which nodes mount a share. */
  const unusedShare = async (id: string, attempt: Attempt, context: CallContext): Promise<readonly Evidence[]> => {
    if (parseVolumeId(id)?.kind !== 'file') return [];
    const { found, attachments } = await evidence.usersOf(attempt, id, context);
    if (attachments.length > 0) throw stillAttached(id, attachments);
    return found;
  };

  const deletePermitted = async (
    id: string,
    { attempt, volume, current }: DeletionPermit,
    where: Whereabouts,
    context: CallContext,
  ) => {
    const also = await unusedShare(id, attempt, context);
    const { vcenter, identity, volume: shown } = where;
    const { object, uid } = volume;
    const ground = {
      kind: 'object',
      what: `PersistentVolume ${object.metadata.name}`,
      uid,
      policy: object.spec.persistentVolumeReclaimPolicy,
      instanceUuid: object.metadata.annotations?.[annotationKeys.vcenterInstance],
    } as const;
    const holders = holdersOf(current, where, [id, object.spec.csi?.volumeHandle ?? id]);
    const pieces = { vcenter: identity, volume: shown, holders, ground: { seen: volume, ground }, also };
    const wasThere = await deleteDisk(attempt, {
      vcenter,
      volumeId: id,
      evidence: pieces,
      owner,
      operationId: context.fence.operationId,
    });
    if (!wasThere) await assertNoDisk(id, vcenter, context);
  };

  /** For an external caller, which holds its own Lease. While a PersistentVolume refers to the volume, an empty answer of CNS does not prove that it was deleted. */
  const deleteAsked = async (id: string, context: CallContext): Promise<void> => {
    const { lifetime: signal } = context;
    const attempt = evidence.begin('delete disk', id, context);
    const byHandle = caches.volumes.byIndex('handle', id)[0];
    const noted = byHandle?.metadata.annotations?.[annotationKeys.vcenterInstance];
    const where = await whereabouts(attempt, { id, noted }, signal);
    const file = pathOf(where?.volume.value?.diskPath);
    const volume = byHandle ?? (file === undefined ? undefined : caches.volumes.byIndex('disk', file)[0]);
    if (volume) {
      if (!where) throw whereaboutsUnknown(id, 'no vCenter lists it, and it was not recorded which vCenter had it');
      const { instanceUuid } = where.identity.value;
      const permit = await evidence.permitDeletion(attempt, { volume, instanceUuid }, context);
      if (!permit) throw changed(id);
      if (permit.volume.object.status?.phase === 'Bound') throw stillBound(id, permit.volume.object);
      await explained(id, deletePermitted(id, permit, where, context), where, signal);
      return;
    }
    if (!where?.volume.value) {
      logger.info('a volume that nothing uses is not in vCenter, so it counts as deleted', { volumeId: id });
      return;
    }
    const holders = holdersOf(await evidence.volumes(attempt, context), where, [id]);
    const ground = { kind: 'request', what: 'a call of DeleteVolume' } as const;
    const also = await unusedShare(id, attempt, context);
    const pieces = {
      vcenter: where.identity,
      volume: where.volume,
      holders,
      ground: { seen: where.volume, ground },
      also,
    };
    const asked = {
      vcenter: where.vcenter,
      volumeId: id,
      evidence: pieces,
      owner,
      operationId: context.fence.operationId,
    };
    const deleting = deleteDisk(attempt, asked);
    await explained(id, deleting, where, signal);
  };

  const explained = <T>(volumeId: string, deleting: Promise<T>, { vcenter }: Whereabouts, signal: AbortSignal) =>
    explainingSnapshots(deleting, { vcenter, volumeId, what: 'deleted', signal });

  return {
    whereabouts,
    /** Returns when the volume no longer exists. */
    delete: async (id: string, context: CallContext): Promise<void> => {
      const { permission, lifetime: signal } = context;
      // A path without a disk, or a handle that never was a volume.
      if (!isId(id)) return;
      if (!permission) {
        await deleteAsked(id, context);
        return;
      }
      const { annotations } = permission.volume.object.metadata;
      const noted = annotations?.[annotationKeys.vcenterInstance];
      const where = permission.where ?? (await whereabouts(permission.attempt, { id, noted }, signal));
      if (!where) throw whereaboutsUnknown(id, 'no vCenter lists it, and it was not recorded which vCenter had it');
      await explained(id, deletePermitted(id, permission, where, context), where, signal);
    },
    /** Deletes the volume of an unfinished creation. */
    abandon: async (
      intent: VolumeIntent,
      id: string,
      made: AbandonProof & { readonly seen: Answer<unknown>; readonly context: CallContext },
    ) => {
      const { attempt, current, because, seen, context } = made;
      const { lifetime: signal } = context;
      const { instanceUuid, handedOver } = intent;
      const where = await whereabouts(attempt, { id, noted: instanceUuid }, signal);
      if (!where) return;
      const { vcenter, identity, volume } = where;
      const isHandedOver = handedOver !== undefined;
      const name = cnsNameOf(intent.name);
      const ground = { kind: 'intent', name, clusterId, instanceUuid, handedOver: isHandedOver } as const;
      const holders = holdersOf(current, where, [id]);
      const pieces = { vcenter: identity, volume, holders, ground: { seen, ground }, also: because };
      const disk = { vcenter, volumeId: id, evidence: pieces, owner, operationId: context.fence.operationId };
      const wasThere = await deleteDisk(attempt, disk);
      if (!wasThere) await assertNoDisk(id, vcenter, context);
    },
  };
};
