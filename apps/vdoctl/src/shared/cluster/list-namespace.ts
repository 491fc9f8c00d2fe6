import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { nearest } from '@vdo/config/nearest';
import type { KubeClient } from '@vdo/kube/client';
import { namespaces } from '@vdo/kube/types/core';
import type { NamespacedListFlags } from '../../cli/options.ts';

/** Whether the cluster has this namespace, and else the one that was perhaps meant. */
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
    // Who may not list namespaces is believed.
    if (isVdoError(error, 'KubeForbidden')) return 'exists';
    throw error;
  }
};

/** Whose objects a list shows; undefined: those of all namespaces. */
export const namespaceOfList = async (
  kube: KubeClient,
  { namespace, allNamespaces }: Pick<NamespacedListFlags, 'namespace' | 'allNamespaces'>,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (namespace === undefined) return undefined;
  if (allNamespaces) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `--namespace ${namespace} and --all-namespaces contradict each other`,
      remedy: 'Leave one of them out.',
    });
  }
  const found = await nearestNamespace(kube, namespace, signal);
  if (found === 'exists') return namespace;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `the cluster has no namespace ${namespace}`,
    remedy: `${found.similar === undefined ? '' : `Did you mean ${found.similar}? `}Leave --namespace out to see all.`,
  });
};
