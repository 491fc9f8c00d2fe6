import { VdoError } from '@vdo/base/vdo-error';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { type Account, findAccount } from '@vdo/config/credentials';
import type { DriverConfig } from '@vdo/config/driver-config';
import type { KubeClient } from '@vdo/kube/client';
import { readClusterFacts } from '../engine/cluster-facts.ts';
import { wantedAccounts } from '../engine/merge-vcenters.ts';
import type { Migration, Source } from '../engine/migration.ts';
import type { MigrationRecord } from '../engine/record.ts';
import { resourceOf } from '../engine/resource-of.ts';
import { type InTreeFacts, readInTreeFacts } from './in-tree-facts.ts';
import { specOfInTree } from './in-tree-spec.ts';
import { inTreeBlockers, inTreePhases } from './in-tree-steps.ts';
import { withoutInTree } from './kubeadm-settings.ts';
import type { Observed } from './observe-vcenters.ts';
import { accountsOf, type InTreeFile } from './read-in-tree-file.ts';
import { minorOf, oldestMinor, upgradePath } from './upgrade-path.ts';

export interface InTreeOptions {
  readonly distribution: 'Native' | 'Upstream';
  readonly secretName: string;
  /** Absent if the migration is continued without the file: all data but the accounts is in the record. */
  readonly file?: InTreeFile;
  /** Logs in to the vCenters with the accounts of the file; absent: vCenter is not checked. */
  readonly observeVCenters?: (input: {
    readonly config: DriverConfig;
    readonly draft: VSphereDrivers;
    readonly accounts: ReadonlyMap<string, Account>;
  }) => Promise<Observed>;
}

const nothing: Observed = { datastoreUrls: new Map(), failed: [], shut: [] };

const requireFile = (file: InTreeFile | undefined): InTreeFile => {
  if (file) return file;
  throw new VdoError({
    code: 'InvalidArgument',
    message: 'no migration has been started in this cluster, and --config is missing',
    remedy: 'Pass the vsphere.conf of the in-tree provider with --config.',
  });
};

const canLogIn = async (
  kube: KubeClient,
  servers: readonly string[],
  accounts: ReadonlyMap<string, Account>,
  options: { readonly namespace: string; readonly secretName: string; readonly signal: AbortSignal },
): Promise<boolean> => {
  const { secretName, namespace, signal } = options;
  const facts = await readClusterFacts(kube, { namespace, secretNames: [secretName], signal });
  const stored = facts.accounts.get(secretName) ?? {};
  const isKnown = (server: string) => accounts.has(server) || findAccount(stored, server).account !== undefined;
  return facts.resource === undefined && servers.every(isKnown);
};

/** A cluster that is too old is not changed: only its upgrade path is shown. */
const tooOld = (version: string): readonly string[] =>
  minorOf(version) < oldestMinor
    ? [
        `Kubernetes ${version} is older than 1.${oldestMinor}, the oldest supported version: upgrade the cluster first, as shown in the steps`,
      ]
    : [];

const beforeOf = ({ kubeadm, programs }: InTreeFacts): Source['before'] => ({
  helm: [],
  kubeadm: kubeadm !== undefined && withoutInTree(kubeadm) !== kubeadm ? kubeadm : null,
  programs: programs.map((one) => ({ ...one, gates: [...one.gates] })),
});

/** Migration from the provider that was part of Kubernetes until 1.29. */
export const createInTreeMigration = (options: InTreeOptions): Migration => ({
  kind: 'in-tree',
  source: 'the file',
  pointOfNoReturn:
    'the backup for undo is deleted. After an upgrade to Kubernetes 1.30, which has no in-tree provider, it cannot be undone either',
  finish: async () => {},
  read: async ({ kube, namespace, signal }, record?: MigrationRecord): Promise<Source> => {
    const facts = await readInTreeFacts(kube, signal);
    const file = record ? options.file : requireFile(options.file);
    const accounts = file ? await accountsOf(file.config, kube, signal) : new Map<string, Account>();
    const version = await kube.serverVersion({ signal });
    const old = tooOld(version);
    const from = async (given: InTreeFile) => {
      const { config, caBundles } = given;
      const { distribution, secretName } = options;
      const input = { config, distribution, secretName, caBundles };
      const draft = parseVSphereDrivers(resourceOf(specOfInTree({ ...input, datastoreUrls: new Map() }).spec));
      const servers = config.vcenters.map(({ server }) => server);
      const mayObserve =
        old.length === 0 && (await canLogIn(kube, servers, accounts, { namespace, secretName, signal }));
      const observe = mayObserve ? await options.observeVCenters?.({ config, draft, accounts }) : undefined;
      const { datastoreUrls, failed, shut } = observe ?? nothing;
      return { ...specOfInTree({ ...input, datastoreUrls }), failed, shut, warnings: given.warnings };
    };
    const found = record
      ? { spec: record.spec, notes: [], failed: [], shut: [], warnings: [] }
      : await from(requireFile(file));
    const hasDriver = facts.nodes.some((node) => node.hasDriver);
    const path = upgradePath(version, { hasVolumes: facts.volumes.length > 0, hasDriver });
    return {
      spec: found.spec,
      accounts: wantedAccounts(found.spec, { cpi: accounts, csi: accounts }, 'the file'),
      extra: [],
      blockers: [...old, ...found.shut, ...inTreeBlockers(facts)],
      failed: found.failed,
      notes: found.notes,
      warnings: found.warnings,
      volumes: facts.volumes,
      first: () => path.map((step) => [step]),
      last: (scene, _cluster, before) => inTreePhases(scene, facts, before),
      before: beforeOf(facts),
    };
  },
});
