import type { Informer } from '@vdo/kube/informer';
import type { PersistentVolume, Pod } from '@vdo/kube/types/core';
import type { ClusterInformers } from '../cluster-informers.ts';
import { claimsOf } from './pod-informer.ts';
import { isOurs } from './volume-view.ts';

export interface DirtyVolumesOptions {
  readonly informers: Pick<ClusterInformers, 'claims' | 'volumes'>;
  readonly pods: Informer<Pod>;
  readonly onDirty: (name: string) => void;
  readonly onGone: (volume: PersistentVolume) => void;
}

/**
 * Reports the PersistentVolumes whose metadata in vCenter must change because a volume, a claim or a pod changed from now on. Existing
 * differences are found by the full sync. Returns a function that ends the reports.
 */
export const followVolumes = ({ informers, pods, onDirty, onGone }: DirtyVolumesOptions): (() => void) => {
  let isPast = true;
  const ofClaim = (key: string): void => {
    const name = informers.claims.get(key)?.spec.volumeName;
    if (name !== undefined) onDirty(name);
  };
  const unsubscribe = [
    informers.volumes.onChange(({ type, object }) => {
      if (isPast || !isOurs(object)) return;
      if (type === 'deleted') onGone(object);
      else onDirty(object.metadata.name ?? '');
    }),
    informers.claims.onChange(({ object }) => {
      if (!isPast && object.spec.volumeName !== undefined) onDirty(object.spec.volumeName);
    }),
    pods.onChange(({ object, previous }) => {
      if (isPast) return;
      for (const key of new Set([...claimsOf(object), ...(previous ? claimsOf(previous) : [])])) ofClaim(key);
    }),
  ];
  isPast = false;
  return () => {
    for (const stop of unsubscribe) stop();
  };
};
