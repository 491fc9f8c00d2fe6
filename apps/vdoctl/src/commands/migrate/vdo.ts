import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import type { CommandRun } from '../../cli/command-run.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { carryOut, resourceOf, storedServers } from './carry-out.ts';
import type { MigrateVdoFlags } from './command.ts';
import { readFormerFacts } from './former-facts.ts';
import { planFormer } from './former-plan.ts';
import { specOfFormer } from './former-spec.ts';

/** vdoctl migrate vdo */
export const migrateVdo: CommandRun<MigrateVdoFlags> = (context, flags) =>
  withCluster(context, flags, async (cluster) => {
    const { signal } = context;
    const secretName = flags.credentialsSecret;
    const facts = await readFormerFacts(cluster.kube, signal);
    const { spec, notes } = specOfFormer(facts, { distribution: flags.distribution, secretName });
    // Refused here with the field's name rather than by the API server half-way.
    parseVSphereDrivers(resourceOf(spec));
    const servers = spec.vcenters.map(({ server }) => server);
    const stored = await storedServers(cluster, secretName, servers, signal);
    const accounts = servers.map((server) => ({
      server,
      isStored: stored.includes(server),
      isKnown: facts.accounts.has(server),
    }));
    const plan = planFormer({ facts, namespace: cluster.namespace, secretName, accounts });
    return carryOut(context, flags, cluster, {
      report: { ...plan, notes, volumes: [], warnings: [], failed: [] },
      spec,
      secretName,
      accounts: new Map([...facts.accounts].filter(([server]) => servers.includes(server))),
      stored,
      mayCreate: !facts.resource && accounts.every(({ isStored, isKnown }) => isStored || isKnown),
    });
  });
