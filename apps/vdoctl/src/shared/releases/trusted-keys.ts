import { VdoError } from '@vdo/base/vdo-error';
import type { CliContext } from '../../cli/context.ts';
import type { ClusterFlags } from '../../cli/options.ts';
import { withCluster } from '../cluster/open-cluster.ts';
import { readResource } from '../cluster/read-resource.ts';
import { readKeys } from './read-signed.ts';

export interface TrustFlags extends ClusterFlags {
  /** Files with public keys. Absent: the keys that the cluster trusts. */
  readonly trust?: readonly string[];
}

/** The keys of --trust, otherwise those that the cluster trusts. */
export const trustedKeys = async (context: CliContext, flags: TrustFlags): Promise<readonly string[]> => {
  if (flags.trust !== undefined) return readKeys(context, flags.trust);
  const { spec } = await withCluster(context, flags, ({ kube }) => readResource(kube, context.signal));
  if (spec.updates.trustedKeys.length > 0) return spec.updates.trustedKeys;
  throw new VdoError({
    code: 'InvalidArgument',
    message: 'no trusted key: --trust is not set, and spec.updates.trustedKeys of the cluster is empty',
    remedy: "Pass the publisher's public key with --trust publisher.pem.",
  });
};
