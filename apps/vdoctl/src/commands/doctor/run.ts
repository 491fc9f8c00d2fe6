import { VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import { type CheckGroup, checkGroups, docsAnchor } from '@vdo/checks/check';
import { checksOf, runChecks } from '@vdo/checks/run-checks';
import { worstFirst } from '@vdo/checks/summarize';
import { gatherHere } from '../../checkup/gather.ts';
import { withVCenters } from '../../checkup/open-vcenters.ts';
import { readResource, readResourceFile } from '../../checkup/read-resource.ts';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { withCluster } from '../../cluster/open-cluster.ts';
import { printResult } from '../../output/print-result.ts';
import { paintFor } from '../../output/style.ts';
import { createProgress } from '../../progress/progress.ts';
import type { DoctorFlags } from './command.ts';
import { countOf, doctorLines } from './view.ts';

const groupsOf = (only: readonly string[]): readonly CheckGroup[] => {
  const stranger = only.find((group) => !(checkGroups as readonly string[]).includes(group));
  if (stranger !== undefined) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `--only ${stranger}: there is no such group of checks`,
      remedy: `Name some of ${checkGroups.join(', ')}, separated by commas.`,
    });
  }
  return only.length === 0 ? checkGroups : checkGroups.filter((group) => only.includes(group));
};

/** vdoctl doctor */
export const doctor: CommandRun<DoctorFlags> = (context, flags) =>
  withCluster(context, flags, async (cluster) => {
    const { signal, terminal } = context;
    const groups = groupsOf(flags.only);
    const resource =
      flags.file === undefined ? await readResource(cluster.kube, signal) : await readResourceFile(flags.file);
    const progress = createProgress(context);
    progress.update(
      `looking at ${cluster.server} and ${resource.spec.vcenters.map(({ server }) => server).join(', ')}`,
    );
    const input = { kube: cluster.kube, namespace: cluster.namespace, specs: resource.spec.vcenters };
    const facts = await withVCenters(context, input, (vcenters) =>
      gatherHere(context, { cluster, resource, vcenters, groups }),
    ).finally(() => progress.end());
    const outcomes = runChecks(checksOf(allChecks, groups), facts);
    printResult(context, flags.output, {
      data: outcomes
        .toSorted(worstFirst)
        .map((outcome) => ({ ...outcome, docs: `docs/reference/${docsAnchor(outcome.id)}` })),
      lines: () =>
        doctorLines(outcomes, {
          paint: paintFor(context, flags),
          width: Math.min(terminal.columns ?? 100, 120),
          all: flags.all,
        }),
    });
    return countOf(outcomes, 'Fail') > 0 ? exitCodes.unhealthy : exitCodes.done;
  });
