import type { AttemptDeps } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { evidenceFence } from '@vdo/acts/evidence-fence';
import { createCacheProof } from '@vdo/acts/proven-cache';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import { persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import type { ClaimReference, IntentStore, VolumeIntent } from '../../intents/volume-intent.ts';
import { claimUidOf } from '../../volumes/claim-uid.ts';
import type { VolumeService } from '../../volumes/volume.ts';
import type { ClusterInformers } from '../cluster-informers.ts';

export interface AbandonedVolumesDeps {
  readonly kube: KubeClient;
  readonly informers: Pick<ClusterInformers, 'volumes'>;
  readonly volumes: Pick<VolumeService, 'acknowledge' | 'abandon' | 'find'>;
  readonly intents: Pick<IntentStore, 'get' | 'list'>;
  readonly fence: Fence;
  readonly actLog: AttemptDeps['log'];
  readonly soleUse: AttemptDeps['soleUse'];
  readonly clock: Clock;
  readonly random: Random;
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
  const { kube: client, informers, volumes, intents, fence, clock, logger, enqueue } = deps;
  const handles = createCacheProof({ client, clock, informer: informers.volumes, resource: persistentVolumes });

  /** Undefined if somebody has the volume, or asks for it. */
  const proofOfNoOwner = async (
    name: string,
    { namespace, name: claimName, uid }: ClaimReference,
    { volumeId, signal }: { readonly volumeId?: string; readonly signal: AbortSignal },
  ): Promise<Fence | undefined> => {
    const about = { act: 'delete disk', subject: volumeId ?? name, signal };
    const attempt = beginAttempt({ ...deps, client, log: deps.actLog }, about);
    const claim = await attempt.read(persistentVolumeClaims, { namespace, name: claimName });
    if (claim.kind === 'seen' && claim.uid === uid) return undefined;
    const recorded = await attempt.read(persistentVolumes, { name });
    if (recorded.kind === 'seen') return undefined;
    if (volumeId === undefined) return evidenceFence(attempt, [claim, recorded]);
    const having = (await handles.current(attempt, { signal })).byIndex('handle', volumeId);
    return having.objects.length > 0 ? undefined : evidenceFence(attempt, [claim, recorded, having]);
  };

  /** A volume that was handed over, and that no PersistentVolume has. */
  const lookAfterHandedOver = async ({ name, server, claim }: VolumeIntent, volumeId: string, signal: AbortSignal) => {
    const context = { signal, lifetime: signal, fence };
    if (!(await volumes.find(volumeId, context))) await volumes.acknowledge(name, context);
    else if (claim && (await proofOfNoOwner(name, claim, { volumeId, signal })))
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
    else if (intent.handedOver) await lookAfterHandedOver(intent, intent.handedOver, signal);
    else if (!intent.claim) logger.info('an earlier release was creating a volume; its claim is awaited', { name });
    else if (await proofOfNoOwner(name, intent.claim, { signal })) {
      const { claim } = intent;
      await volumes.abandon(name, (volumeId) => proofOfNoOwner(name, claim, { volumeId, signal }), context);
    }
    return undefined;
  };
};
