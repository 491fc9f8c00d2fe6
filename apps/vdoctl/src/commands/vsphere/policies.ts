import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { printResult } from '../../output/print-result.ts';
import { renderTable } from '../../output/table.ts';
import { withVCenter } from '../../shared/vsphere/with-vcenter.ts';
import type { VSphereReadFlags } from './commands.ts';

/** vdoctl vsphere policies list */
export const listPolicies: CommandRun<VSphereReadFlags> = (context, flags) =>
  withVCenter(context, flags, async ({ policies }) => {
    const found = (await policies.list({ signal: context.signal })).toSorted((left, right) =>
      left.name.localeCompare(right.name),
    );
    printResult(context, flags.output, {
      data: found,
      names: found.map(({ name }) => name),
      lines: (options) =>
        renderTable(
          [
            { title: 'name', value: ({ name }: (typeof found)[number]) => name },
            { title: 'id', value: ({ id }) => id, wide: true },
            { title: 'description', value: ({ description }) => description },
          ],
          found,
          options,
        ),
    });
    return exitCodes.done;
  });
