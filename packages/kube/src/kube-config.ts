import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Clock } from '@vdo/base/clock';
import { proxyFromEnv } from '@vdo/base/proxy-from-env';
import { VdoError } from '@vdo/base/vdo-error';
import { defaultServiceAccountFolder, type Environment, inClusterConfig } from './kube-config/in-cluster.ts';
import { type KubeConnection, openKubeConnection } from './kube-config/kube-connection.ts';
import { type Kubeconfig, mergeKubeconfigs, readKubeconfig } from './kube-config/kubeconfig-file.ts';

export interface KubeConfigOptions {
  /** This file is used, whatever the environment contains. */
  readonly kubeconfigPath?: string;
  /** Default: the current one of the kubeconfig. */
  readonly context?: string;
  /** From which KUBECONFIG, KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT, HOME and the proxy variables are read. */
  readonly env: Environment;
  readonly clock: Clock;
  /** Where a pod finds its token. Default /var/run/secrets/kubernetes.io/serviceaccount. */
  readonly serviceAccountFolder?: string;
}

/**
 * Determines how to reach the API server: the given file, else the files of KUBECONFIG, else the pod's ServiceAccount,
 * else ~/.kube/config. Throws KubeConfigInvalid with the name of the file and the field.
 */
export const loadKubeConfig = async (options: KubeConfigOptions): Promise<KubeConnection> => {
  const { config, source } = await findKubeconfig(options);
  const connection = await openKubeConnection({ config, source, context: options.context, clock: options.clock });
  return { ...connection, proxy: connection.proxy ?? proxyFromEnv(connection.origin, options.env) };
};

const findKubeconfig = async (options: KubeConfigOptions): Promise<{ config: Kubeconfig; source: string }> => {
  const { kubeconfigPath, env } = options;
  if (kubeconfigPath) return { config: await readKubeconfig(kubeconfigPath), source: kubeconfigPath };
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (listed.length > 0) return readListed(listed);
  const config = await inClusterConfig(env, options.serviceAccountFolder ?? defaultServiceAccountFolder);
  if (config) return { config, source: 'in-cluster' };
  const home = env['HOME'] ? join(env['HOME'], '.kube', 'config') : undefined;
  if (home && existsSync(home)) return { config: await readKubeconfig(home), source: home };
  throw new VdoError({
    code: 'KubeConfigInvalid',
    message: `no kubeconfig found: none was given, KUBECONFIG is not set, the program is not running inside a pod, and ${home ?? '~/.kube/config'} does not exist`,
    remedy: 'Set --kubeconfig or KUBECONFIG to a kubeconfig file.',
  });
};

// As in kubectl, missing files are skipped, unless none exists.
const readListed = async (paths: readonly string[]): Promise<{ config: Kubeconfig; source: string }> => {
  const existing = paths.filter((path) => existsSync(path));
  const files = await Promise.all((existing.length > 0 ? existing : paths.slice(0, 1)).map(readKubeconfig));
  return { config: mergeKubeconfigs(files), source: existing.join(delimiter) };
};
