import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumeClaims } from '@vdo/kube/types/core';
import { namespaceOfList } from '../../shared/cluster/list-namespace.ts';
import type { VolumesFlags } from './command.ts';

/** Whether the flags select a claim (NAMESPACE/NAME). Orphans have no claim: they belong to all namespaces. */
export const claimFilter = async (
  kube: KubeClient,
  flags: Pick<VolumesFlags, 'namespace' | 'selector' | 'allNamespaces'>,
  signal: AbortSignal,
): Promise<(claim: string | null) => boolean> => {
  const { selector } = flags;
  const namespace = await namespaceOfList(kube, flags, signal);
  if (selector !== undefined) {
    const where = namespace === undefined ? {} : { namespace };
    const { items } = await kube.list(persistentVolumeClaims, { ...where, labelSelector: selector, signal });
    const found = new Set(items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
    return (claim) => claim !== null && found.has(claim);
  }
  if (namespace === undefined) return () => true;
  return (claim) => claim?.startsWith(`${namespace}/`) ?? false;
};
