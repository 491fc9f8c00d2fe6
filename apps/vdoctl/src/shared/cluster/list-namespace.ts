import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { nearest } from '@vdo/config/nearest';
import type { KubeClient } from '@vdo/kube/client';
import { namespaces } from '@vdo/kube/types/core';
import type { NamespacedListFlags } from '../../cli/options.ts';

/** Whether the namespace exists; if not, a similar name. */
export const nearestNamespace = async (
  kube: KubeClient,
  name: string,
  signal: AbortSignal,
): Promise<'exists' | { readonly similar: string | undefined }> => {
  try {
    const { items } = await kube.list(namespaces, { signal });
    const all = items.map(({ metadata }) => metadata.name ?? '');
    return all.includes(name) ? 'exists' : { similar: nearest(name, all) };
  } catch (error) {
    // Without permission to list namespaces, assume that it exists.
    if (isVdoError(error, 'KubeForbidden')) return 'exists';
    throw error;
  }
};

/** The namespace of a list; undefined: all namespaces. */
export const namespaceOfList = async (
  kube: KubeClient,
  { namespace, allNamespaces }: Pick<NamespacedListFlags, 'namespace' | 'allNamespaces'>,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (namespace === undefined) return undefined;
  if (allNamespaces) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `--namespace ${namespace} and --all-namespaces cannot be used together`,
      remedy: 'Use only one of them.',
    });
  }
  const found = await nearestNamespace(kube, namespace, signal);
  if (found === 'exists') return namespace;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `namespace ${namespace} does not exist in the cluster`,
    remedy: `${found.similar === undefined ? '' : `Did you mean ${found.similar}? `}Without --namespace, all namespaces are listed.`,
  });
};
