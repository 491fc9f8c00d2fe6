import { type PersistentVolume, persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import type { StoreSnapshot } from '@vdo/kube-sim/store/store';
import type { Truth } from './truth.ts';
import { slotNames, type World } from './world.ts';

const pollMs = 15_000;
const watchedMs = 900_000;

/** What the cluster itself says may go: released, with policy Delete. */
const mayGo = (world: World): ReadonlySet<string> => {
  const claims = new Map(world.list(persistentVolumeClaims).map(({ metadata }) => [metadata.uid, metadata]));
  const isReleased = ({ spec }: PersistentVolume) => {
    const claim = claims.get(spec.claimRef?.uid);
    return claim === undefined || claim.deletionTimestamp !== undefined;
  };
  return new Set(
    world
      .list(persistentVolumes)
      .filter((volume) => volume.spec.persistentVolumeReclaimPolicy === 'Delete' && isReleased(volume))
      .map(({ spec }) => spec.csi?.volumeHandle ?? ''),
  );
};

/**
 * The cluster is restored from an etcd snapshot, and the programs are started anew, as the guide says. What users wanted or kept before
 * is there still, whatever the restored cluster knows of it.
 */
export const restoreCluster = async (
  world: World,
  truth: Truth,
  { snapshot, atMs }: { readonly snapshot: StoreSnapshot; readonly atMs: number },
): Promise<readonly string[]> => {
  const wanted = truth.fates().filter(({ state, handle }) => state !== 'may go' && world.hasDisk(handle));
  for (const { program } of world.slots.values()) program.kill();
  world.kubeSim().dropWatches();
  world.restore(snapshot);
  const released = mayGo(world);
  const kept = wanted.filter(({ handle }) => !released.has(handle));
  for (const slot of slotNames) world.start(slot);
  world.coverage.note('restored', 'cluster');
  for (let passedMs = 0; passedMs < watchedMs; passedMs += pollMs) {
    await world.clock.advance(pollMs);
    const lost = [
      ...kept
        .filter(({ handle }) => !world.hasDisk(handle))
        .map(({ handle, name, state }) => `${handle} of ${name}, which was ${state}`),
      ...[...world.foreignDisks].filter((id) => !world.hasDisk(id)).map((id) => `${id}, which another cluster made`),
    ];
    if (lost.length > 0)
      return lost.map((disk) => `disk lost after the cluster was restored as of ${atMs / 1000} s: ${disk}`);
  }
  return [];
};
