import { rename, writeFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import { type Account, decodeSecretData } from '@vdo/config/credentials';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** The keys for the account of a server in a (decoded) Secret: existing keys first. */
export const accountKeys = (
  data: Readonly<Record<string, string>>,
  server: string,
): readonly [username: string, password: string] => {
  const keys = Object.keys(data);
  const own = keys.find((key) => key.toLowerCase() === `${server.toLowerCase()}.username`);
  if (own !== undefined) return [own, own.replace(/username$/, 'password')];
  const numbered = keys.find(
    (key) => key.startsWith('server_') && (data[key] ?? '').trim().toLowerCase() === server.toLowerCase(),
  );
  if (numbered !== undefined) {
    const suffix = numbered.slice('server_'.length);
    return [`username_${suffix}`, `password_${suffix}`];
  }
  // A key of a Secret cannot contain a colon.
  if ('username' in data || server.includes(':')) return ['username', 'password'];
  return [`${server}.username`, `${server}.password`];
};

export interface SecretPlace {
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly name: string;
  readonly server: string;
  readonly signal: AbortSignal;
}

/** The decoded content of the Secret; undefined if it does not exist. */
export const readSecret = async ({
  kube,
  namespace,
  name,
  signal,
}: SecretPlace): Promise<Readonly<Record<string, string>> | undefined> => {
  const found = await kube.find(secrets, { namespace, name }, { signal });
  return found && decodeSecretData(found.data);
};

/** Stores the account in the Secret; accounts of other vCenters in it are kept. With `dryRun`, the API server only validates. */
export const writeSecret = async (
  place: SecretPlace,
  { username, password }: Account,
  options: { readonly dryRun?: boolean } = {},
): Promise<void> => {
  const { kube, namespace, name, server, signal } = place;
  const before = await readSecret(place);
  const [usernameKey, passwordKey] = accountKeys(before ?? {}, server);
  const data = { [usernameKey]: base64(username), [passwordKey]: base64(password) };
  const write = { signal, ...(options.dryRun ? { dryRun: true } : {}) };
  if (before) await kube.patch(secrets, { namespace, name }, { type: 'merge', body: { data } }, write);
  else {
    await kube.create(
      secrets,
      { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, type: 'Opaque', data },
      write,
    );
  }
};

/** Writes only the password to a file that only its owner can read. */
export const writePasswordFile = async (file: string, password: string): Promise<void> => {
  const fresh = `${file}.new`;
  try {
    await writeFile(fresh, password, { mode: 0o600, flag: 'wx' });
    await rename(fresh, file);
  } catch (error) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `cannot write the password to ${file}: ${error instanceof Error ? error.message : String(error)}`,
      remedy: `Choose a file in a writable folder with --password-out. If ${fresh} exists from an earlier run, delete it.`,
      cause: error,
    });
  }
};
