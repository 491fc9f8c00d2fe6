import type { PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import type { CnsEntityMetadata } from '@vdo/vsphere/cns/cns-types';

/** A pod as far as volumes are concerned. */
export interface PodName {
  readonly name: string;
  readonly namespace: string;
}

export type EntityChange = CnsEntityMetadata & { readonly remove?: boolean };

/** The metadata that vCenter shows for a volume: the PersistentVolume, its claim, and the pods that use the claim. */
export const entitiesOf = (
  volume: PersistentVolume,
  claim: PersistentVolumeClaim | undefined,
  pods: readonly PodName[],
): readonly CnsEntityMetadata[] => {
  const own = { kind: 'PERSISTENT_VOLUME', name: volume.metadata.name ?? '' } as const;
  const shown: CnsEntityMetadata = { ...own, labels: volume.metadata.labels ?? {} };
  if (!claim) return [shown];
  const { name = '', namespace = '', labels = {} } = claim.metadata;
  const used = { kind: 'PERSISTENT_VOLUME_CLAIM', name, namespace } as const;
  return [
    shown,
    { ...used, labels, references: [own] },
    ...pods.map((pod) => ({ kind: 'POD' as const, ...pod, references: [used] })),
  ];
};

const nameOf = ({ kind, namespace = '', name }: CnsEntityMetadata): string => `${kind}/${namespace}/${name}`;

const contentOf = ({ labels = {}, references = [] }: CnsEntityMetadata): string =>
  JSON.stringify([
    Object.entries(labels).sort(),
    references.map(({ kind, namespace = '', name }) => `${kind}/${namespace}/${name}`).sort(),
  ]);

/** What has to be sent so that vCenter has `wanted` instead of `shown`: new, changed and deleted objects. */
export const entityChanges = (
  wanted: readonly CnsEntityMetadata[],
  shown: readonly CnsEntityMetadata[],
): readonly EntityChange[] => {
  const before = new Map(shown.map((entity) => [nameOf(entity), contentOf(entity)]));
  const after = new Set(wanted.map(nameOf));
  return [
    ...wanted.filter((entity) => before.get(nameOf(entity)) !== contentOf(entity)),
    ...shown
      .filter((entity) => !after.has(nameOf(entity)))
      .map(({ kind, name, namespace }) => ({ kind, name, ...(namespace ? { namespace } : {}), remove: true })),
  ];
};

/** `wanted`, and what vCenter has in addition. */
export const withShown = (
  wanted: readonly CnsEntityMetadata[],
  shown: readonly CnsEntityMetadata[],
): readonly CnsEntityMetadata[] => {
  const named = new Set(wanted.map(nameOf));
  return [...wanted, ...shown.filter((entity) => !named.has(nameOf(entity)))];
};
