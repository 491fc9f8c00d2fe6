import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Kubeconfig } from './kubeconfig-file.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const defaultServiceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The ServiceAccount of a pod as a kubeconfig; undefined outside a pod. */
export const inClusterConfig = async (env: Environment, folder: string): Promise<Kubeconfig | undefined> => {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port) return undefined;
  const namespace = await readFile(join(folder, 'namespace'), 'utf8').catch(() => undefined);
  if (namespace === undefined) return undefined;
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return {
    currentContext: 'in-cluster',
    clusters: new Map([['in-cluster', { server, 'certificate-authority': join(folder, 'ca.crt') }]]),
    users: new Map([['in-cluster', { tokenFile: join(folder, 'token') }]]),
    contexts: new Map([['in-cluster', { cluster: 'in-cluster', user: 'in-cluster', namespace: namespace.trim() }]]),
  };
};
