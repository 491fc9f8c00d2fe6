import { type ActLog, createActLog } from '@vdo/acts/act-log';
import type { Attempt, AttemptDeps } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import type { Answer, Current, Found } from '@vdo/acts/evidence';
import { createCacheProof } from '@vdo/acts/proven-cache';
import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { annotationKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { Informer } from '@vdo/kube/informer';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { type VolumeSnapshotContent, volumeSnapshotContents } from '@vdo/kube/types/snapshots';
import { type CsiNode, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import type { CallContext } from './call-context.ts';
import type { DeletionPermit } from './permissions.ts';
import { handlesOf } from './volume-id.ts';

/** Caches of the cluster's objects. They decide only what to check; a deletion is decided on evidence. */
export interface ClusterCaches {
  /** Indexes `handle` and `disk`. */
  readonly volumes: Informer<PersistentVolume>;
  /** Indexes `volume` and `handle`. */
  readonly attachments: Informer<VolumeAttachment>;
  readonly csiNodes: Informer<CsiNode>;
}

export interface ClusterEvidenceDeps {
  readonly kube: KubeClient;
  readonly caches: ClusterCaches;
  readonly clock: Clock;
  readonly random: Random;
  /** By default it has its own. */
  readonly actLog?: ActLog;
  readonly soleUse: AttemptDeps['soleUse'];
}

/** The evidence about a volume from the cluster's objects, read during an attempt. */
export interface ClusterEvidence {
  begin(act: string, subject: string, context: CallContext): Attempt;
  /** The PersistentVolumes with a handle, and the VolumeAttachments of the volume. */
  usersOf(attempt: Attempt, volumeId: string, context: CallContext): Promise<VolumeUsers>;
  /**
   * The VolumeSnapshotContents with a handle, or that the cluster does not have this API. Lists all of them: the loop that deletes
   * snapshots has a cache and does not need this.
   */
  contentsWith(attempt: Attempt, handle: string): Promise<ContentsWithHandle>;
  /** All PersistentVolumes as they are now. In a cluster without changes this takes up to two seconds. */
  volumes(attempt: Attempt, context: CallContext): Promise<Current<PersistentVolume>>;
  /**
   * Records in the PersistentVolume that its disk is about to be deleted, and which vCenter has it. Undefined if the PersistentVolume no longer
   * exists; throws KubeConflict if it has changed since it was read.
   */
  permitDeletion(
    attempt: Attempt,
    doomed: { readonly volume: PersistentVolume; readonly instanceUuid: string | undefined },
    context: CallContext,
  ): Promise<DeletionPermit | undefined>;
}

export type ContentsWithHandle = Found<VolumeSnapshotContent> | Answer<'no such API'>;

export interface VolumeUsers {
  readonly holders: Found<PersistentVolume>;
  /** Found by the handle that is stored in them, then by each PersistentVolume of the disk. */
  readonly found: readonly [Found<VolumeAttachment>, ...Found<VolumeAttachment>[]];
  /** Without duplicates. */
  readonly attachments: readonly VolumeAttachment[];
}

const apiAppeared = (): VdoError =>
  new VdoError({
    code: 'EvidenceMissing',
    message: 'the snapshot API was installed while a snapshot was about to be deleted',
    remedy: 'No action needed: the driver reads everything again and retries.',
  });

export const createClusterEvidence = (deps: ClusterEvidenceDeps): ClusterEvidence => {
  const { kube: client, caches, clock, random, soleUse, actLog: log = createActLog() } = deps;
  const volumes = createCacheProof({ client, clock, informer: caches.volumes, resource: persistentVolumes });
  const attachments = createCacheProof({ client, clock, informer: caches.attachments, resource: volumeAttachments });
  const permitDeletion: ClusterEvidence['permitDeletion'] = async (attempt, { volume, instanceUuid }, context) => {
    const { name = '', uid = '', resourceVersion = '' } = volume.metadata;
    const noted = instanceUuid === undefined ? {} : { [annotationKeys.vcenterInstance]: instanceUuid };
    const change = { metadata: { annotations: { [annotationKeys.deletionAttempt]: attempt.id, ...noted } } };
    const written = await attempt
      .readByWriting(persistentVolumes, { key: { name }, uid, resourceVersion }, change)
      .catch((error) => {
        if (isVdoError(error, 'KubeConflict')) caches.volumes.doubt();
        throw error;
      });
    if (written.kind === 'absent') return undefined;
    return { attempt, volume: written, current: await volumes.since(written, { signal: context.lifetime }) };
  };

  const contentsWith: ClusterEvidence['contentsWith'] = async (attempt, handle) => {
    const search = () =>
      attempt.search(volumeSnapshotContents, { index: 'handle', value: handle }, (content) =>
        handlesOf(content).includes(handle),
      );
    try {
      return await search();
    } catch (error) {
      if (!isVdoError(error, 'KubeResourceMissing')) throw error;
    }
    // The API can be installed at any time, so the present answer is needed.
    return attempt.ask('the API of VolumeSnapshotContents', async () => {
      const found = await search().catch((error) => {
        if (!isVdoError(error, 'KubeResourceMissing')) throw error;
      });
      if (found) throw apiAppeared();
      return 'no such API' as const;
    });
  };

  return {
    permitDeletion,
    contentsWith,
    volumes: (attempt, { lifetime: signal }) => volumes.current(attempt, { signal }),
    begin: (act, subject, { fence, lifetime: signal }) =>
      beginAttempt({ client, clock, random, fence, log, soleUse }, { act, subject, signal }),
    usersOf: async (attempt, volumeId, { lifetime: signal }) => {
      const [having, attached] = await Promise.all([
        volumes.current(attempt, { signal }),
        attachments.current(attempt, { signal }),
      ]);
      const holders = having.byIndex('handle', volumeId);
      const ofHolders = holders.objects.map(({ metadata }) => attached.byIndex('volume', metadata.name ?? ''));
      const found = [attached.byIndex('handle', volumeId), ...ofHolders] as const;
      const all = found.flatMap(({ objects }) => objects);
      return { holders, found, attachments: [...new Map(all.map((one) => [one.metadata.name, one])).values()] };
    },
  };
};
