import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { type Account, decodeSecretData, findAccount } from '@vdo/config/credentials';
import { secrets } from '@vdo/kube/types/core';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import type { ConfirmFlags, OutputFlags } from '../../cli/options.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import type { Cluster } from '../../shared/cluster/open-cluster.ts';
import { writeSecret } from '../../shared/vsphere/store-password.ts';
import { type MigrationReport, migrationLines } from './in-tree-view.ts';

export const resourceOf = (spec: unknown) => ({
  apiVersion: `${vsphereDrivers.group}/${vsphereDrivers.version}`,
  kind: vsphereDrivers.kind,
  metadata: { name: vsphereDriversName },
  spec,
});

/** The servers whose accounts the Secret has. */
export const storedServers = async (
  { kube, namespace }: Cluster,
  name: string,
  servers: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const secret = await kube.find(secrets, { namespace, name }, { signal });
  const data = decodeSecretData(secret?.data);
  return servers.filter((server) => secret && findAccount(data, server).account);
};

export interface Migration {
  readonly report: MigrationReport;
  readonly spec: unknown;
  readonly secretName: string;
  /** Server → account to be put into the Secret, unless it is there. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly stored: readonly string[];
  /** The resource is not there yet, and every account is known. */
  readonly mayCreate: boolean;
}

/** Shows the plan, asks, and does those of its steps that are due and vdoctl's. */
export const carryOut = async (
  context: CliContext,
  flags: OutputFlags & ConfirmFlags,
  cluster: Cluster,
  { report, spec, secretName, accounts, stored, mayCreate }: Migration,
): Promise<number> => {
  const { signal, terminal } = context;
  const { kube, namespace } = cluster;
  printResult(context, flags.output, {
    data: { ...report, resource: resourceOf(spec) },
    lines: ({ wide }) => migrationLines(report, { wide, width: Math.min(terminal.columns ?? 100, 120) }),
  });
  if (report.blockers.length + report.failed.length > 0) return exitCodes.unhealthy;
  const due = report.steps.filter(({ who, state }) => who === 'vdoctl' && state === 'due');
  if (flags.dryRun || due.length === 0) return exitCodes.done;
  if (!(await confirm(context, flags, `Write this to ${cluster.server}: ${due.map(({ what }) => what).join('; ')}?`))) {
    terminal.err('Nothing was changed.\n');
    return exitCodes.failed;
  }
  for (const [server, account] of accounts)
    if (!stored.includes(server)) await writeSecret({ kube, namespace, name: secretName, server, signal }, account);
  if (mayCreate)
    await kube.create(vsphereDrivers, resourceOf(spec) as unknown as VSphereDrivers, {
      fieldManager: 'vdoctl',
      signal,
    });
  terminal.err('Written. Run the same command again for the next step; vdoctl status --watch shows the drivers.\n');
  return exitCodes.done;
};
