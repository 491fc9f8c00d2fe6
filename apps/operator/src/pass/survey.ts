import type { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers, VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { type OwnAccount, ownAccounts } from '@vdo/config/driver-accounts';
import type { KeptClusterIds } from '@vdo/config/kept-cluster-ids';
import { readClusterIds } from '@vdo/gather/read-cluster-ids';
import { requireServerVersion } from '@vdo/kube/server-version';
import type { LoadedMatrix } from '@vdo/releases/load-matrix';
import { hasRun, type ReleaseHistory } from '@vdo/releases/release-history';
import { type Platform, standDown } from '../decisions/platform.ts';
import { readSpec } from '../decisions/read-spec.ts';
import { mayWait, vcenterProblem, withOwnAccounts, withoutUnready } from '../decisions/vcenters.ts';
import { detectPlatform } from '../gather/detect-platform.ts';
import { observeComponents } from '../gather/observe-components.ts';
import type { ReadResource } from '../gather/spec-memory.ts';
import type { PooledVCenter } from '../gather/vcenter-pool.ts';
import { readVCentersInUse } from '../gather/vcenters-in-use.ts';
import type { ComponentObservation, Observation, VCenterObservation } from '../observation.ts';
import type { Call, PassDeps } from './deps.ts';

/** The Kubernetes versions that the operator itself supports; the releases have their own ranges. */
const oldestKubernetes = { major: 1, minor: 28 } as const;

/** The observed state before any decision. */
export interface Survey {
  /** The resource with the spec in use. */
  readonly resource: VSphereDrivers;
  /** Why that is an earlier spec: the current one is invalid. The drivers keep running by it, and nothing new begins. */
  readonly unread?: VdoError;
  /** The spec without the drivers that the platform manages itself. */
  readonly spec: VSphereDriversSpec;
  /** The same without new vCenters that cannot be used yet: the spec from which the drivers are rendered. */
  readonly buildable: VSphereDriversSpec;
  readonly kubernetesVersion: string;
  readonly clients: readonly PooledVCenter[];
  /** The results of logins with the drivers' own accounts. */
  readonly accounts: readonly (OwnAccount & { readonly client: PooledVCenter })[];
  readonly vcenters: readonly VCenterObservation[];
  readonly matrix: LoadedMatrix;
  readonly platform: Platform;
  readonly running: readonly ComponentObservation[];
  /** The recorded releases. */
  readonly history: ReleaseHistory;
  /** A driver of ours runs, or was complete until it was deleted: what follows is a repair, which does not wait. */
  readonly installed: boolean;
  /** Read once, on first use. */
  readonly clusterIds: () => Promise<KeptClusterIds>;
}

const matrixView = ({ serial, source, problem }: LoadedMatrix): Partial<Observation> => ({
  matrix: { serial, source },
  ...(problem ? { matrixProblem: problem } : {}),
});

/** Reads the configuration, connects, detects. What was observed before a failure is reported through `learn`. */
export const survey = async (
  deps: PassDeps,
  { resource, problem: unread }: ReadResource,
  learn: (part: Partial<Observation>) => void,
  { signal }: Call,
): Promise<Survey> => {
  const { kube, namespace } = deps;
  if (unread) learn({ failure: unread });
  const asked = readSpec(resource);
  const kubernetesVersion = await requireServerVersion(kube, oldestKubernetes, { signal });
  learn({ kubernetesVersion });
  const own = ownAccounts(asked);
  const pool = await deps.vcenters.use(
    asked.vcenters,
    own.map(({ vcenter }) => vcenter),
  );
  const clients = pool.vcenters;
  const accounts = own.flatMap((account, index) => {
    const client = pool.accounts[index];
    return client ? [{ ...account, client }] : [];
  });
  const observed = await deps.observer.observe([...clients, ...pool.accounts], { signal });
  const vcenters = withOwnAccounts(observed.slice(0, clients.length), own, observed.slice(clients.length));
  learn({ vcenters });
  const matrix = await deps.matrix.current(asked.updates, { signal });
  learn(matrixView(matrix));
  const platform = await detectPlatform(kube, { signal });
  learn({ platform, cni: await deps.network.see(deps.nodes(), { signal }) });
  const running = await observeComponents(kube, { namespace, signal });
  const history = await deps.history.load();
  const installed = running.some(({ ours }) => ours) || hasRun(history);
  if (unread && !installed) throw unread;
  const outage = vcenterProblem(vcenters, installed);
  if (outage) learn({ failure: outage });
  const spec = standDown(asked, platform);
  const buildable =
    installed && mayWait(spec, vcenters)
      ? withoutUnready(spec, vcenters, await readVCentersInUse(kube, { namespace, signal }))
      : spec;
  let kept: Promise<KeptClusterIds> | undefined;
  const clusterIds = () => {
    kept ??= readClusterIds(kube, { namespace, signal });
    return kept;
  };
  return {
    resource,
    ...(unread ? { unread } : {}),
    spec,
    buildable,
    kubernetesVersion,
    clients,
    accounts,
    vcenters,
    matrix,
    platform,
    running,
    history,
    installed,
    clusterIds,
  };
};
