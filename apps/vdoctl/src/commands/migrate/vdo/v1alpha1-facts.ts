import { isVdoError } from '@vdo/base/vdo-error';
import { configuredClusterId } from '@vdo/config/configured-cluster-id';
import { type Account, decodeSecretData, findAccount } from '@vdo/config/credentials';
import { apiGroups, names, upstreamNames } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';

/** The kinds of upstream VDO (v1alpha1), which this operator does not serve. */
export interface V1alpha1Config extends KubeObject {
  readonly spec: {
    readonly cloudProvider?: {
      readonly vsphereCloudConfigs?: readonly string[];
      readonly topology?: { readonly zone?: string; readonly region?: string };
    };
    readonly storageProvider?: {
      readonly vsphereCloudConfig?: string;
      readonly clusterDistribution?: string;
      readonly customKubeletPath?: string;
      readonly fileVolumes?: {
        readonly vsanDataStoreUrl?: readonly string[];
        readonly netPermissions?: readonly {
          readonly ips: string;
          readonly permissions?: string;
          readonly rootSquash?: boolean;
        }[];
      };
    };
  };
}

export interface V1alpha1VCenter extends KubeObject {
  readonly spec: {
    readonly vcIp: string;
    readonly insecure?: boolean;
    readonly credentials: string;
    readonly thumbprint?: string;
    readonly datacenters?: readonly string[];
  };
}

const v1alpha1 = { group: apiGroups.vdo, version: 'v1alpha1', namespaced: true } as const;
export const v1alpha1Configs: Resource<V1alpha1Config> = { ...v1alpha1, plural: 'vdoconfigs', kind: 'VDOConfig' };
export const v1alpha1VCenters: Resource<V1alpha1VCenter> = {
  ...v1alpha1,
  plural: 'vspherecloudconfigs',
  kind: 'VsphereCloudConfig',
};

/** Upstream VDO stored accounts there, and for its drivers also their configuration. */
const secretNamespaces = [names.systemNamespace, names.upstreamCsiNamespace] as const;

export interface V1alpha1Facts {
  readonly configs: readonly V1alpha1Config[];
  readonly vcenters: readonly V1alpha1VCenter[];
  /** VsphereCloudConfig name → account. */
  readonly accounts: ReadonlyMap<string, Account>;
  /** The cluster ID of the running storage driver. */
  readonly clusterId?: string;
}

/** Undefined if the kind does not exist in the cluster. */
const unlessMissing = async <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    throw error;
  });

const readAccounts = async (
  kube: KubeClient,
  vcenters: readonly V1alpha1VCenter[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Account>> => {
  const found = new Map<string, Account>();
  for (const { metadata, spec } of vcenters)
    for (const namespace of [secretNamespaces[0], metadata.namespace ?? '']) {
      const secret = await kube.find(secrets, { namespace, name: spec.credentials }, { signal });
      const { account } = findAccount(decodeSecretData(secret?.data), spec.vcIp);
      if (account && !found.has(metadata.name ?? '')) found.set(metadata.name ?? '', account);
    }
  return found;
};

const readClusterId = async (kube: KubeClient, signal: AbortSignal): Promise<string | undefined> => {
  const { csiConfigSecret: name, csiConfigKey } = upstreamNames;
  for (const namespace of secretNamespaces) {
    const secret = await kube.find(secrets, { namespace, name }, { signal });
    const id = configuredClusterId(decodeSecretData(secret?.data)[csiConfigKey]);
    if (id !== undefined) return id;
  }
  return undefined;
};

/** Reads the configuration of upstream VDO, and the objects that it created. */
export const readV1alpha1Facts = async (kube: KubeClient, signal: AbortSignal): Promise<V1alpha1Facts> => {
  const call = { signal };
  const [configs, vcenters] = await Promise.all([
    unlessMissing(kube.list(v1alpha1Configs, call)),
    unlessMissing(kube.list(v1alpha1VCenters, call)),
  ]);
  const clusterId = await readClusterId(kube, signal);
  return {
    configs: configs?.items ?? [],
    vcenters: vcenters?.items ?? [],
    accounts: await readAccounts(kube, vcenters?.items ?? [], signal),
    ...(clusterId === undefined ? {} : { clusterId }),
  };
};
