import { writeFile } from 'node:fs/promises';
import type { KubeClient } from '@vdo/kube/client';
import { serviceAccounts } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';

interface TokenRequest extends KubeObject {
  readonly spec: { readonly expirationSeconds: number };
  readonly status?: { readonly token: string };
}

/** The subresource of a ServiceAccount that issues tokens. */
const tokenRequests: Resource<TokenRequest> = {
  group: serviceAccounts.group,
  version: serviceAccounts.version,
  plural: serviceAccounts.plural,
  kind: 'TokenRequest',
  namespaced: true,
};

export interface ClusterAddress {
  readonly url: string;
  /** PEM; absent: an authority of the system vouches for it. */
  readonly certificate?: string;
  /** Trust anything. */
  readonly insecure?: boolean;
  /** Name in its certificate, if it is not that of the URL. */
  readonly serverName?: string;
  readonly proxy?: string;
}

/** Writes a kubeconfig, readable by its owner only. */
export const writeKubeconfig = async (path: string, cluster: ClusterAddress, token: string): Promise<string> => {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'sandbox',
        cluster: {
          server: cluster.url,
          ...(cluster.certificate === undefined
            ? {}
            : { 'certificate-authority-data': Buffer.from(cluster.certificate).toString('base64') }),
          ...(cluster.insecure === true ? { 'insecure-skip-tls-verify': true } : {}),
          ...(cluster.serverName === undefined ? {} : { 'tls-server-name': cluster.serverName }),
          ...(cluster.proxy === undefined ? {} : { 'proxy-url': cluster.proxy }),
        },
      },
    ],
    users: [{ name: 'sandbox', user: { token } }],
    contexts: [{ name: 'sandbox', context: { cluster: 'sandbox', user: 'sandbox' } }],
    'current-context': 'sandbox',
  };
  await writeFile(path, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  return path;
};

/** A token of a ServiceAccount, as a pod would have it mounted. */
export const requestToken = async (kube: KubeClient, namespace: string, name: string): Promise<string> => {
  const request: TokenRequest = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { name, namespace },
    spec: { expirationSeconds: 86_400 },
  };
  const issued = await kube.create(tokenRequests, request, { subresource: 'token' });
  return issued.status?.token ?? '';
};
