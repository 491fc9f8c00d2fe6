import { readFile } from 'node:fs/promises';
import { withoutTrailing } from '@vdo/base/cut-text';
import { createHttpClient } from '@vdo/base/http-client';
import { proxyFromEnv } from '@vdo/base/proxy-from-env';
import { VdoError } from '@vdo/base/vdo-error';
import type { OptionSpec } from '../../cli/command.ts';
import type { CliContext } from '../../cli/context.ts';
import { ask } from '../vsphere/ask-secret.ts';
import { createRegistrySession, type RegistrySession } from './registry-session.ts';

export interface RegistryFlags {
  readonly user?: string;
  readonly passwordFile?: string;
  readonly caFile?: string;
  readonly plainHttp?: boolean;
}

const passwordVariable = 'VDO_REGISTRY_PASSWORD';

export const registryOptions: readonly OptionSpec[] = [
  { flags: '--user <name>', description: 'account of the registry', env: 'VDO_REGISTRY_USER' },
  {
    flags: '--password-file <file>',
    description: `file with the password of the account (default: ${passwordVariable}, otherwise it is asked for)`,
  },
  { flags: '--ca-file <file>', description: 'PEM certificates that the registry may be signed with' },
  { flags: '--plain-http', description: 'reach the registry without TLS; passwords can then be read on the network' },
];

const readText = async (file: string, what: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new VdoError({
      code: 'ConfigMissing',
      message: `cannot read ${what} ${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy: 'Pass a readable file.',
      cause,
    });
  }
};

const accountOf = async (context: CliContext, { user, passwordFile }: RegistryFlags) => {
  if (user === undefined) return undefined;
  if (passwordFile !== undefined)
    return { username: user, password: (await readText(passwordFile, 'the password file')).replace(/\r?\n$/, '') };
  const password =
    context.env[passwordVariable] ??
    (await ask(context.terminal, `Password of ${user}`, {
      hidden: true,
      remedy: `Set it with --password-file or the environment variable ${passwordVariable}.`,
      signal: context.signal,
    }));
  return { username: user, password };
};

export interface OpenRegistry {
  readonly session: RegistrySession;
  /** What follows the host, without a slash at either end; may be empty. */
  readonly path: string;
}

/** A registry named as `HOST[:PORT][/PATH]`, with the account and the trust of the flags. */
export const openRegistry = async (
  context: CliContext,
  registry: string,
  flags: RegistryFlags,
): Promise<OpenRegistry> => {
  const [host = '', ...path] = withoutTrailing(registry, '/').split('/');
  const [account, caBundle] = await Promise.all([
    accountOf(context, flags),
    flags.caFile === undefined ? undefined : readText(flags.caFile, 'the certificates'),
  ]);
  const clients = new Map<string, ReturnType<typeof createHttpClient>>();
  const connect = (origin: string) => {
    const proxy = proxyFromEnv(origin, context.env);
    const client =
      clients.get(origin) ??
      createHttpClient({
        origin,
        connections: 4,
        ...(caBundle === undefined ? {} : { tls: { caBundle } }),
        ...(proxy === undefined ? {} : { proxy }),
      });
    clients.set(origin, client);
    return client.transport;
  };
  return {
    session: createRegistrySession({
      ...context,
      host,
      connect,
      ...(flags.plainHttp ? { plainHttp: true } : {}),
      ...(account ? { account } : {}),
    }),
    path: path.join('/'),
  };
};
