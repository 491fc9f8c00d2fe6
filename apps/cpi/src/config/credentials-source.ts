import { scryptSync } from 'node:crypto';
import { VdoError } from '@vdo/base/vdo-error';
import { type Account, decodeSecretData, readAccount } from '@vdo/config/credentials';
import type { CredentialsRef, VCenterConfig } from '@vdo/config/driver-config';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';
import type { Credentials, CredentialsSource } from '@vdo/vsphere/vcenter';

export interface CredentialsSourceOptions {
  readonly client: Pick<KubeClient, 'find'>;
  /** File names and contents of a folder; undefined when there is none. */
  readonly readDirectory: (path: string) => Promise<Readonly<Record<string, string>> | undefined>;
}

// The version is remembered and logged: it must not lead back to the password, not even by trying many.
const versionOf = ({ username, password }: Account): string =>
  scryptSync(password, `vdo:${username}`, 12, { N: 4096 }).toString('base64url');

const keysOf = (server: string): readonly [string, string] => [`${server}.username`, `${server}.password`];

const secretMissing = (ref: Extract<CredentialsRef, { kind: 'secret' }>, server: string): VdoError => {
  const [username, password] = keysOf(server);
  return new VdoError({
    code: 'SecretMissing',
    message: `Secret ${ref.namespace}/${ref.name} with the account for vCenter ${server} does not exist`,
    remedy: `kubectl create secret generic ${ref.name} --namespace ${ref.namespace} --from-literal='${username}=<user>@vsphere.local' --from-literal='${password}=<password>'`,
    details: { namespace: ref.namespace, name: ref.name, server },
  });
};

const directoryMissing = (path: string, server: string): VdoError => {
  const [username, password] = keysOf(server);
  return new VdoError({
    code: 'SecretMissing',
    message: `folder ${path} with the account for vCenter ${server} does not exist`,
    remedy: `Mount a Secret with the keys ${username} and ${password} there, or set secretName and secretNamespace in vsphere.conf.`,
    details: { path, server },
  });
};

/** Reads a vCenter's account wherever the configuration says, at each login: a rotated one is used at once. */
export const createCredentialsSource =
  (vcenter: Pick<VCenterConfig, 'server' | 'credentials'>, options: CredentialsSourceOptions): CredentialsSource =>
  async ({ signal }): Promise<Credentials> => {
    const { server, credentials: ref } = vcenter;
    if (ref.kind === 'inline') return { username: ref.username, password: ref.password, version: versionOf(ref) };
    if (ref.kind === 'directory') {
      const data = await options.readDirectory(ref.path);
      if (!data) throw directoryMissing(ref.path, server);
      const account = readAccount({ data, server, source: `folder ${ref.path}` });
      return { ...account, version: versionOf(account) };
    }
    const { namespace, name } = ref;
    const secret = await options.client.find(secrets, { namespace, name }, signal ? { signal } : {});
    if (!secret) throw secretMissing(ref, server);
    const data = decodeSecretData(secret.data);
    const account = readAccount({ data, server, source: `Secret ${namespace}/${name}` });
    return { ...account, version: `${secret.metadata.uid ?? ''}/${secret.metadata.resourceVersion ?? ''}` };
  };
