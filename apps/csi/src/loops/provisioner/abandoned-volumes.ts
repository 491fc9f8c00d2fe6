import type { Fence } from '@vdo/base/fence';
import type { Logger } from '@vdo/base/logger';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import { persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import type { ClaimReference, IntentStore, VolumeIntent } from '../../intents/volume-intent.ts';
import type { ClusterEvidence } from '../../volumes/cluster-evidence.ts';
import type { VolumeService } from '../../volumes/volume.ts';
import { claimUidOf } from '../../volumes/volume-id.ts';

export interface AbandonedVolumesDeps {
  readonly kube: KubeClient;
  readonly volumes: Pick<VolumeService, 'acknowledge' | 'abandon' | 'isGone'>;
  readonly evidence: Pick<ClusterEvidence, 'begin' | 'volumes'>;
  readonly intents: Pick<IntentStore, 'get' | 'list'>;
  readonly fence: Fence;
  readonly logger: Logger;
  /** Queues another key. */
  readonly enqueue: (name: string) => void;
}

/** A creation in progress may write its intent after its claim was deleted, when no event for that claim comes any more. */
const sweepMs = 600_000;

/** Key that means all existing intents. */
export const everyIntent = '*';

/**
 * Cleans up intents whose claim was deleted while its volume was being created. No one will request that volume again, so it is deleted,
 * unless a PersistentVolume uses it. A volume that was handed over is never deleted, and neither is one whose intent was written by an
 * earlier release without the claim. Keys are volume names.
 */
export const createAbandonedVolumesSweeper = (deps: AbandonedVolumesDeps): Reconcile => {
  const { kube: client, volumes, evidence, intents, fence, logger, enqueue } = deps;

  /** Undefined if there is a PersistentVolume of this name, or the claim still requests the volume. */
  const proofOfNoOwner = async (name: string, claim: ClaimReference, signal: AbortSignal) => {
    const context = { signal, lifetime: signal, fence };
    const attempt = evidence.begin('delete disk', name, context);
    const { namespace, name: claimName, uid } = claim;
    const asking = await attempt.read(persistentVolumeClaims, { namespace, name: claimName });
    if (asking.kind === 'seen' && asking.uid === uid) return undefined;
    const recorded = await attempt.read(persistentVolumes, { name });
    return recorded.kind === 'seen' ? undefined : { attempt, because: [asking, recorded] };
  };

  /** Also undefined if another PersistentVolume uses the disk. */
  const proofForDisk = async (name: string, claim: ClaimReference, volumeId: string, signal: AbortSignal) => {
    const proof = await proofOfNoOwner(name, claim, signal);
    const current = proof && (await evidence.volumes(proof.attempt, { signal, lifetime: signal, fence }));
    if (!current || current.byIndex('handle', volumeId).objects.length > 0) return undefined;
    return { ...proof, current };
  };

  /** A volume that was handed over, but that no PersistentVolume uses. */
  const followUpHandedOver = async ({ name, server, claim }: VolumeIntent, volumeId: string, signal: AbortSignal) => {
    const context = { signal, lifetime: signal, fence };
    if (await volumes.isGone(volumeId, context)) await volumes.acknowledge(name, context);
    else if (claim && (await proofForDisk(name, claim, volumeId, signal)))
      logger.warn('a volume that was handed over has no claim and no PersistentVolume; its disk is kept', {
        name,
        server,
        volumeId,
      });
  };

  return async (name, { signal }) => {
    if (name === everyIntent) {
      for (const intent of await intents.list({ signal })) enqueue(intent.name);
      return { requeueAfterMs: sweepMs };
    }
    if (claimUidOf(name) === undefined) return undefined;
    const context = { signal, lifetime: signal, fence };
    const intent = await intents.get(name, { signal });
    if (!intent || intent.of) return undefined;
    // The volume was recorded by a leader that stopped before it removed the intent.
    if (await client.find(persistentVolumes, { name }, { signal })) await volumes.acknowledge(name, context);
    else if (intent.handedOver) await followUpHandedOver(intent, intent.handedOver, signal);
    else if (!intent.claim) logger.info('an earlier release was creating a volume; waiting for its claim', { name });
    else if (await proofOfNoOwner(name, intent.claim, signal)) {
      const { claim } = intent;
      await volumes.abandon(name, (volumeId) => proofForDisk(name, claim, volumeId, signal), context);
    }
    return undefined;
  };
};
