import type { Fence } from '@vdo/base/fence';
import type { Reconcile } from '@vdo/kube/controller';
import type { IntentStore } from '../../intents/volume-intent.ts';
import type { VolumeService } from '../../volumes/volume.ts';
import type { ClusterInformers } from '../cluster-informers.ts';

export interface AbandonedVolumesDeps {
  readonly informers: ClusterInformers;
  readonly volumes: Pick<VolumeService, 'acknowledge' | 'abandon'>;
  readonly intents: Pick<IntentStore, 'list'>;
  readonly fence: Fence;
  /** Asks for another key to be looked at. */
  readonly enqueue: (name: string) => void;
}

/** The claim a volume's name stands for; undefined for volumes that others asked for. */
const claimUidOf = (volumeName: string): string | undefined => /^pvc-([0-9a-f-]{36})$/.exec(volumeName)?.[1];

/** A creation under way may note its intent after its claim went, when nothing tells of that claim any more. */
const sweepMs = 600_000;

/** Key that stands for all intents there are. */
export const everyIntent = '*';

/**
 * Looks after intents whose claim went away while its volume was being created: nobody will ask for that volume again, so it is deleted,
 * unless a PersistentVolume has it. Keys are volume names.
 */
export const createAbandonedVolumesSweeper = (deps: AbandonedVolumesDeps): Reconcile => {
  const { informers, volumes, intents, fence, enqueue } = deps;
  return async (name, { signal }) => {
    if (name === everyIntent) {
      for (const intent of await intents.list({ signal })) enqueue(intent.name);
      return { requeueAfterMs: sweepMs };
    }
    const uid = claimUidOf(name);
    if (uid === undefined) return undefined;
    const context = { signal, lifetime: signal, fence };
    // Recorded by a leader that did not live to remove the intent.
    if (informers.volumes.get(name)) await volumes.acknowledge(name, context);
    else if (informers.claims.byIndex('uid', uid).length === 0)
      await volumes.abandon(name, (id) => informers.volumes.byIndex('handle', id).length > 0, context);
    return undefined;
  };
};
