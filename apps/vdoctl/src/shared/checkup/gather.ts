import type { CheckGroup } from '@vdo/checks/check';
import type { ClusterFacts } from '@vdo/checks/facts';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { GatherDeps } from '@vdo/gather/gather-deps';
import { gatherFacts } from '@vdo/gather/gather-facts';
import { networkProbes } from '@vdo/gather/network-probes';
import type { CliContext } from '../../cli/context.ts';
import type { Cluster } from '../cluster/open-cluster.ts';
import { readMatrixInUse } from '../releases/matrix-in-use.ts';
import type { OpenVCenter } from './open-vcenters.ts';
import { checkupReleases } from './release-facts.ts';

/** Gathers facts from the cluster and its vCenters, from this machine. */
export const gatherHere = async (
  { clock, signal }: Pick<CliContext, 'clock' | 'signal'>,
  input: {
    readonly cluster: Cluster;
    readonly resource: VSphereDrivers;
    readonly vcenters: readonly OpenVCenter[];
    /** Connections with the separate accounts of drivers. Default: none. */
    readonly accounts?: NonNullable<GatherDeps['accounts']>;
    readonly groups: readonly CheckGroup[];
  } & Pick<GatherDeps, 'onVolume'>,
): Promise<ClusterFacts> => {
  const { kube, namespace } = input.cluster;
  const kubernetesVersion = await kube.serverVersion({ signal });
  const matrix = await readMatrixInUse(kube, { namespace, signal });
  return gatherFacts(
    {
      kube,
      spec: input.resource.spec,
      namespace,
      vcenters: input.vcenters,
      accounts: input.accounts ?? [],
      ...checkupReleases(input.resource, kubernetesVersion, matrix),
      clock,
      ...(input.onVolume ? { onVolume: input.onVolume } : {}),
      // The DNS server of the cluster is not reachable from a workstation.
      probes: { ...(networkProbes.certificate ? { certificate: networkProbes.certificate } : {}) },
    },
    { groups: input.groups },
    { signal },
  );
};
