import { type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { VdoError } from '@vdo/base/vdo-error';
import { type Account, decodeSecretData, readAccount } from '@vdo/config/credentials';
import type { CredentialsRef, VCenterConfig } from '@vdo/config/driver-config';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';
import type { CredentialsSource } from '@vdo/vsphere/vcenter';
import { readFolder as readFolderOfDisk } from './read-folder.ts';

export interface CredentialsSourceDeps {
  readonly kube: Pick<KubeClient, 'find'>;
  /** Files of a folder by name; undefined if there is no such folder. Default: from disk. */
  readonly readFolder?: (path: string) => Promise<Readonly<Record<string, string>> | undefined>;
}

// Versions are stored and logged: the password must not be derivable from one, not even by trying many passwords.
// It is computed in another thread, so that the event loop is not blocked.
const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);
const versionOf = async ({ username, password }: Account): Promise<string> =>
  (await derive(password, `vdo:${username}`, 12, { N: 4096 })).toString('base64url');

const keysOf = (server: string): readonly [string, string] => [`${server}.username`, `${server}.password`];

const secretMissing = ({ namespace, name }: Extract<CredentialsRef, { kind: 'secret' }>, server: string): VdoError => {
  const [username, password] = keysOf(server);
  return new VdoError({
    code: 'SecretMissing',
    message: `Secret ${namespace}/${name} with the account for vCenter ${server} does not exist`,
    remedy: `kubectl create secret generic ${name} --namespace ${namespace} --from-literal='${username}=USER@DOMAIN' --from-file='${password}=FILE'`,
    details: { namespace, name, server },
  });
};

const folderMissing = (path: string, server: string): VdoError => {
  const [username, password] = keysOf(server);
  return new VdoError({
    code: 'SecretMissing',
    message: `folder ${path} with the account for vCenter ${server} does not exist`,
    remedy: `Mount a Secret with the keys ${username} and ${password} at ${path}, or set secretName and secretNamespace in vsphere.conf.`,
    details: { path, server },
  });
};

const folderUnreadable = (path: string, server: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'SecretMissing',
    message: `folder ${path} with the account for vCenter ${server} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    remedy: `Give the program read permission for ${path} and the files in it, or set secretName and secretNamespace in vsphere.conf.`,
    details: { path, server },
    cause,
  });

/** Reads a vCenter's account from the source in the configuration, at each login, so that a rotated account is used at once. */
export const createCredentialsSource = (
  { server, credentials: ref }: Pick<VCenterConfig, 'server' | 'credentials'>,
  { kube, readFolder = readFolderOfDisk }: CredentialsSourceDeps,
): CredentialsSource => {
  const fromFolder = async (path: string): Promise<Account> => {
    const data = await readFolder(path).catch((error: unknown) => {
      throw folderUnreadable(path, server, error);
    });
    if (!data) throw folderMissing(path, server);
    return readAccount({ data, server, source: `folder ${path}` });
  };
  return async ({ signal }) => {
    if (ref.kind !== 'secret') {
      const { username, password } = ref.kind === 'inline' ? ref : await fromFolder(ref.path);
      return { username, password, version: await versionOf({ username, password }) };
    }
    const { namespace, name } = ref;
    const secret = await kube.find(secrets, { namespace, name }, signal ? { signal } : {});
    if (!secret) throw secretMissing(ref, server);
    const account = readAccount({ data: decodeSecretData(secret.data), server, source: `Secret ${namespace}/${name}` });
    return { ...account, version: `${secret.metadata.uid ?? ''}/${secret.metadata.resourceVersion ?? ''}` };
  };
};
