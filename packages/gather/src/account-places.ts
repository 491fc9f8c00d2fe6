import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { type Account, decodeSecretData, findAccount } from '@vdo/config/credentials';
import { names, upstreamNames } from '@vdo/config/names';
import { readDriverConfig } from '@vdo/config/read-driver-config';

type Data = Readonly<Record<string, string>>;

/** A Secret from which a driver reads its accounts. */
export interface AccountPlace {
  readonly key: { readonly namespace: string; readonly name: string };
  readonly accountIn: (data: Data, server: string) => Account | undefined;
}

type Distribution = VSphereDriversSpec['distribution'];

const bySecretKeys = (data: Data, server: string): Account | undefined => findAccount(data, server).account;

/** The Go driver has its accounts in its configuration file. */
const byConfigFile = (data: Data, server: string): Account | undefined => {
  const text = data[upstreamNames.csiConfigKey];
  if (text === undefined) return undefined;
  try {
    const { vcenters } = readDriverConfig(text, { unknownKeys: 'warn' }).config;
    const credentials = vcenters.find((one) => one.server === server)?.credentials;
    return credentials?.kind === 'inline' ? credentials : undefined;
  } catch {
    // The file is damaged: it contains no account.
    return undefined;
  }
};

/** Where a driver has its accounts, in each distribution, most likely first: its own account, if it has one, before the shared one. */
export const accountPlaces = (
  namespace: string,
  isOwn: boolean,
): Readonly<Record<'cpi' | 'csi', Readonly<Record<Distribution, readonly AccountPlace[]>>>> => {
  const native = (own: string): readonly AccountPlace[] =>
    (isOwn ? [own, names.credentialsSecret] : [names.credentialsSecret, own]).map((name) => ({
      key: { namespace, name },
      accountIn: bySecretKeys,
    }));
  const cloud = { key: { namespace: names.systemNamespace, name: upstreamNames.cpiSecret }, accountIn: bySecretKeys };
  const storage = {
    key: { namespace: names.upstreamCsiNamespace, name: upstreamNames.csiConfigSecret },
    accountIn: byConfigFile,
  };
  return {
    cpi: { Native: native(names.cpiCredentials), Upstream: [cloud, storage] },
    csi: { Native: native(names.csiCredentials), Upstream: [storage, cloud] },
  };
};

/** The account for a server in such a Secret. */
export const accountOf = (
  { accountIn }: AccountPlace,
  secret: { readonly data?: Data } | undefined,
  server: string,
): Account | undefined => secret && accountIn(decodeSecretData(secret.data), server);
