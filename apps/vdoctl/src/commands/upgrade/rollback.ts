import { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import { createConfigMapState } from '@vdo/kube/config-map-state';
import { releaseHistorySchema } from '@vdo/releases/notes';
import type { ReleaseHistory } from '@vdo/releases/release-history';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { renderTable } from '../../output/table.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { readResource } from '../../shared/cluster/read-resource.ts';
import { readMatrixInUse } from '../../shared/releases/matrix-in-use.ts';
import { changeReleases } from './change-releases.ts';
import type { RollbackFlags } from './commands.ts';
import { planRollback, type RollbackStep, requirePossible } from './rollback-plan.ts';

const isHistory = (value: unknown): boolean => releaseHistorySchema.safeParse(value).success;

const table = (steps: readonly RollbackStep[]): readonly string[] =>
  renderTable(
    [
      { title: 'driver', value: ({ driver }: RollbackStep) => driver.toUpperCase() },
      { title: 'running', value: ({ running }: RollbackStep) => running ?? '' },
      { title: 'roll back to', value: ({ to }: RollbackStep) => to ?? 'unchanged' },
      { title: 'good releases', value: ({ known }: RollbackStep) => known.join(', ') },
    ],
    steps,
  );

/** vdoctl rollback */
export const rollback: CommandRun<RollbackFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, namespace, server }) => {
    const { signal, terminal } = context;
    const resource = await readResource(kube, signal);
    const state = { client: kube, namespace, name: names.releaseHistory, key: 'state', isValid: isHistory };
    const history = await createConfigMapState<ReleaseHistory>(state, {}).load();
    const steps = planRollback({ resource, history, named: { cpi: flags.toCpi, csi: flags.toCsi } });
    printResult(context, flags.output, { data: steps, lines: () => table(steps) });
    const due = steps.filter(({ to, running }) => to !== null && to !== running);
    if (due.length === 0) {
      throw new VdoError({
        code: 'InvalidArgument',
        message: 'there is no release to roll back to: no older release was healthy in this cluster',
        remedy: 'Choose one with --to-cpi or --to-csi. Run vdoctl matrix show to list the releases.',
      });
    }
    const { matrix } = await readMatrixInUse(kube, { namespace, signal });
    const kubernetesVersion = await kube.serverVersion({ signal });
    requirePossible(steps, { resource, history, matrix, kubernetesVersion });
    if (flags.dryRun) return exitCodes.done;
    if (!(await confirm(context, flags, `Roll back on ${server}?`))) {
      terminal.err('Nothing was changed.\n');
      return exitCodes.failed;
    }
    const versions = Object.fromEntries(
      steps.flatMap(({ driver, to, running }) => {
        const version = to ?? running;
        return version === null ? [] : [[driver, version] as const];
      }),
    );
    await changeReleases(kube, { policy: 'Pinned', versions }, flags, context);
    return exitCodes.done;
  });
