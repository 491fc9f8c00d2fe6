import { VdoError } from '@vdo/base/vdo-error';
import { readResource } from '../../checkup/read-resource.ts';
import type { CliContext } from '../../cli/context.ts';
import { withCluster } from '../../cluster/open-cluster.ts';
import type { TrustFlags } from './commands.ts';
import { readKeys } from './read-signed.ts';

/** The keys of --trust, else those that the cluster trusts. */
export const trustedKeys = async (context: CliContext, flags: TrustFlags): Promise<readonly string[]> => {
  if (flags.trust !== undefined) return readKeys(context, flags.trust);
  const { spec } = await withCluster(context, flags, ({ kube }) => readResource(kube, context.signal));
  if (spec.updates.trustedKeys.length > 0) return spec.updates.trustedKeys;
  throw new VdoError({
    code: 'InvalidArgument',
    message: 'no key is trusted: --trust names none, and spec.updates.trustedKeys of the cluster is empty',
    remedy: "Name the publisher's public key with --trust publisher.pem.",
  });
};
