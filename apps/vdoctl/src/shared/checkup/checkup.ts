import type { CheckGroup } from '@vdo/checks/check';
import type { ClusterFacts } from '@vdo/checks/facts';
import type { GatherDeps } from '@vdo/gather/gather-deps';
import type { CliContext } from '../../cli/context.ts';
import type { ClusterFlags } from '../../cli/options.ts';
import { createProgress } from '../../output/progress.ts';
import { withCluster } from '../cluster/open-cluster.ts';
import { readResource, readResourceFile } from '../cluster/read-resource.ts';
import { gatherHere } from './gather.ts';
import { withAccounts } from './open-vcenters.ts';

export interface CheckupFlags extends ClusterFlags {
  /** A resource to look at, instead of that of the cluster. */
  readonly file?: string;
}

/** The facts of the cluster of the flags and of its vCenters, with a word about what is being looked at. */
export const checkup = (
  context: CliContext,
  flags: CheckupFlags,
  groups: readonly CheckGroup[],
  more: Pick<GatherDeps, 'onVolume'> = {},
): Promise<ClusterFacts> =>
  withCluster(context, flags, async (cluster) => {
    const { kube, namespace, server } = cluster;
    const resource =
      flags.file === undefined ? await readResource(kube, context.signal) : await readResourceFile(flags.file);
    const specs = resource.spec.vcenters;
    const progress = createProgress(context);
    progress.update(`looking at ${[server, ...specs.map((spec) => spec.server)].join(', ')}`);
    try {
      return await withAccounts(context, { kube, namespace, spec: resource.spec }, (opened) =>
        gatherHere(context, { cluster, resource, groups, ...opened, ...more }),
      );
    } finally {
      progress.end();
    }
  });
