import { readFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import { type Account, decodeSecretData, findAccount } from '@vdo/config/credentials';
import type { DriverConfig } from '@vdo/config/driver-config';
import type { Problem } from '@vdo/config/problems';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';

const readText = async (file: string, remedy: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new VdoError({ code: 'ConfigMissing', message: `cannot read ${file}: ${why}`, remedy, cause });
  }
};

export interface InTreeFile {
  readonly config: DriverConfig;
  readonly warnings: readonly Problem[];
  /** Server → its CA certificates. */
  readonly caBundles: ReadonlyMap<string, string>;
}

/** The configuration of the in-tree provider. Warnings about passwords in the file are left out: the migration moves them. */
export const readInTreeFile = async (file: string, caFile: string | undefined): Promise<InTreeFile> => {
  const text = await readText(file, 'Copy it from a control plane node; the flag --cloud-config shows its path.');
  const { config, warnings } = readDriverConfig(text, { unknownKeys: 'warn', source: file });
  const caBundles = new Map<string, string>();
  for (const { server, tls } of config.vcenters) {
    const named = caFile ?? tls.caFile;
    if (named !== undefined)
      caBundles.set(
        server,
        await readText(named, 'Copy it from the same node as the configuration, and pass it with --ca-file.'),
      );
  }
  return { config, warnings: warnings.filter(({ field }) => !/password|user/i.test(field ?? '')), caBundles };
};

/** Server → the account in the file or in the Secret that the file refers to; servers without an account are left out. */
export const accountsOf = async (
  { vcenters }: DriverConfig,
  kube: KubeClient,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Account>> => {
  const found = new Map<string, Account>();
  for (const { server, credentials } of vcenters) {
    if (credentials.kind === 'inline') found.set(server, credentials);
    if (credentials.kind !== 'secret') continue;
    const { namespace, name } = credentials;
    const secret = await kube.find(secrets, { namespace, name }, { signal });
    const { account } = findAccount(decodeSecretData(secret?.data), server);
    if (account) found.set(server, account);
  }
  return found;
};
