import { VdoError } from '@vdo/base/vdo-error';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { createProgress } from '../../output/progress.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import type { MigrateUndoFlags } from './command.ts';
import { createDriversMigration } from './drivers/drivers-migration.ts';
import { createJourney } from './engine/journey.ts';
import type { Migration } from './engine/migration.ts';
import { type MigrationRecord, readRecord } from './engine/record.ts';
import { viewOf } from './engine/step.ts';
import { createInTreeMigration } from './in-tree/in-tree-migration.ts';
import { undoLines } from './migration-view.ts';
import { ahead, confirmedIds, sceneOf } from './run-migration.ts';
import { createVdoMigration } from './vdo/vdo-migration.ts';

/** The migration of a record. Undo needs neither the file nor an account. */
const migrationOf = ({ kind, distribution, secretName }: MigrationRecord): Migration => {
  const options = { distribution, secretName };
  if (kind === 'vdo') return createVdoMigration(options);
  return kind === 'drivers' ? createDriversMigration(options) : createInTreeMigration(options);
};

const nothingToUndo = (record: MigrationRecord | undefined): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: record
      ? `the migration from ${record.kind} that was started at ${record.begun} is finished and can no longer be undone`
      : 'no migration has been started in this cluster',
    remedy: record
      ? 'Run vdoctl uninstall --orphan-volumes, which keeps the volumes. Then install the previous drivers again.'
      : 'Run vdoctl status to see what is installed.',
  });

/** vdoctl migrate undo */
export const migrateUndo: CommandRun<MigrateUndoFlags> = (context, flags) =>
  withCluster(context, flags, async (cluster) => {
    const { terminal, signal } = context;
    const progress = createProgress(context);
    const stored = await readRecord(cluster.kube, signal);
    if (!stored || stored.record.state === 'finished') throw nothingToUndo(stored?.record);
    const { record } = stored;
    const journey = createJourney(sceneOf(context, cluster, flags, progress), migrationOf(record));
    if (record.state === 'undone') {
      await journey.back(() => {});
      terminal.err('The previous state is restored.\n');
      return exitCodes.done;
    }
    const turns = journey.turns(await journey.observe(stored, 'back'), 'back');
    const differences = await journey.differences(record);
    printResult(context, flags.output, {
      data: { begun: record.begun, kind: record.kind, steps: turns.map(viewOf), differences },
      lines: ({ wide }) => undoLines({ record, steps: turns.map(viewOf), differences, wide }),
    });
    const ids = confirmedIds(turns, flags.confirm, 'back');
    if (flags.dryRun) return exitCodes.done;
    const what = ahead(turns).map((turn) => turn.what);
    const question = `Undo the migration on ${cluster.server}: ${[...what, 'delete its record and backup'].join('; ')}?`;
    if (!(await confirm(context, flags, question))) {
      terminal.err('Nothing was changed.\n');
      return exitCodes.failed;
    }
    try {
      if (ids.length > 0) await journey.confirm(ids);
      const left = await journey.back((text) => progress.update(text));
      progress.end();
      const open = left.filter(({ state }) => state === 'due' || state === 'waits');
      terminal.err(
        open.length === 0
          ? 'The previous state is restored.\n'
          : `All automatic undo steps up to here are done. Next, do this yourself: ${open[0]?.what}. Run vdoctl migrate undo --dry-run for instructions.\n`,
      );
      return exitCodes.done;
    } finally {
      progress.end();
    }
  });
