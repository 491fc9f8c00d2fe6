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

/** What the operator itself needs of the API server; the releases have ranges of their own. */
const oldestKubernetes = { major: 1, minor: 28 } as const;

/** The world as it is, before anything is decided. */
export interface Survey {
  /** With the spec that is followed. */
  readonly resource: VSphereDrivers;
  /** Why that is an earlier spec: the one of now cannot be read. What runs is kept by it, and nothing new begins. */
  readonly unread?: VdoError;
  /** What is asked for, without what the platform keeps itself. */
  readonly spec: VSphereDriversSpec;
  /** The same without vCenters that are new and cannot be used yet: what drivers are built from. */
  readonly buildable: VSphereDriversSpec;
  readonly kubernetesVersion: string;
  readonly clients: readonly PooledVCenter[];
  /** Logged in with the accounts that drivers have beside those of the vCenters. */
  readonly accounts: readonly (OwnAccount & { readonly client: PooledVCenter })[];
  readonly vcenters: readonly VCenterObservation[];
  readonly matrix: LoadedMatrix;
  readonly platform: Platform;
  readonly running: readonly ComponentObservation[];
  /** What is remembered of the releases. */
  readonly history: ReleaseHistory;
  /** A driver of ours runs, or ran whole until somebody deleted it: what follows is repair, which waits for nobody. */
  readonly installed: boolean;
  /** Read when they are asked for, once. */
  readonly clusterIds: () => Promise<KeptClusterIds>;
}

const matrixView = ({ serial, source, problem }: LoadedMatrix): Partial<Observation> => ({
  matrix: { serial, source },
  ...(problem ? { matrixProblem: problem } : {}),
});

/** Reads config, connects, detects. What was learned before a failure is told by `learn`. */
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
