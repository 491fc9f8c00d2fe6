import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from '@vdo/kube/types/core';
import type { Arrival, World } from './world.ts';

export interface WishedClaim {
  readonly name: string;
  readonly uid: string;
  sizeGi: number;
  /** What it is a copy of; nothing of that may go before it is bound. */
  readonly from?: string;
  /** A file share, which several nodes may have. */
  readonly shared?: true;
  deleted?: true;
}

export interface WishedSnapshot {
  readonly name: string;
  readonly claim: WishedClaim;
  readonly sizeGi: number;
  deleted?: true;
  /** Its handle, once it was seen ready. */
  handle?: string;
}

export interface WishedAttachment {
  readonly name: string;
  readonly volume: string;
  readonly node: string;
  deleted?: true;
}

/**
 * What the users of a PersistentVolume have decided about its disk. `wanted`: its claim is in use. `kept`: released with policy Retain.
 * `may go`: released with policy Delete.
 */
export interface Fate {
  readonly uid: string;
  readonly name: string;
  readonly handle: string;
  state: 'wanted' | 'kept' | 'may go';
  sinceMs: number;
  /** A user took the object away by force: nothing can be asked of its disk but that it was not lost. */
  forced?: true;
}

const isWanted = ({ deleted }: { readonly deleted?: true }): boolean => !deleted;

/** How old the evidence of an act may be; a user who changes his mind later than that is too late. */
const evidenceLivesMs = 5_000;

/** What the users want by now. Learns of PersistentVolumes as they are written, and judges every deletion as it arrives. */
export const createTruth = (world: World) => {
  const all = { claims: [] as WishedClaim[], snapshots: [] as WishedSnapshot[], attachments: [] as WishedAttachment[] };
  const fates = new Map<string, Fate>();
  const deletions: Arrival[] = [];
  const violations: string[] = [];
  let count = 0;

  const claimOf = ({ spec }: PersistentVolume): PersistentVolumeClaim | undefined =>
    world.list(persistentVolumeClaims).find(({ metadata }) => metadata.uid === spec.claimRef?.uid);
  const stateOf = (volume: PersistentVolume): Fate['state'] => {
    const claim = claimOf(volume);
    if (claim && claim.metadata.deletionTimestamp === undefined) return 'wanted';
    return volume.spec.persistentVolumeReclaimPolicy === 'Retain' ? 'kept' : 'may go';
  };
  world.kubeSim().store.onChange(({ type, bucket, object }) => {
    if (bucket !== '/persistentvolumes' || type !== 'ADDED') return;
    const volume = object as unknown as PersistentVolume;
    const { uid = '', name = '' } = volume.metadata;
    const handle = volume.spec.csi?.volumeHandle ?? '';
    fates.set(uid, { uid, name, handle, state: stateOf(volume), sinceMs: world.nowMs() });
  });
  const fatesOf = (handle: string) => [...fates.values()].filter((fate) => fate.handle === handle);
  world.onArrival((arrival) => {
    if (arrival.method !== 'CnsDeleteVolume') return;
    deletions.push(arrival);
    for (const handle of arrival.ids)
      for (const { name, state, sinceMs } of fatesOf(handle))
        if (state !== 'may go' && arrival.sentMs > sinceMs + evidenceLivesMs)
          violations.push(
            `retain: ${arrival.identity} sent the deletion of disk ${handle}, which is ${state} by ${name} since ${sinceMs} ms`,
          );
  });

  return {
    all,
    violations,
    fates: () => [...fates.values()],
    fatesOf,
    /** Whether a deletion was on its way when the user changed his mind. */
    wasTooLate: ({ handle, sinceMs }: Fate) =>
      deletions.some(({ ids, sentMs }) => ids.includes(handle) && sentMs <= sinceMs + evidenceLivesMs),
    /** The users have decided: called when a claim is deleted or a policy changed. */
    decide: (volume: PersistentVolume, state: Fate['state']) => {
      const fate = fates.get(volume.metadata.uid ?? '');
      if (fate && fate.state !== state) Object.assign(fate, { state, sinceMs: world.nowMs() });
    },
    forget: (volume: PersistentVolume) => void fates.delete(volume.metadata.uid ?? ''),
    force: (volume: PersistentVolume) => {
      const fate = fates.get(volume.metadata.uid ?? '');
      if (fate) fate.forced = true;
    },
    claims: () => all.claims.filter(isWanted),
    snapshots: () => all.snapshots.filter(isWanted),
    attachments: () => all.attachments.filter(isWanted),
    /** The PersistentVolume of a claim, once both say that they are bound. */
    volumeOf: ({ uid }: WishedClaim): PersistentVolume | undefined =>
      world
        .list(persistentVolumes)
        .find(({ spec, status }) => spec.claimRef?.uid === uid && status?.phase === 'Bound' && isBound(world, uid)),
    snapshotsOf: (claim: WishedClaim) => all.snapshots.filter((one) => isWanted(one) && one.claim === claim),
    /** A claim that is not bound yet is to be a copy of it, or a snapshot of it is not taken yet. */
    isNeeded: (name: string) =>
      all.claims.some((one) => isWanted(one) && one.from === name && !isBound(world, one.uid)) ||
      all.snapshots.some((one) => isWanted(one) && one.claim.name === name && one.handle === undefined),
    named: (kind: string): string => {
      count += 1;
      return `${kind}-${count}`;
    },
  };
};

const isBound = (world: World, uid: string): boolean =>
  world.list(persistentVolumeClaims).find(({ metadata }) => metadata.uid === uid)?.status?.phase === 'Bound';

export type Truth = ReturnType<typeof createTruth>;
