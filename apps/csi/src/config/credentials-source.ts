import { type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { VdoError } from '@vdo/base/vdo-error';
import { type Account, decodeSecretData, readAccount } from '@vdo/config/credentials';
import type { CredentialsRef, VCenterConfig } from '@vdo/config/driver-config';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';
import type { CredentialsSource } from '@vdo/vsphere/vcenter';

export interface CredentialsSourceDeps {
  readonly kube: Pick<KubeClient, 'find'>;
  /** Files of a folder by name; undefined if there is no such folder. */
  readonly readFolder: (path: string) => Promise<Readonly<Record<string, string>> | undefined>;
}

// Versions are remembered and logged: one must not lead back to the password, not even by trying many.
// It is computed aside: the event loop would stand still for it.
const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);
const versionOf = async ({ username, password }: Account): Promise<string> =>
  (await derive(password, `vdo:${username}`, 12, { N: 4096 })).toString('base64url');

const missing = (place: string, remedy: string, server: string): VdoError =>
  new VdoError({
    code: 'SecretMissing',
    message: `${place} with the account for vCenter ${server} does not exist`,
    remedy,
    details: { server },
  });

const secretMissing = ({ namespace, name }: Extract<CredentialsRef, { kind: 'secret' }>, server: string): VdoError =>
  missing(
    `Secret ${namespace}/${name}`,
    `kubectl -n ${namespace} create secret generic ${name} --from-literal='${server}.username=USER@DOMAIN' --from-file='${server}.password=FILE'`,
    server,
  );

const folderMissing = (path: string, server: string): VdoError =>
  missing(
    `folder ${path}`,
    `Mount a Secret with the keys ${server}.username and ${server}.password at ${path}, or name the Secret in the configuration.`,
    server,
  );

/** The account of a vCenter from wherever the configuration says, read anew at each login. */
export const createCredentialsSource = (
  { server, credentials: ref }: Pick<VCenterConfig, 'server' | 'credentials'>,
  { kube, readFolder }: CredentialsSourceDeps,
): CredentialsSource => {
  return async ({ signal }) => {
    if (ref.kind === 'inline') return { username: ref.username, password: ref.password, version: await versionOf(ref) };
    if (ref.kind === 'directory') {
      const data = await readFolder(ref.path);
      if (!data) throw folderMissing(ref.path, server);
      const account = readAccount({ data, server, source: `folder ${ref.path}` });
      return { ...account, version: await versionOf(account) };
    }
    const { namespace, name } = ref;
    const secret = await kube.find(secrets, { namespace, name }, signal ? { signal } : {});
    if (!secret) throw secretMissing(ref, server);
    const account = readAccount({
      data: decodeSecretData(secret.data),
      server,
      source: `Secret ${namespace}/${name}`,
    });
    return { ...account, version: `${secret.metadata.uid ?? ''}/${secret.metadata.resourceVersion ?? ''}` };
  };
};
