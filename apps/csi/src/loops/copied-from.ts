import type { PersistentVolumeClaim } from '@vdo/kube/types/core';

/** The claim that a claim is a copy of, as `namespace/name`; undefined if of none. */
export const copiedFrom = ({ metadata, spec }: PersistentVolumeClaim): string | undefined => {
  const source = spec.dataSourceRef ?? spec.dataSource;
  if (source?.kind !== 'PersistentVolumeClaim' || source.apiGroup) return undefined;
  return `${metadata.namespace ?? ''}/${source.name}`;
};
