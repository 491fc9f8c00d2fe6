import { isVdoError } from '@vdo/base/vdo-error';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { decodeSecretData } from '@vdo/config/credentials';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { configMaps, secrets } from '@vdo/kube/types/core';
import { type Deployment, deployments } from '@vdo/kube/types/workloads';

/** What every migration reads from the cluster. */
export interface ClusterFacts {
  readonly kubernetesVersion: string;
  /** The kind VSphereDrivers exists. */
  readonly hasCrd: boolean;
  readonly resource?: VSphereDrivers;
  readonly operator?: Deployment;
  /** The operator of upstream VDO. */
  readonly upstreamOperator?: Deployment;
  /** Secret → its decoded content, for existing Secrets. */
  readonly accounts: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** The operator's inventory of applied objects exists. */
  readonly hasInventory: boolean;
}

const findResource = async (kube: KubeClient, signal: AbortSignal) => {
  try {
    return { resource: await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal }), hasCrd: true };
  } catch (error) {
    if (isVdoError(error, 'KubeResourceMissing')) return { resource: undefined, hasCrd: false };
    throw error;
  }
};

export const readClusterFacts = async (
  kube: KubeClient,
  options: { readonly namespace: string; readonly secretNames: readonly string[]; readonly signal: AbortSignal },
): Promise<ClusterFacts> => {
  const { namespace, secretNames, signal } = options;
  const call = { signal };
  const [kubernetesVersion, { resource, hasCrd }, operator, all, inventory, ...stored] = await Promise.all([
    kube.serverVersion(call),
    findResource(kube, signal),
    kube.find(deployments, { namespace, name: names.operator }, call),
    kube.list(deployments, { ...call, fieldSelector: `metadata.name=${names.upstreamOperator}` }),
    kube.find(configMaps, { namespace, name: names.inventory }, call),
    ...secretNames.map((name) => kube.find(secrets, { namespace, name }, call)),
  ]);
  const [upstreamOperator] = all.items.filter(({ metadata }) => metadata.name === names.upstreamOperator);
  return {
    kubernetesVersion,
    hasCrd,
    ...(resource ? { resource } : {}),
    ...(operator ? { operator } : {}),
    ...(upstreamOperator ? { upstreamOperator } : {}),
    accounts: new Map(
      stored.flatMap((secret) =>
        secret ? [[secret.metadata.name ?? '', decodeSecretData(secret.data)] as const] : [],
      ),
    ),
    hasInventory: inventory !== undefined,
  };
};

export const replicasOf = (deployment: Deployment | undefined): number | null =>
  deployment ? (deployment.spec.replicas ?? 1) : null;
