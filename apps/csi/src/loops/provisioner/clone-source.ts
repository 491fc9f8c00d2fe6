import type { AttemptDeps } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { removeFinalizer } from '@vdo/acts/objects/remove-finalizer';
import { createCacheProof } from '@vdo/acts/proven-cache';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Random } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import { addFinalizer, hasFinalizer } from '@vdo/kube/finalizers';
import { type PersistentVolumeClaim, persistentVolumeClaims } from '@vdo/kube/types/core';
import type { ClusterInformers } from '../cluster-informers.ts';

/** Keeps a claim while copies of it are being made; the name is the upstream provisioner's. */
const finalizer = 'provisioner.storage.kubernetes.io/cloning-protection';

export interface SourceReleaserDeps {
  readonly kube: KubeClient;
  readonly informers: Pick<ClusterInformers, 'claims'>;
  readonly fence: Fence;
  readonly actLog: AttemptDeps['log'];
  readonly soleUse: AttemptDeps['soleUse'];
  readonly clock: Clock;
  readonly random: Random;
}

/** Whether a claim is kept for its copies. */
export const isProtected = (claim: PersistentVolumeClaim): boolean => hasFinalizer(claim, finalizer);

export const protectSource = async (kube: KubeClient, claim: PersistentVolumeClaim, signal: AbortSignal) => {
  await addFinalizer(kube, persistentVolumeClaims, claim, { finalizer, signal });
};

const isBeingMade = ({ metadata, status }: PersistentVolumeClaim): boolean =>
  status?.phase !== 'Bound' && !metadata.deletionTimestamp;

/** Lets a claim go when all copies of it are made. */
export const createSourceReleaser = ({ kube, informers, ...deps }: SourceReleaserDeps): Reconcile => {
  const { claims } = informers;
  const { clock, random, fence, soleUse, actLog: log } = deps;
  const proof = createCacheProof({ client: kube, clock, informer: claims, resource: persistentVolumeClaims });
  return async (key, { signal }) => {
    const claim = claims.get(key);
    if (!claim || !isProtected(claim) || claims.byIndex('source', key).some(isBeingMade)) return undefined;
    const { name = '', namespace = '', uid } = claim.metadata;
    const attempt = beginAttempt(
      { client: kube, clock, random, fence, log, soleUse },
      { act: 'let the source of copies go', subject: key, signal },
    );
    const copies = (await proof.current(attempt, { signal })).byIndex('source', key);
    const seen = await attempt.read(persistentVolumeClaims, { name, namespace });
    if (seen.kind === 'absent' || seen.uid !== uid || copies.objects.some(isBeingMade)) return undefined;
    await removeFinalizer(attempt, seen, { finalizer, because: [copies] });
    return undefined;
  };
};
