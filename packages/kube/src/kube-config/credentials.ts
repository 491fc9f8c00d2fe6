import { readFile } from 'node:fs/promises';
import type { HttpHeaders } from '@vdo/base/http';
import type { TlsOptions } from '@vdo/base/http-client';
import { impersonationHeaders } from './impersonation.ts';
import { type Settings, textOf } from './settings.ts';

/** The cluster and the user of a kubeconfig's context, with absolute paths. */
export interface ClusterUser {
  readonly cluster: Settings;
  readonly user: Settings;
}

export interface Credentials {
  readonly headers: HttpHeaders;
  readonly tls: TlsOptions;
}

/** Reads the current credentials; files and plugins may return others the next time. */
export type CredentialSource = () => Promise<Credentials>;

export const createCredentialSource = (chosen: ClusterUser): CredentialSource => {
  const { user } = chosen;
  const read = user['exec'] || user['auth-provider'] ? pluginCredentials(chosen) : fileCredentials(chosen);
  return async () => {
    const { headers, tls } = await read();
    return { headers: { ...headers, ...impersonationHeaders(user) }, tls };
  };
};

/** Certificates, keys, tokens and passwords, from the kubeconfig itself or from the files it names. */
const fileCredentials =
  ({ cluster, user }: ClusterUser): CredentialSource =>
  async () => {
    const [caBundle, cert, key, token] = await Promise.all([
      fileOrData(cluster, 'certificate-authority'),
      fileOrData(user, 'client-certificate'),
      fileOrData(user, 'client-key'),
      textOf(user['token']) ?? fileOf(user, 'tokenFile'),
    ]);
    const serverName = textOf(cluster['tls-server-name']);
    const authorization = token !== undefined ? `Bearer ${token.trim()}` : basicOf(user);
    return {
      headers: { ...(authorization && { authorization }) },
      tls: {
        ...(caBundle !== undefined && { caBundle }),
        ...(cert !== undefined && { cert }),
        ...(key !== undefined && { key }),
        ...(serverName !== undefined && { serverName }),
        ...(cluster['insecure-skip-tls-verify'] === true && { insecure: true }),
      },
    };
  };

/** The fields that client-node sets and that are used. */
interface ConnectionOptions {
  ca?: Buffer | string;
  cert?: Buffer | string;
  key?: Buffer | string;
  servername?: string;
  rejectUnauthorized?: boolean;
  headers?: Record<string, string>;
}

/** Credential plugins and OpenID Connect: client-node implements the requests and their repetition. */
const pluginCredentials = ({ cluster, user }: ClusterUser): CredentialSource => {
  // It refuses plain HTTP unless verification is skipped; plain HTTP has nothing to verify.
  const plain = String(cluster['server']).startsWith('http:') ? { 'insecure-skip-tls-verify': true } : {};
  const text = JSON.stringify({
    clusters: [{ name: 'it', cluster: { ...cluster, ...plain, 'proxy-url': undefined } }],
    users: [{ name: 'it', user }],
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
    'current-context': 'it',
  });
  const load = async () => {
    // Loaded only if needed: it takes more time and memory than everything else, and the program runs on every node.
    const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js');
    const config = new KubeConfig();
    config.loadFromString(text);
    return config;
  };
  let loading: ReturnType<typeof load> | undefined;
  return async () => {
    loading ??= load();
    const options: ConnectionOptions = {};
    await (await loading).applyToHTTPSOptions(options);
    const { ca, cert, key, servername, rejectUnauthorized, headers = {} } = options;
    const named = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value.trim()]);
    return {
      headers: Object.fromEntries(named),
      tls: {
        ...(ca !== undefined && { caBundle: ca.toString() }),
        ...(cert !== undefined && { cert: cert.toString() }),
        ...(key !== undefined && { key: key.toString() }),
        ...(servername !== undefined && { serverName: servername }),
        ...(rejectUnauthorized === false && { insecure: true }),
      },
    };
  };
};

const fileOrData = async (settings: Settings, field: string): Promise<string | undefined> => {
  const data = textOf(settings[`${field}-data`]);
  return data === undefined ? fileOf(settings, field) : Buffer.from(data, 'base64').toString();
};

const fileOf = async (settings: Settings, field: string): Promise<string | undefined> => {
  const path = textOf(settings[field]);
  return path === undefined ? undefined : readFile(path, 'utf8');
};

const basicOf = (user: Settings): string | undefined => {
  const name = textOf(user['username']);
  if (name === undefined) return undefined;
  return `Basic ${Buffer.from(`${name}:${textOf(user['password']) ?? ''}`).toString('base64')}`;
};
