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
  /** Asks for another key to be looked at. */
  readonly enqueue: (name: string) => void;
}

/** A creation under way may note its intent after its claim went, when nothing tells of that claim any more. */
const sweepMs = 600_000;

/** Key that stands for all intents there are. */
export const everyIntent = '*';

/**
 * Looks after intents whose claim went away while its volume was being created: nobody will ask for that volume again, so it is deleted,
 * unless a PersistentVolume has it. What was handed over is never deleted, and neither is what an earlier release noted without its
 * claim. Keys are volume names.
 */
export const createAbandonedVolumesSweeper = (deps: AbandonedVolumesDeps): Reconcile => {
  const { kube: client, volumes, evidence, intents, fence, logger, enqueue } = deps;

  /** Undefined if the volume has a PersistentVolume of its name, or its claim asks for it. */
  const proofOfNoOwner = async (name: string, claim: ClaimReference, signal: AbortSignal) => {
    const context = { signal, lifetime: signal, fence };
    const attempt = evidence.begin('delete disk', name, context);
    const { namespace, name: claimName, uid } = claim;
    const asking = await attempt.read(persistentVolumeClaims, { namespace, name: claimName });
    if (asking.kind === 'seen' && asking.uid === uid) return undefined;
    const recorded = await attempt.read(persistentVolumes, { name });
    return recorded.kind === 'seen' ? undefined : { attempt, because: [asking, recorded] };
  };

  /** Undefined also if another PersistentVolume has the disk. */
  const proofForDisk = async (name: string, claim: ClaimReference, volumeId: string, signal: AbortSignal) => {
    const proof = await proofOfNoOwner(name, claim, signal);
    const current = proof && (await evidence.volumes(proof.attempt, { signal, lifetime: signal, fence }));
    if (!current || current.byIndex('handle', volumeId).objects.length > 0) return undefined;
    return { ...proof, current };
  };

  /** A volume that was handed over, and that no PersistentVolume has. */
  const followUpHandedOver = async ({ name, server, claim }: VolumeIntent, volumeId: string, signal: AbortSignal) => {
    const context = { signal, lifetime: signal, fence };
    if (await volumes.isGone(volumeId, context)) await volumes.acknowledge(name, context);
    else if (claim && (await proofForDisk(name, claim, volumeId, signal)))
      logger.warn('a volume that was handed over has neither claim nor PersistentVolume; its disk is kept', {
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
    // Recorded by a leader that did not live to remove the intent.
    if (await client.find(persistentVolumes, { name }, { signal })) await volumes.acknowledge(name, context);
    else if (intent.handedOver) await followUpHandedOver(intent, intent.handedOver, signal);
    else if (!intent.claim) logger.info('an earlier release was creating a volume; its claim is awaited', { name });
    else if (await proofOfNoOwner(name, intent.claim, signal)) {
      const { claim } = intent;
      await volumes.abandon(name, (volumeId) => proofForDisk(name, claim, volumeId, signal), context);
    }
    return undefined;
  };
};
