import { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import { createConfigMapState } from '@vdo/kube/config-map-state';
import type { ReleaseHistory } from '@vdo/releases/release-history';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { renderTable } from '../../output/table.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { readResource } from '../../shared/cluster/read-resource.ts';
import { changeReleases } from './change-releases.ts';
import type { RollbackFlags } from './commands.ts';

interface Step {
  readonly driver: 'cpi' | 'csi';
  readonly running: string | null;
  readonly to: string | null;
}

/** vdoctl rollback */
export const rollback: CommandRun<RollbackFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, namespace, server }) => {
    const { signal, terminal } = context;
    const resource = await readResource(kube, signal);
    const state = { client: kube, namespace, name: names.releaseHistory, key: 'state' };
    const history = await createConfigMapState<ReleaseHistory>(state, {}).load();
    const named = { cpi: flags.toCpi, csi: flags.toCsi };
    const steps = (['cpi', 'csi'] as const)
      .filter((driver) => resource.spec[driver] !== undefined)
      .map((driver): Step => {
        const running = resource.status?.drivers?.find(({ kind }) => kind === driver.toUpperCase())?.version ?? null;
        const good = history[driver]?.good?.version;
        // The last good release is the running one once an upgrade is over: then there is nothing to guess from.
        return { driver, running, to: named[driver] ?? (good === running ? null : (good ?? null)) };
      });
    printResult(context, flags.output, {
      data: steps,
      lines: () =>
        renderTable(
          [
            { title: 'driver', value: ({ driver }: Step) => driver.toUpperCase() },
            { title: 'running', value: ({ running }: Step) => running ?? '' },
            { title: 'back to', value: ({ to }: Step) => to ?? 'stays' },
          ],
          steps,
        ),
    });
    const due = steps.filter(({ to, running }) => to !== null && to !== running);
    if (due.length === 0) {
      throw new VdoError({
        code: 'InvalidArgument',
        message: 'there is no release to go back to: the running ones are the last that were healthy',
        remedy: 'Name one with --to-cpi or --to-csi; vdoctl matrix show lists them.',
      });
    }
    if (flags.dryRun) return exitCodes.done;
    if (!(await confirm(context, flags, `Go back on ${server}?`))) {
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
