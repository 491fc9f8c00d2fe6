import { allChecks } from '@vdo/checks/all-checks';
import type { VCenterFacts } from '@vdo/checks/facts/vcenter-facts';
import { checksOf, runChecks } from '@vdo/checks/run-checks';
import { worstFirst } from '@vdo/checks/summarize';
import type { GatherDeps } from '@vdo/gather/gather-deps';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { printResult } from '../../output/print-result.ts';
import { paintFor } from '../../output/style.ts';
import { countOf, doctorLines } from '../../shared/checkup/doctor-lines.ts';
import { gatherHere } from '../../shared/checkup/gather.ts';
import { type OpenVCenter, withAccounts } from '../../shared/checkup/open-vcenters.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { readResource, readResourceFile } from '../../shared/cluster/read-resource.ts';
import { asAccount } from '../../shared/vsphere/as-account.ts';
import { withVCenter } from '../../shared/vsphere/with-vcenter.ts';
import { chooseVCenter } from './account/gather-account.ts';
import type { UserVerifyFlags } from './user-commands.ts';

const accountLine = ({ server, secret }: VCenterFacts): string => {
  const username = secret.lookup && 'account' in secret.lookup ? secret.lookup.account.username : undefined;
  return `Account ${username ?? 'unknown'} on vCenter ${server}`;
};

/** vdoctl vsphere user verify */
export const verifyUser: CommandRun<UserVerifyFlags> = (context, flags) =>
  withCluster(context, flags, async (cluster) => {
    const { signal, terminal } = context;
    const { kube, namespace } = cluster;
    const resource = flags.file === undefined ? await readResource(kube, signal) : await readResourceFile(flags.file);
    const specs =
      flags.server === undefined && flags.user === undefined
        ? resource.spec.vcenters
        : [chooseVCenter(resource, flags.server)];
    const [spec] = specs;
    const observe = (vcenters: readonly OpenVCenter[], accounts: NonNullable<GatherDeps['accounts']> = []) =>
      gatherHere(context, { cluster, resource, vcenters, accounts, groups: ['privileges', 'node'] });
    const facts =
      flags.user === undefined || !spec
        ? await withAccounts(context, { kube, namespace, spec: { ...resource.spec, vcenters: specs } }, (opened) =>
            observe(opened.vcenters, opened.accounts),
          )
        : await withVCenter(
            context,
            flags,
            async (vcenter, { username }) => asAccount(await observe([{ spec, vcenter }]), username),
            { spec },
          );
    // For VMs that the account cannot see, the privilege checks have no result.
    const checks = [...checksOf(allChecks, ['privileges']), ...allChecks.filter(({ id }) => id === 'node/vm-found')];
    const outcomes = runChecks(checks, facts);
    printResult(context, flags.output, {
      data: outcomes.toSorted(worstFirst),
      lines: () => {
        const [verdict = '', ...rest] = doctorLines(outcomes, {
          paint: paintFor(context, flags),
          width: Math.min(terminal.columns ?? 100, 120),
          all: flags.all,
        });
        return [verdict, ...[...facts.vcenters, ...(facts.accounts ?? [])].map(accountLine), ...rest];
      },
    });
    const bad = countOf(outcomes, 'Fail') + countOf(outcomes, 'Unknown');
    return bad > 0 ? exitCodes.unhealthy : exitCodes.done;
  });
