import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { printResult } from '../../output/print-result.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { readResource } from '../../shared/cluster/read-resource.ts';
import { matrixData, matrixLine, readMatrixInUse } from '../../shared/releases/matrix-in-use.ts';
import { vcenterVersionsOf } from '../../shared/releases/vcenter-versions.ts';
import type { UpgradeCheckFlags } from './commands.ts';
import { planUpgrade } from './plan.ts';
import { planLines } from './plan-view.ts';

/** vdoctl upgrade check */
export const upgradeCheck: CommandRun<UpgradeCheckFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, namespace }) => {
    const { signal, terminal } = context;
    const resource = await readResource(kube, signal);
    const kubernetesVersion = flags.kubernetes ?? (await kube.serverVersion({ signal }));
    const vcenterVersions = vcenterVersionsOf(resource, flags.vsphere);
    const chosen = await readMatrixInUse(kube, { namespace, signal });
    const plan = planUpgrade({ resource, matrix: chosen.matrix, kubernetesVersion, vcenterVersions });
    const world = [
      `Kubernetes ${kubernetesVersion}`,
      ...vcenterVersions.map(({ server, version }) => `vCenter ${server} ${version}`),
    ];
    printResult(context, flags.output, {
      data: { matrix: matrixData(chosen), kubernetesVersion, vcenterVersions, drivers: plan },
      lines: ({ wide }) => [
        `With ${world.join(' and ')}:`,
        '',
        ...planLines(plan, { wide, width: Math.min(terminal.columns ?? 100, 120) }),
        '',
        matrixLine(chosen),
      ],
    });
    return plan.some(({ verdict }) => verdict === 'none-fits') ? exitCodes.unhealthy : exitCodes.done;
  });
