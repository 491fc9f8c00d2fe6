import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { type Account, decodeSecretData, findAccount } from '@vdo/config/credentials';
import { names, upstreamNames } from '@vdo/config/names';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';
import type { DriverKind } from '@vdo/releases/matrix';
import { upstreamObjects } from '@vdo/releases/render/upstream/objects';

type Data = Readonly<Record<string, string>>;

interface Place {
  readonly key: { readonly namespace: string; readonly name: string };
  readonly accountIn: (data: Data, server: string) => Account | undefined;
}

const bySecretKeys = (data: Data, server: string): Account | undefined => findAccount(data, server).account;

/** The Go driver has accounts in its configuration file. */
const byConfigFile = (data: Data, server: string): Account | undefined => {
  const text = data[upstreamNames.csiConfigKey];
  if (text === undefined) return undefined;
  try {
    const { vcenters } = readDriverConfig(text, { unknownKeys: 'warn' }).config;
    const credentials = vcenters.find((one) => one.server === server)?.credentials;
    return credentials?.kind === 'inline' ? credentials : undefined;
  } catch {
    // The file is invalid: it has no account.
    return undefined;
  }
};

/** Where a driver has its accounts, in each distribution: its own account first, then the shared one. */
const places = (
  namespace: string,
  isOwn: boolean,
): Readonly<Record<DriverKind, Readonly<Record<VSphereDriversSpec['distribution'], readonly Place[]>>>> => {
  const native = (own: string): readonly Place[] =>
    (isOwn ? [own, names.credentialsSecret] : [names.credentialsSecret, own]).map((name) => ({
      key: { namespace, name },
      accountIn: bySecretKeys,
    }));
  const cloud = { key: { namespace: names.systemNamespace, name: upstreamObjects.cpiSecret }, accountIn: bySecretKeys };
  const storage = {
    key: { namespace: names.upstreamCsiNamespace, name: upstreamNames.csiConfigSecret },
    accountIn: byConfigFile,
  };
  return {
    cpi: { Native: native(names.cpiCredentials), Upstream: [cloud, storage] },
    csi: { Native: native(names.csiCredentials), Upstream: [storage, cloud] },
  };
};

/** The account that a driver of either distribution has for a server; the distribution in the spec first. */
export const findKeptAccount = async (
  kube: KubeClient,
  { server, driver, isOwn }: { readonly server: string; readonly driver: DriverKind; readonly isOwn: boolean },
  options: {
    readonly namespace: string;
    readonly distribution: VSphereDriversSpec['distribution'];
    readonly signal: AbortSignal;
  },
): Promise<Account | undefined> => {
  const { namespace, distribution, signal } = options;
  const { Native, Upstream } = places(namespace, isOwn)[driver];
  for (const { key, accountIn } of distribution === 'Native' ? [...Native, ...Upstream] : [...Upstream, ...Native]) {
    const secret = await kube.find(secrets, key, { signal });
    const account = secret && accountIn(decodeSecretData(secret.data), server);
    if (account) return { username: account.username, password: account.password };
  }
  return undefined;
};
