import { type ActLog, createActLog } from '@vdo/acts/act-log';
import type { Attempt, AttemptDeps } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import type { Found } from '@vdo/acts/evidence';
import { createCacheProof } from '@vdo/acts/proven-cache';
import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import type { CallContext } from '@vdo/csi-proto/rpc/call-context';
import type { KubeClient } from '@vdo/kube/client';
import type { Informer } from '@vdo/kube/informer';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { type CsiNode, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';

/** What the domain sees of the cluster. It chooses what to look at; what is destroyed is decided on proof. */
export interface ClusterCaches {
  /** Index `handle`. */
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
  /** Default: one of its own. */
  readonly actLog?: ActLog;
  readonly soleUse: AttemptDeps['soleUse'];
}

/** What the objects of the cluster say of a volume, as far as an attempt has read them. */
export interface ClusterEvidence {
  begin(act: string, subject: string, context: CallContext): Attempt;
  /** The PersistentVolumes with a handle, and the VolumeAttachments of the volume. */
  usersOf(attempt: Attempt, volumeId: string, context: CallContext): Promise<VolumeUsers>;
}

export interface VolumeUsers {
  readonly holders: Found<PersistentVolume>;
  /** By the handle that is noted with them, then by each of the holders. */
  readonly found: readonly [Found<VolumeAttachment>, ...Found<VolumeAttachment>[]];
  /** Each of them once. */
  readonly attachments: readonly VolumeAttachment[];
}

export const createClusterEvidence = (deps: ClusterEvidenceDeps): ClusterEvidence => {
  const { kube: client, caches, clock, random, soleUse, actLog: log = createActLog() } = deps;
  const volumes = createCacheProof({ client, clock, informer: caches.volumes, resource: persistentVolumes });
  const attachments = createCacheProof({ client, clock, informer: caches.attachments, resource: volumeAttachments });
  return {
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
