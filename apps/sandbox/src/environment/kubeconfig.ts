import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { every } from '@vdo/base/async/every';
import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
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
  /** CA in PEM format; absent: the system's CAs. */
  readonly certificate?: string;
  /** Skip the verification of the certificate. */
  readonly insecure?: boolean;
  /** Name in its certificate, if it is not the host of the URL. */
  readonly serverName?: string;
  readonly proxy?: string;
}

export type ClusterUser = { readonly token: string } | { readonly tokenFile: string };

/** Written atomically, because another process may read it at any moment. Readable only by its owner. */
const writeWhole = async (path: string, text: string, random: Random): Promise<void> => {
  const fresh = `${path}.${random.uuid()}`;
  await writeFile(fresh, text, { mode: 0o600 });
  await rename(fresh, path);
};

/** Writes a kubeconfig that only its owner can read. */
export const writeKubeconfig = async (
  path: string,
  { cluster, user, random }: { readonly cluster: ClusterAddress; readonly user: ClusterUser; readonly random: Random },
): Promise<string> => {
  const { url, certificate, insecure, serverName, proxy } = cluster;
  const trust = {
    ...(certificate === undefined ? {} : { 'certificate-authority-data': Buffer.from(certificate).toString('base64') }),
    ...(insecure === true ? { 'insecure-skip-tls-verify': true } : {}),
    ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
    ...(proxy === undefined ? {} : { 'proxy-url': proxy }),
  };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'sandbox', cluster: { server: url, ...trust } }],
    users: [{ name: 'sandbox', user }],
    contexts: [{ name: 'sandbox', context: { cluster: 'sandbox', user: 'sandbox' } }],
    'current-context': 'sandbox',
  };
  await writeWhole(path, JSON.stringify(config, undefined, 2), random);
  return path;
};

/** A token of a ServiceAccount, as mounted into a pod. */
const requestToken = async (kube: KubeClient, namespace: string, name: string): Promise<string> => {
  const request: TokenRequest = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { name, namespace },
    spec: { expirationSeconds: 3_600 },
  };
  const issued = await kube.create(tokenRequests, request, { subresource: 'token' });
  return issued.status?.token ?? '';
};

/** Long before the tokens expire after one hour. */
const renewEveryMs = 15 * 60_000;

/** Kubeconfigs with the permissions of ServiceAccounts. */
export interface AccountConfigs {
  /** Writes one with a new token, and returns its path. */
  config(namespace: string, account: string): Promise<string>;
  /** Renews the tokens of all written kubeconfigs until aborted, as a kubelet does for its pods. */
  run(signal: AbortSignal): Promise<void>;
}

export const createAccountConfigs = (options: {
  readonly kube: KubeClient;
  readonly address: ClusterAddress;
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
}): AccountConfigs => {
  const { kube, address, folder, clock, random } = options;
  const renewals = new Map<string, () => Promise<void>>();
  return {
    config: async (namespace, account) => {
      const tokenFile = join(folder, `${namespace}-${account}.token`);
      const renew = async (): Promise<void> =>
        writeWhole(tokenFile, await requestToken(kube, namespace, account), random);
      await renew();
      renewals.set(tokenFile, renew);
      const path = join(folder, `${namespace}-${account}.kubeconfig`);
      return writeKubeconfig(path, { cluster: address, user: { tokenFile }, random });
    },
    run: (signal) => {
      // The account may have been deleted together with its driver.
      const renewAll = () => Promise.allSettled([...renewals.values()].map((renew) => renew()));
      return every(renewAll, { clock, periodMs: renewEveryMs, firstAfterMs: renewEveryMs }, signal);
    },
  };
};
