import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import { addFinalizer, hasFinalizer, removeFinalizer } from '@vdo/kube/finalizers';
import { type PersistentVolumeClaim, persistentVolumeClaims } from '@vdo/kube/types/core';
import type { ClusterInformers } from '../cluster-informers.ts';

/** Keeps a claim while copies of it are being made; the name is the upstream provisioner's. */
const finalizer = 'provisioner.storage.kubernetes.io/cloning-protection';

/** The claim that a claim is a copy of, as `namespace/name`; undefined if of none. */
export const copiedFrom = ({ metadata, spec }: PersistentVolumeClaim): string | undefined => {
  const source = spec.dataSourceRef ?? spec.dataSource;
  if (source?.kind !== 'PersistentVolumeClaim' || source.apiGroup) return undefined;
  return `${metadata.namespace ?? ''}/${source.name}`;
};

/** Whether a claim is kept for its copies. */
export const isProtected = (claim: PersistentVolumeClaim): boolean => hasFinalizer(claim, finalizer);

export const protectSource = async (kube: KubeClient, claim: PersistentVolumeClaim, signal: AbortSignal) => {
  await addFinalizer(kube, persistentVolumeClaims, claim, { finalizer, signal });
};

/** Lets a claim go when all copies of it are made. */
export const createSourceReleaser =
  (deps: { readonly kube: KubeClient; readonly informers: Pick<ClusterInformers, 'claims'> }): Reconcile =>
  async (key, { signal }) => {
    const { kube, informers } = deps;
    const claim = informers.claims.get(key);
    if (!claim || !isProtected(claim)) return undefined;
    const copying = informers.claims
      .list()
      .some((copy) => copiedFrom(copy) === key && copy.status?.phase !== 'Bound' && !copy.metadata.deletionTimestamp);
    if (!copying) await removeFinalizer(kube, persistentVolumeClaims, claim, { finalizer, signal });
    return undefined;
  };
