import type { CheckGroup } from '@vdo/checks/check';
import type { ClusterFacts } from '@vdo/checks/facts';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { GatherDeps } from '@vdo/gather/gather-deps';
import type { CliContext } from '../../cli/context.ts';
import type { ClusterFlags } from '../../cli/options.ts';
import { createProgress } from '../../output/progress.ts';
import { type Cluster, withCluster } from '../cluster/open-cluster.ts';
import { readResource, readResourceFile } from '../cluster/read-resource.ts';
import { readDrivers } from '../status/read-health.ts';
import { gatherHere } from './gather.ts';
import { withAccounts } from './open-vcenters.ts';

export interface CheckupFlags extends ClusterFlags {
  /** A resource file to check instead of the resource of the cluster. */
  readonly file?: string;
}

/** Gathers facts repeatedly, over the same sessions. */
export interface Checkup {
  readonly cluster: Cluster;
  observe(): Promise<ClusterFacts>;
}

/** Opens the cluster of the flags and its vCenters while `work` runs. */
export const withCheckup = <T>(
  context: CliContext,
  flags: CheckupFlags,
  { groups, ...more }: { readonly groups: readonly CheckGroup[] } & Pick<GatherDeps, 'onVolume'>,
  work: (checkup: Checkup) => Promise<T>,
): Promise<T> =>
  withCluster(context, flags, async (cluster) => {
    const { kube, namespace, server } = cluster;
    const resource =
      flags.file === undefined ? await readResource(kube, context.signal) : await readResourceFile(flags.file);
    const specs = resource.spec.vcenters;
    const progress = createProgress(context, { elsewhere: 'silent' });
    return withAccounts(context, { kube, namespace, spec: resource.spec }, (opened) =>
      work({
        cluster,
        observe: async () => {
          progress.update(`checking ${[server, ...specs.map((spec) => spec.server)].join(', ')}`);
          try {
            return await gatherHere(context, { cluster, resource, groups, ...opened, ...more });
          } finally {
            progress.end();
          }
        },
      }),
    );
  });

/** Gathers the facts of the cluster and its vCenters, with a progress line. */
export const checkup = (
  context: CliContext,
  flags: CheckupFlags,
  groups: readonly CheckGroup[],
  more: Pick<GatherDeps, 'onVolume'> = {},
): Promise<ClusterFacts> => withCheckup(context, flags, { groups, ...more }, ({ observe }) => observe());

/** The same, with the resource as it is afterwards; undefined if a file is checked, which has no health yet. */
export const checkupWithResource = (
  context: CliContext,
  flags: CheckupFlags,
  groups: readonly CheckGroup[],
): Promise<{ readonly facts: ClusterFacts; readonly resource: VSphereDrivers | undefined }> =>
  withCheckup(context, flags, { groups }, async ({ cluster, observe }) => {
    const facts = await observe();
    return {
      facts,
      resource: flags.file === undefined ? await readDrivers(cluster.kube, context.signal) : undefined,
    };
  });
