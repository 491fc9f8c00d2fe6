import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { ownAccounts } from '@vdo/config/driver-accounts';
import type { CliContext } from '../../../cli/context.ts';
import type { ClusterFlags } from '../../../cli/options.ts';
import { type Cluster, withCluster } from '../../../shared/cluster/open-cluster.ts';
import { accountKeys, readSecret } from '../../../shared/vsphere/store-password.ts';
import { principalKey } from './account-plan.ts';

const sameServer = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** The Secret that gives this account to the drivers of a cluster; undefined if they do not use it. */
const findUse = async (
  { kube, namespace }: Cluster,
  { account, server, signal }: { readonly account: string; readonly server: string; readonly signal: AbortSignal },
): Promise<string | undefined> => {
  const resource = await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal });
  if (!resource) return undefined;
  const logins = [...resource.spec.vcenters, ...ownAccounts(resource.spec).map(({ vcenter }) => vcenter)];
  for (const vcenter of logins) {
    if (!sameServer(vcenter.server, server)) continue;
    const place = { kube, namespace, name: vcenter.credentialsSecret, server: vcenter.server, signal };
    const data = (await readSecret(place)) ?? {};
    const [usernameKey] = accountKeys(data, vcenter.server);
    const username = data[usernameKey];
    if (username !== undefined && principalKey(username) === principalKey(account))
      return `Secret ${namespace}/${vcenter.credentialsSecret}`;
  }
  return undefined;
};

/** Throws InvalidArgument while the drivers of the cluster use the account. Without a cluster, prints a note that none was checked. */
export const requireUnusedAccount = async (
  context: CliContext,
  flags: ClusterFlags,
  { account, server }: { readonly account: string; readonly server: string },
): Promise<void> => {
  const { signal, terminal } = context;
  const used = await withCluster(context, flags, async (cluster) => {
    const secret = await findUse(cluster, { account, server, signal });
    return secret === undefined ? undefined : { secret, cluster: cluster.server };
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    const why = error instanceof Error ? error.message : String(error);
    terminal.err(`Could not check whether a cluster uses ${account}: ${why}\n`);
    return undefined;
  });
  if (!used) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `the drivers of the cluster ${used.cluster} use ${account} to log in to ${server} (${used.secret}): without it, volumes cannot be created, attached or detached; nothing was changed`,
    remedy: `First give the drivers another account (vdoctl vsphere user create NAME stores it in the Secret), or remove the drivers: vdoctl uninstall`,
  });
};
