import { rename, writeFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import { type Account, decodeSecretData } from '@vdo/config/credentials';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** The keys under which a Secret (decoded) keeps the account of a server, or is to keep it: those it has come first. */
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
  // A colon cannot stand in a key.
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

/** What the Secret holds, decoded; undefined if it does not exist. */
export const readSecret = async ({
  kube,
  namespace,
  name,
  signal,
}: SecretPlace): Promise<Readonly<Record<string, string>> | undefined> => {
  const found = await kube.find(secrets, { namespace, name }, { signal });
  return found && decodeSecretData(found.data);
};

/** Puts the account into the Secret; accounts of other vCenters in it stay. With `dryRun` the API server is only asked. */
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

/** Writes the password, and nothing else, into a file that only its owner reads. */
export const writePasswordFile = async (file: string, password: string): Promise<void> => {
  const fresh = `${file}.new`;
  try {
    await writeFile(fresh, password, { mode: 0o600, flag: 'wx' });
    await rename(fresh, file);
  } catch (error) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `cannot write the password into ${file}: ${error instanceof Error ? error.message : String(error)}`,
      remedy: `Name a file in a folder you may write to with --password-out; remove ${fresh} if an earlier run left it.`,
      cause: error,
    });
  }
};
