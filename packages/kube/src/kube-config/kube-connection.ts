import type { Clock } from '@vdo/base/clock';
import type { HttpHeaders } from '@vdo/base/http';
import type { TlsOptions } from '@vdo/base/http-client';
import { type ClusterUser, type Credentials, createCredentialSource } from './credentials.ts';
import { invalidKubeconfig, type Kubeconfig } from './kubeconfig-file.ts';
import { type Settings, textOf } from './settings.ts';

/** How to reach an API server and as whom. */
export interface KubeConnection {
  /** `https://host:port`. */
  readonly origin: string;
  /** Path in front of every request; usually empty. */
  readonly basePath: string;
  readonly tls: TlsOptions;
  readonly proxy: string | undefined;
  /** The namespace of the context, or of the ServiceAccount. */
  readonly namespace: string | undefined;
  /** Renewed when the token file or credential plugin renews them. */
  authHeaders(): Promise<HttpHeaders>;
}

export interface KubeConnectionOptions {
  /** Named in messages: the file, or `in-cluster`. */
  readonly source: string;
  readonly config: Kubeconfig;
  /** Default: the file's current-context. */
  readonly context?: string | undefined;
  readonly clock: Clock;
}

// Reading a token file or the plugin's cache for each request would cost more than the request.
const headersFreshMs = 10_000;

/** Resolves a context of a kubeconfig: its files are read and its credential plugin is run once, so that errors are found early. */
export const openKubeConnection = async (options: KubeConnectionOptions): Promise<KubeConnection> => {
  const { source, clock } = options;
  const chosen = chooseContext(options);
  const url = serverUrl(source, chosen);
  const readCredentials = createCredentialSource(chosen);
  const credentials = (): Promise<Credentials> =>
    readCredentials().catch((cause) => {
      throw credentialsFailed(source, chosen, cause);
    });
  const { tls } = await credentials();
  checkPem(source, tls);

  let cached: { readonly headers: HttpHeaders; readonly atMs: number } | undefined;
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/$/, ''),
    tls,
    proxy: proxyOf(source, chosen.cluster),
    namespace: textOf(chosen.context['namespace']),
    authHeaders: async () => {
      const nowMs = clock.monotonicMs();
      if (!cached || nowMs - cached.atMs >= headersFreshMs)
        cached = { headers: (await credentials()).headers, atMs: nowMs };
      return cached.headers;
    },
  };
};

interface Chosen extends ClusterUser {
  readonly name: string;
  readonly context: Settings;
}

const chooseContext = ({ source, config, context }: KubeConnectionOptions): Chosen => {
  const name = context ?? config.currentContext;
  const known = [...config.contexts.keys()].map((each) => `"${each}"`).join(', ') || 'none';
  if (!name)
    throw invalidKubeconfig(
      source,
      'has no current-context',
      `Choose one with \`kubectl config use-context\`; it has: ${known}.`,
    );
  const settings = config.contexts.get(name);
  if (!settings) throw invalidKubeconfig(source, `has no context "${name}"`, `Use one of its contexts: ${known}.`);
  const cluster = config.clusters.get(String(settings['cluster']));
  if (!cluster)
    throw invalidKubeconfig(
      source,
      `has no cluster "${settings['cluster']}", which context "${name}" refers to`,
      'Add the cluster, or correct the context.',
    );
  const userName = textOf(settings['user']);
  const user = userName === undefined ? {} : config.users.get(userName);
  if (!user)
    throw invalidKubeconfig(
      source,
      `has no user "${userName}", which context "${name}" refers to`,
      'Add the user, or correct the context.',
    );
  if (textOf(user['as']) === undefined && (user['as-groups'] || user['as-user-extra'] || user['as-uid']))
    throw invalidKubeconfig(
      source,
      `impersonates groups or other attributes as user "${userName}", but no user name`,
      'Add `as`, the name of the user to impersonate.',
    );
  return { name, context: settings, cluster, user };
};

const serverUrl = (source: string, { cluster, name }: Chosen): URL => {
  const server = String(cluster['server']);
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '') return url;
  throw invalidKubeconfig(source, `has the server "${server}" in context "${name}"`, 'Use the form https://host:port.');
};

const proxyOf = (source: string, cluster: Settings): string | undefined => {
  const proxy = textOf(cluster['proxy-url']);
  if (proxy === undefined || /^(https?|socks5h?):\/\//.test(proxy)) return proxy;
  throw invalidKubeconfig(
    source,
    `has the proxy-url "${proxy}"`,
    'Use an http://, https:// or socks5:// proxy; other types are not supported.',
  );
};

const credentialsFailed = (source: string, { name, user }: Chosen, cause: unknown) => {
  const reason = cause instanceof Error ? cause.message.trim() : String(cause);
  const exec = user['exec'] as { readonly command?: unknown } | null | undefined;
  if (exec)
    return invalidKubeconfig(
      source,
      `names the credential plugin "${exec.command}" in context "${name}", which failed: ${reason}`,
      `Install "${exec.command}" in PATH, and run it manually to see why it fails.`,
      cause,
    );
  return invalidKubeconfig(
    source,
    `gives no usable credentials in context "${name}": ${reason}`,
    'Make the named file readable, or download the kubeconfig again.',
    cause,
  );
};

const checkPem = (source: string, { caBundle, cert, key }: TlsOptions): void => {
  const fields = { 'certificate-authority': caBundle, 'client-certificate': cert, 'client-key': key };
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined && !value.includes('-----BEGIN '))
      throw invalidKubeconfig(
        source,
        `has no PEM data in ${field}`,
        `Correct ${field} or ${field}-data (base64 of PEM), or download the kubeconfig again.`,
      );
};
