import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { readResource } from '../../shared/cluster/read-resource.ts';
import { matrixData, matrixLine, readMatrixInUse } from '../../shared/releases/matrix-in-use.ts';
import { vcenterVersionsOf } from '../../shared/releases/vcenter-versions.ts';
import { changeReleases } from './change-releases.ts';
import type { UpgradeFlags } from './commands.ts';
import { type DriverUpgrade, planUpgrade } from './plan.ts';
import { planLines } from './plan-view.ts';

const versionsOf = (plan: readonly DriverUpgrade[]): { readonly cpi?: string; readonly csi?: string } =>
  Object.fromEntries(
    plan.flatMap(({ driver, newest }) => (newest === null ? [] : [[driver.toLowerCase(), newest] as const])),
  );

/** vdoctl upgrade */
export const upgrade: CommandRun<UpgradeFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, namespace, server }) => {
    const { signal, terminal } = context;
    const resource = await readResource(kube, signal);
    const kubernetesVersion = await kube.serverVersion({ signal });
    const chosen = await readMatrixInUse(kube, { namespace, signal });
    const plan = planUpgrade({
      resource,
      matrix: chosen.matrix,
      kubernetesVersion,
      vcenterVersions: vcenterVersionsOf(resource),
    });
    const width = Math.min(terminal.columns ?? 100, 120);
    printResult(context, flags.output, {
      data: { matrix: matrixData(chosen), drivers: plan },
      lines: ({ wide }) => [...planLines(plan, { wide, width }), '', matrixLine(chosen)],
    });
    const stuck = plan.some(({ verdict }) => verdict === 'none-fits');
    const due = plan.filter(({ verdict }) => verdict === 'upgrade' || verdict === 'install');
    if (flags.dryRun || due.length === 0) return stuck ? exitCodes.unhealthy : exitCodes.done;
    const names = due.map(({ driver, running, newest }) => `${driver} ${running ?? 'none'} to ${newest}`).join(', ');
    if (!(await confirm(context, flags, `Upgrade ${names} on ${server}?`))) {
      terminal.err('Nothing was changed.\n');
      return exitCodes.failed;
    }
    // With the policy Automatic, the operator selects the newest itself in its maintenance window; setting versions needs another policy.
    const { policy } = resource.spec.updates;
    const change = { versions: versionsOf(plan), ...(policy === 'Automatic' ? { policy: 'Manual' as const } : {}) };
    await changeReleases(kube, change, flags, context);
    return exitCodes.done;
  });
