import { allChecks } from '@vdo/checks/all-checks';
import type { CheckGroup, CheckOutcome } from '@vdo/checks/check';
import { checksOf, runChecks } from '@vdo/checks/run-checks';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { Account } from '@vdo/config/credentials';
import type { DriverConfig } from '@vdo/config/driver-config';
import type { CliContext } from '../../../cli/context.ts';
import { createProgress } from '../../../output/progress.ts';
import { gatherHere } from '../../../shared/checkup/gather.ts';
import { type OpenVCenter, withVCenters } from '../../../shared/checkup/open-vcenters.ts';
import type { Cluster } from '../../../shared/cluster/open-cluster.ts';

/** The checks that work before a driver runs. Labels and registration are checked later. */
const groups: readonly CheckGroup[] = ['vcenter', 'privileges', 'node'];

/** The URL of the datastore on which the in-tree provider created volumes whose class names none. */
const findDatastore = async (
  { inTree }: DriverConfig,
  opened: readonly OpenVCenter[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> => {
  const name = inTree?.workspace?.defaultDatastore ?? inTree?.global?.datastore;
  const server = inTree?.workspace?.server ?? opened[0]?.spec.server;
  const at = opened.find(({ spec }) => spec.server.toLowerCase() === server?.toLowerCase());
  if (name === undefined || !at) return new Map();
  const tree = await at.vcenter.inventory.read(['Datastore'], { signal });
  const refs = [...tree.values()].map(({ ref }) => ref).filter(({ type }) => type === 'Datastore');
  const read = [...(await at.vcenter.health.datastores(refs, { signal })).values()];
  const found = read.filter((datastore) => datastore.name === name);
  const [only] = found;
  return only && found.length === 1 ? new Map([[at.spec.server, only.url]]) : new Map();
};

export interface Observed {
  readonly datastoreUrls: ReadonlyMap<string, string>;
  readonly failed: readonly CheckOutcome[];
  /** vCenters that refuse the account, and why. */
  readonly shut: readonly string[];
}

/** Logs in with the accounts of the file, and checks what the drivers will need. */
export const observeVCenters = async (
  context: CliContext,
  cluster: Cluster,
  input: {
    readonly config: DriverConfig;
    readonly draft: VSphereDrivers;
    readonly accounts: ReadonlyMap<string, Account>;
  },
): Promise<Observed> => {
  const { kube, namespace } = cluster;
  const { draft: resource, accounts, config } = input;
  const specs = resource.spec.vcenters;
  const progress = createProgress(context);
  progress.update(`checking ${specs.map(({ server }) => server).join(', ')}`);
  try {
    return await withVCenters(context, { kube, namespace, specs, accounts }, async (vcenters) => {
      const facts = await gatherHere(context, { cluster, resource, vcenters, groups });
      const outcomes = runChecks(checksOf(allChecks, groups), facts);
      const shut = facts.vcenters.flatMap(({ server, login, reachError }) => {
        const error = reachError ?? (login === true ? undefined : login);
        return error ? [`vCenter ${server}: ${error.message}. ${error.remedy}`] : [];
      });
      return {
        shut,
        datastoreUrls: shut.length === 0 ? await findDatastore(config, vcenters, context.signal) : new Map(),
        failed: outcomes.filter(({ result }) => result === 'Fail'),
      };
    });
  } finally {
    progress.end();
  }
};
