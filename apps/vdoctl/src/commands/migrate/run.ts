import { VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import type { CheckGroup, CheckOutcome } from '@vdo/checks/check';
import { checksOf, runChecks } from '@vdo/checks/run-checks';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { Account } from '@vdo/config/credentials';
import type { DriverConfig } from '@vdo/config/driver-config';
import { productNumbers } from '@vdo/config/product-version';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { createProgress } from '../../output/progress.ts';
import { gatherHere } from '../../shared/checkup/gather.ts';
import { type OpenVCenter, withVCenters } from '../../shared/checkup/open-vcenters.ts';
import { type Cluster, withCluster } from '../../shared/cluster/open-cluster.ts';
import { carryOut, resourceOf, storedServers } from './carry-out.ts';
import type { MigrateInTreeFlags } from './command.ts';
import { readInTreeFacts } from './in-tree-facts.ts';
import { planInTree } from './in-tree-plan.ts';
import { specOfInTree } from './in-tree-spec.ts';
import { accountsOf, readInTreeFile } from './read-in-tree-file.ts';

/** The oldest Kubernetes for which there are drivers. */
const oldestMinor = 28;
/** What can be told before a driver runs. Labels and registration come with them. */
const groups: readonly CheckGroup[] = ['vcenter', 'privileges', 'node'];

const requireVersion = (version: string): void => {
  const minor = productNumbers(version)?.[1] ?? 0;
  if (minor >= oldestMinor) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `Kubernetes ${version} is older than 1.${oldestMinor}, the oldest that the drivers work with`,
    remedy: `Upgrade Kubernetes to 1.${oldestMinor} first, with the in-tree cloud provider, which is there until 1.29. Volumes of the in-tree provider are served by a CSI driver from 1.26 on: if there are any, install the upstream vSphere CSI driver before that.`,
  });
};

/** The address of the datastore on which the in-tree provider put volumes whose class names none. */
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

interface Look {
  readonly datastoreUrls: ReadonlyMap<string, string>;
  readonly failed: readonly CheckOutcome[];
  /** vCenters that do not let the account in, and why. */
  readonly shut: readonly string[];
}

/** Logs in with the accounts of the file, and looks at what the drivers will need. */
const lookAtVCenters = async (
  context: CliContext,
  cluster: Cluster,
  input: {
    readonly config: DriverConfig;
    readonly draft: VSphereDrivers;
    readonly accounts: ReadonlyMap<string, Account>;
  },
): Promise<Look> => {
  const { kube, namespace } = cluster;
  const { draft: resource, accounts, config } = input;
  const specs = resource.spec.vcenters;
  const progress = createProgress(context);
  progress.update(`looking at ${specs.map(({ server }) => server).join(', ')}`);
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

/** vdoctl migrate in-tree */
export const migrateInTree: CommandRun<MigrateInTreeFlags> = async (context, flags) => {
  const { signal } = context;
  const { config, warnings, caBundles } = await readInTreeFile(flags.config, flags.caFile);
  return withCluster(context, flags, async (cluster) => {
    const { kube, namespace } = cluster;
    const secretName = flags.credentialsSecret;
    const facts = await readInTreeFacts(kube, signal);
    requireVersion(facts.kubernetesVersion);
    const servers = config.vcenters.map(({ server }) => server);
    const accounts = await accountsOf(config, kube, signal);
    const stored = await storedServers(cluster, secretName, servers, signal);
    const input = { config, distribution: flags.distribution, secretName, caBundles };
    const draft = parseVSphereDrivers(resourceOf(specOfInTree({ ...input, datastoreUrls: new Map() }).spec));
    const canLogIn = servers.every((server) => accounts.has(server) || stored.includes(server));
    const look: Look =
      flags.checks && canLogIn && !facts.resource
        ? await lookAtVCenters(context, cluster, { config, draft, accounts })
        : { datastoreUrls: new Map(), failed: [], shut: [] };
    const { spec, notes } = specOfInTree({ ...input, datastoreUrls: look.datastoreUrls });
    const plan = planInTree({
      facts,
      namespace,
      secretName,
      accounts: servers.map((server) => ({ server, isStored: stored.includes(server), isKnown: accounts.has(server) })),
    });
    const { volumes } = facts;
    const blockers = [...look.shut, ...plan.blockers];
    const report = { ...plan, blockers, volumes, notes, warnings, failed: look.failed };
    const mayCreate = !facts.resource && canLogIn;
    return carryOut(context, flags, cluster, { report, spec, secretName, accounts, stored, mayCreate });
  });
};
