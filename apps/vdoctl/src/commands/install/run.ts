import { createObjectApplier } from '@vdo/kube/apply/apply-objects';
import { diffObjects, type ObjectDiff } from '@vdo/kube/apply/diff';
import { describeRef, refOf } from '@vdo/kube/apply/object-ref';
import { waitForReady } from '@vdo/kube/apply/wait-for-ready';
import { manifestYaml } from '@vdo/releases/render/manifest-yaml';
import { names } from '@vdo/releases/render/names';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { withCluster } from '../../cluster/open-cluster.ts';
import { operatorObjects } from '../../install/operator-objects.ts';
import { printResult } from '../../output/print-result.ts';
import { renderTable } from '../../output/table.ts';
import { confirm } from '../../progress/confirm.ts';
import { createProgress } from '../../progress/progress.ts';
import type { InstallFlags } from './command.ts';

const fieldManager = 'vdoctl';
const actionWords = { create: 'create', change: 'change', none: 'leave as it is' } as const;

const planLines = (diffs: readonly ObjectDiff[], wide: boolean): readonly string[] => [
  ...renderTable(
    [
      { title: 'action', value: ({ action }: ObjectDiff) => actionWords[action] },
      { title: 'object', value: ({ ref }: ObjectDiff) => describeRef(ref) },
      { title: 'fields', value: ({ fields }: ObjectDiff) => fields.map(({ path }) => path).join(', '), wide: true },
    ],
    diffs,
    { wide },
  ),
];

/** vdoctl install */
export const install: CommandRun<InstallFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, server }) => {
    const { signal, clock } = context;
    const version = flags.operatorVersion ?? context.version;
    const objects = operatorObjects({ ...flags, version });
    if (flags.dryRun && flags.output === 'yaml') {
      context.terminal.out(manifestYaml(objects));
      return exitCodes.done;
    }
    const diffs = await diffObjects(kube, objects, { fieldManager, force: true, signal });
    const changes = diffs.filter(({ action }) => action !== 'none');
    if (flags.dryRun || changes.length === 0) {
      printResult(context, flags.output, {
        data: { server, version, changes: changes.map(({ ref, action, fields }) => ({ action, ...ref, fields })) },
        lines: ({ wide }) =>
          changes.length === 0
            ? [`The operator ${version} is installed already; nothing would change.`]
            : planLines(changes, wide),
      });
      return exitCodes.done;
    }
    const question = `Install the VDO operator ${version} on ${server}: ${changes.length} objects are created or changed. Go on?`;
    if (!(await confirm(context, flags, question))) {
      context.terminal.err('Nothing was changed.\n');
      return exitCodes.failed;
    }
    const progress = createProgress(context);
    try {
      const { applyAll } = createObjectApplier({ client: kube, fieldManager, force: true, clock });
      for (const object of objects) {
        progress.update(`applying ${describeRef(refOf(object))}`);
        await applyAll([object], { signal });
      }
      progress.done(`${objects.length} objects applied`);
      if (flags.wait) {
        const deployment = {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          namespace: names.namespace,
          name: names.operator,
        };
        await waitForReady(kube, [deployment], {
          clock,
          signal,
          timeoutMs: flags.timeout * 1000,
          onProgress: (waiting) => progress.update(waiting.map(({ message }) => message).join('; ')),
        });
        progress.done(`the operator ${version} runs`);
      }
    } finally {
      progress.end();
    }
    context.terminal.err('Next: vdoctl configure says which vCenter and drivers; vdoctl status shows how they are.\n');
    return exitCodes.done;
  });
