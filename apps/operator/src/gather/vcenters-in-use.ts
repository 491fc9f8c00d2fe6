import { decodeSecretData } from '@vdo/config/credentials';
import { names, upstreamNames } from '@vdo/config/names';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import type { KubeClient } from '@vdo/kube/client';
import { configMaps, secrets } from '@vdo/kube/types/core';

const serversIn = (text: string | undefined): readonly string[] => {
  if (text === undefined) return [];
  try {
    return readDriverConfig(text, { unknownKeys: 'warn' }).config.vcenters.map(({ server }) => server);
  } catch {
    // The file is invalid: it names no vCenter.
    return [];
  }
};

/** The vCenters that any configuration of the drivers names, of either distribution; empty if none can be read. */
export const readVCentersInUse = async (
  kube: KubeClient,
  { namespace, signal }: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<ReadonlySet<string>> => {
  const native = [names.configMap, names.cpiConfigMap, names.csiConfigMap].map(async (name) => {
    const found = await kube.find(configMaps, { namespace, name }, { signal });
    return serversIn(found?.data?.[names.configKey]);
  });
  const key = { namespace: names.upstreamCsiNamespace, name: upstreamNames.csiConfigSecret };
  const upstream = await kube.find(secrets, key, { signal });
  const found = await Promise.all(native);
  return new Set([...found.flat(), ...serversIn(decodeSecretData(upstream?.data)[upstreamNames.csiConfigKey])]);
};
