import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { ownAccounts } from '@vdo/config/driver-accounts';
import type { CliContext } from '../../../cli/context.ts';
import type { ClusterFlags } from '../../../cli/options.ts';
import { type Cluster, withCluster } from '../../../shared/cluster/open-cluster.ts';
import { accountKeys, readSecret } from '../../../shared/vsphere/store-password.ts';
import { principalKey } from './account-plan.ts';

const sameServer = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** The Secret from which the drivers of a cluster take this account; undefined if they do not. */
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

/** Throws InvalidArgument while the drivers of the cluster log in as the account. Whoever has no cluster at hand is told that none was asked. */
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
    terminal.err(`No cluster was asked whether it uses ${account}: ${why}\n`);
    return undefined;
  });
  if (!used) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `the drivers of the cluster ${used.cluster} log in to ${server} as ${account}, by ${used.secret}: without it no volume could be made, attached or detached; nothing was changed`,
    remedy: `Give them another account first (vdoctl vsphere user create NAME writes it into the Secret), or remove the drivers: vdoctl uninstall`,
  });
};
