import type { Random } from '@vdo/base/random';
import { isVdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { type ConfigMap, configMaps, namespaces } from '@vdo/kube/types/core';

export interface ClusterIdOptions {
  /** From a flag or the configuration; always takes precedence. */
  readonly configured: string | undefined;
  readonly kube: Pick<KubeClient, 'find' | 'create' | 'get'>;
  readonly namespace: string;
  readonly random: Random;
  readonly signal: AbortSignal;
}

// The same name as in the Go driver, so that a cluster that changes drivers keeps its ID.
const name = names.csiClusterId;
const key = names.csiClusterIdKey;

const idOf = (object: ConfigMap): string | undefined => object.data?.[key];

/**
 * The cluster ID under which volumes of this cluster are registered. If none is configured, the UID of the namespace kube-system is used and
 * stored in the cluster. The UID stays the same even if the drivers and all their objects are removed.
 */
export const resolveClusterId = async (options: ClusterIdOptions): Promise<string> => {
  const { configured, kube, namespace, random, signal } = options;
  if (configured) return configured;
  const existing = await kube.find(configMaps, { namespace, name }, { signal });
  const id = existing && idOf(existing);
  if (id) return id;
  const system = await kube.find(namespaces, { name: names.systemNamespace }, { signal });
  const made: ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data: { [key]: system?.metadata.uid ?? random.uuid() },
    immutable: true,
  };
  try {
    return idOf(await kube.create(configMaps, made, { signal })) ?? '';
  } catch (error) {
    // Another replica has stored it first.
    if (!isVdoError(error, 'KubeAlreadyExists')) throw error;
    return idOf(await kube.get(configMaps, { namespace, name }, { signal })) ?? '';
  }
};
