import { diffObjects, type ObjectDiff } from '@vdo/kube/apply/diff';
import { describeRef } from '@vdo/kube/apply/object-ref';
import { manifestYaml } from '@vdo/releases/render/shared/manifest-yaml';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { renderTable } from '../../output/table.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { applyOperator, fieldManager, hasPolicies } from '../../shared/operator/apply-operator.ts';
import { operatorObjects } from '../../shared/operator/operator-objects.ts';
import { requireNamespace } from '../../shared/operator/require-namespace.ts';
import type { InstallFlags } from './command.ts';

const actionWords = { create: 'create', change: 'change', none: 'unchanged' } as const;

const countsOf = (diffs: readonly ObjectDiff[]): string =>
  (['create', 'change'] as const)
    .map((wanted) => ({ wanted, count: diffs.filter(({ action }) => action === wanted).length }))
    .filter(({ count }) => count > 0)
    .map(({ wanted, count }) => `${count} ${count === 1 ? 'object' : 'objects'} to ${wanted}`)
    .join(', ');

const planLines = (headline: string, diffs: readonly ObjectDiff[], wide: boolean): readonly string[] => [
  `${headline}: ${countsOf(diffs)}. Nothing was changed.`,
  '',
  ...renderTable(
    [
      { title: 'action', value: ({ action }: ObjectDiff) => actionWords[action] },
      { title: 'object', value: ({ ref }: ObjectDiff) => describeRef(ref) },
      { title: 'fields', value: ({ fields }: ObjectDiff) => fields.map(({ path }) => path).join(', '), wide: true },
    ],
    diffs,
    { wide },
  ),
  '',
  'Next: run the same command without --dry-run.',
];

/** vdoctl install */
export const install: CommandRun<InstallFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, server, namespace }) => {
    const { signal } = context;
    requireNamespace(namespace);
    const version = flags.operatorVersion ?? context.version;
    const objects = operatorObjects({ ...flags, version, guard: await hasPolicies(kube, signal) });
    if (flags.dryRun && flags.output === 'yaml') {
      context.terminal.out(manifestYaml(objects));
      return exitCodes.done;
    }
    const diffs = await diffObjects(kube, objects, { fieldManager, force: true, signal });
    const changes = diffs.filter(({ action }) => action !== 'none');
    const isInstalled = changes.length === 0;
    if (flags.dryRun || isInstalled) {
      printResult(context, flags.output, {
        data: { server, version, changes: changes.map(({ ref, action, fields }) => ({ action, ...ref, fields })) },
        lines: ({ wide }) =>
          isInstalled
            ? [`The VDO operator ${version} is already installed on ${server}. No changes.`]
            : planLines(`Would install the VDO operator ${version} on ${server}`, changes, wide),
      });
      // The objects may be up to date while the pods are not ready, so wait in both cases.
      if (flags.dryRun || !flags.wait) return exitCodes.done;
    }
    const question = `Install the VDO operator ${version} on ${server}: ${countsOf(changes)}. Continue?`;
    if (!isInstalled && !(await confirm(context, flags, question))) {
      context.terminal.err('Nothing was changed.\n');
      return exitCodes.failed;
    }
    await applyOperator({ ...context, kube }, flags, { version, objects: isInstalled ? [] : objects });
    context.terminal.err('Next: run vdoctl configure to set up the drivers, then vdoctl status to see their health.\n');
    return exitCodes.done;
  });
