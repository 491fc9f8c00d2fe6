import { VdoError } from '@vdo/base/vdo-error';
import { type Account, decodeSecretData, findAccount } from '@vdo/config/credentials';
import type { DriverConfig, VCenterConfig } from '@vdo/config/driver-config';
import { names, upstreamNames } from '@vdo/config/names';
import type { Problem } from '@vdo/config/problems';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import type { KubeClient } from '@vdo/kube/client';
import { configMaps, secrets } from '@vdo/kube/types/core';
import { type DriverWorkload, readDriverWorkloads } from './driver-workloads.ts';

/** The settings of one of the drivers. */
export interface FoundConfig {
  readonly config: DriverConfig;
  readonly warnings: readonly Problem[];
  /** `Secret vmware-system-csi/vsphere-config-secret`. */
  readonly source: string;
  /** Server → account. */
  readonly accounts: ReadonlyMap<string, Account>;
}

export interface DriversFacts {
  readonly workloads: readonly DriverWorkload[];
  readonly cpi?: FoundConfig;
  readonly csi?: FoundConfig;
}

interface Volume {
  readonly configMap?: { readonly name?: string };
  readonly secret?: { readonly secretName?: string };
}

const volumesOf = ({ workload }: DriverWorkload): readonly Volume[] =>
  ((workload.spec.template.spec as { volumes?: readonly Volume[] }).volumes ?? []) as readonly Volume[];

const isSettings = (text: string): boolean =>
  ['[virtualcenter', 'vcenter:', '[global]', 'global:'].some((word) => text.toLowerCase().includes(word));

/** Finds the settings in a ConfigMap or Secret; the file name differs between charts. */
const settingsIn = (data: Readonly<Record<string, string>>): string | undefined =>
  data[upstreamNames.csiConfigKey] ?? data[names.configKey] ?? Object.values(data).find(isSettings);

const accountOf = async (
  kube: KubeClient,
  { server, credentials }: VCenterConfig,
  fallback: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<Account | undefined> => {
  const { namespace, signal } = fallback;
  if (credentials.kind === 'inline') return credentials;
  const place = credentials.kind === 'secret' ? credentials : { namespace, name: upstreamNames.cpiSecret };
  const secret = await kube.find(secrets, { namespace: place.namespace, name: place.name }, { signal });
  return findAccount(decodeSecretData(secret?.data), server).account;
};

const readConfig = async (
  kube: KubeClient,
  workload: DriverWorkload,
  signal: AbortSignal,
): Promise<FoundConfig | undefined> => {
  const { namespace } = workload;
  for (const { configMap, secret } of volumesOf(workload)) {
    const name = configMap?.name ?? secret?.secretName;
    if (name === undefined) continue;
    const data = configMap
      ? (await kube.find(configMaps, { namespace, name }, { signal }))?.data
      : decodeSecretData((await kube.find(secrets, { namespace, name }, { signal }))?.data);
    const text = settingsIn(data ?? {});
    if (text === undefined) continue;
    const source = `${configMap ? 'ConfigMap' : 'Secret'} ${namespace}/${name}`;
    const { config, warnings } = readDriverConfig(text, { unknownKeys: 'warn', source, driver: workload.driver });
    const accounts = new Map<string, Account>();
    for (const vcenter of config.vcenters) {
      const account = await accountOf(kube, vcenter, { namespace, signal });
      if (account) accounts.set(vcenter.server, account);
    }
    return { config, warnings: warnings.filter(({ field }) => !/password|user/i.test(field ?? '')), source, accounts };
  }
  return undefined;
};

/** The Go drivers that run in the cluster, and their settings. */
export const readDriversFacts = async (kube: KubeClient, signal: AbortSignal): Promise<DriversFacts> => {
  const workloads = await readDriverWorkloads(kube, signal);
  const find = async (driver: DriverWorkload['driver']): Promise<FoundConfig | undefined> => {
    const mine = workloads.filter((one) => one.driver === driver);
    for (const workload of mine) {
      const found = await readConfig(kube, workload, signal);
      if (found) return found;
    }
    if (mine.length === 0) return undefined;
    throw new VdoError({
      code: 'ConfigMissing',
      message: `${mine.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`).join(', ')}: none of the mounted ConfigMaps and Secrets contains the settings of the driver`,
      remedy:
        'Create the resource with vdoctl configure instead. The operator also takes over the running drivers then.',
    });
  };
  const [cpi, csi] = [await find('cpi'), await find('csi')];
  return { workloads, ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) };
};
