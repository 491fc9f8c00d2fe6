import { configuredClusterId } from '@vdo/config/configured-cluster-id';
import { decodeSecretData } from '@vdo/config/credentials';
import type { IdByDistribution, KeptClusterIds } from '@vdo/config/kept-cluster-ids';
import { names, upstreamNames } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { configMaps, namespaces, secrets } from '@vdo/kube/types/core';

interface Options {
  readonly namespace: string;
  readonly signal: AbortSignal;
}

const byDistribution = (native: string | undefined, upstream: string | undefined): IdByDistribution => ({
  ...(native ? { native } : {}),
  ...(upstream ? { upstream } : {}),
});

const readGiven = async (kube: KubeClient, { namespace, signal }: Options): Promise<IdByDistribution> => {
  const { csiConfigSecret, csiConfigKey } = upstreamNames;
  const [native, upstream] = await Promise.all([
    kube.find(configMaps, { namespace, name: names.configMap }, { signal }),
    kube.find(secrets, { namespace: names.upstreamCsiNamespace, name: csiConfigSecret }, { signal }),
  ]);
  return byDistribution(
    configuredClusterId(native?.data?.[names.configKey]),
    configuredClusterId(decodeSecretData(upstream?.data)[csiConfigKey]),
  );
};

/** The cluster IDs of the drivers of both distributions, so that one continues with the ID of the other. */
export const readClusterIds = async (kube: KubeClient, options: Options): Promise<KeptClusterIds> => {
  const made = async (namespace: string): Promise<string | undefined> => {
    const found = await kube.find(configMaps, { namespace, name: names.csiClusterId }, options);
    return found?.data?.[names.csiClusterIdKey];
  };
  const [native, upstream, given] = await Promise.all([
    made(options.namespace),
    made(names.upstreamCsiNamespace),
    readGiven(kube, options),
  ]);
  const isGiven = Object.keys(given).length > 0;
  const isKnown = isGiven || native !== undefined || upstream !== undefined;
  const system = isKnown ? undefined : await kube.find(namespaces, { name: names.systemNamespace }, options);
  const ofCluster = system?.metadata.uid;
  return {
    ...byDistribution(native, upstream),
    ...(isGiven ? { given } : {}),
    ...(ofCluster === undefined ? {} : { ofCluster }),
  };
};
