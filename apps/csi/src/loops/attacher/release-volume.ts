import { type ActLog, createActLog } from '@vdo/acts/act-log';
import type { AttemptDeps } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { removeFinalizer } from '@vdo/acts/objects/remove-finalizer';
import { createCacheProof } from '@vdo/acts/proven-cache';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Random } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import { hasFinalizer, isBeingDeleted } from '@vdo/kube/finalizers';
import { persistentVolumes } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import type { ClusterInformers } from '../cluster-informers.ts';
import { attacherFinalizer } from './decide-attachment.ts';

export interface ReleaseVolumeDeps {
  readonly kube: KubeClient;
  readonly informers: ClusterInformers;
  readonly fence: Fence;
  readonly clock: Clock;
  readonly random: Random;
  readonly soleUse: AttemptDeps['soleUse'];
  /** By default it has its own. */
  readonly actLog?: ActLog;
}

/** Removes the finalizer of a PersistentVolume that is being deleted after everything is detached. */
export const createVolumeReleaser = (deps: ReleaseVolumeDeps): Reconcile => {
  const { kube, informers, clock, random, fence, soleUse, actLog: log = createActLog() } = deps;
  const { volumes, attachments } = informers;
  const proof = createCacheProof({ client: kube, clock, informer: attachments, resource: volumeAttachments });
  return async (key, { signal }) => {
    const volume = volumes.get(key);
    if (!volume || !isBeingDeleted(volume) || !hasFinalizer(volume, attacherFinalizer)) return undefined;
    if (attachments.byIndex('volume', key).length > 0) return undefined;
    const attempt = beginAttempt(
      { client: kube, clock, random, fence, log, soleUse },
      { act: 'let PersistentVolume go', subject: key, signal },
    );
    const users = (await proof.current(attempt, { signal })).byIndex('volume', key);
    const seen = await attempt.read(persistentVolumes, { name: key });
    if (seen.kind === 'absent' || seen.uid !== volume.metadata.uid || users.objects.length > 0) return undefined;
    await removeFinalizer(attempt, seen, { finalizer: attacherFinalizer, because: [users] });
    return undefined;
  };
};
