import { VdoError } from '@vdo/base/vdo-error';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { createProgress, type Progress } from '../../output/progress.ts';
import type { Cluster } from '../../shared/cluster/open-cluster.ts';
import { applyOperator, hasPolicies } from '../../shared/operator/apply-operator.ts';
import { operatorImage, operatorObjects } from '../../shared/operator/operator-objects.ts';
import { removable, removeOperator } from '../../shared/operator/remove-operator.ts';
import { requireNamespace } from '../../shared/operator/require-namespace.ts';
import type { MigrateFlags } from './command.ts';
import { createJourney, type Journey } from './engine/journey.ts';
import type { Migration, Station } from './engine/migration.ts';
import { type MigrationRecord, readRecord, type StoredRecord } from './engine/record.ts';
import { resourceOf } from './engine/resource-of.ts';
import type { Scene } from './engine/scene.ts';
import { confirmationOf, type Turn, viewOf, type Way } from './engine/step.ts';
import { type MigrationReport, migrationLines } from './migration-view.ts';

/** The dependencies of the engine, from the context of a command. */
export const sceneOf = (
  context: CliContext,
  { kube, namespace }: Cluster,
  flags: { readonly timeout: number },
  progress: Progress,
): Scene => {
  requireNamespace(namespace);
  const { clock, random, signal, version } = context;
  const waiting = { wait: true, timeout: flags.timeout, keepCrds: false };
  return {
    kube,
    clock,
    random,
    signal,
    namespace,
    timeoutMs: flags.timeout * 1000,
    releases: loadEmbeddedMatrix().releases,
    installOperator: async () => {
      const guard = await hasPolicies(kube, signal);
      const objects = operatorObjects({ version, image: operatorImage, replicas: 1, guard });
      await applyOperator({ ...context, kube }, waiting, { version, objects });
    },
    removeOperator: () =>
      removeOperator({ kube, refs: removable(waiting), resource: undefined }, waiting, context, progress),
  };
};

const refuse = (message: string, remedy: string): VdoError =>
  new VdoError({ code: 'InvalidArgument', message: `${message}; nothing was changed`, remedy });

/** The record of the migration to continue; undefined: a new one starts. */
const recordFor = (
  kind: MigrationRecord['kind'],
  flags: MigrateFlags,
  stored: StoredRecord | undefined,
): StoredRecord | undefined => {
  const record = stored?.record;
  if (!record || record.state === 'undone') return undefined;
  if (record.state === 'finished') return record.kind === kind ? stored : undefined;
  if (record.state === 'back')
    throw refuse(
      `the migration from ${record.kind} that was started at ${record.begun} is being undone`,
      'Complete the undo first: vdoctl migrate undo. Then start again.',
    );
  if (record.kind !== kind)
    throw refuse(
      `another migration, from ${record.kind}, was started in this cluster at ${record.begun}`,
      `Continue it with vdoctl migrate ${record.kind}, or undo it with vdoctl migrate undo.`,
    );
  if (flags.distribution !== undefined && flags.distribution !== record.distribution)
    throw refuse(
      `the migration was started with --distribution ${record.distribution}, not ${flags.distribution}`,
      'Undo the migration (vdoctl migrate undo) and start again. Or change the distribution after the migration: vdoctl configure.',
    );
  return stored;
};

const requireDistribution = (flags: MigrateFlags, record: MigrationRecord | undefined) => {
  const distribution = record?.distribution ?? flags.distribution;
  if (distribution !== undefined) return distribution;
  throw refuse(
    'no migration has been started in this cluster, and --distribution is missing',
    'Choose the drivers: --distribution Upstream continues to use the drivers of the Kubernetes project.',
  );
};

/** Confirmed names must be names of steps that are not visible in the cluster. */
export const confirmedIds = (turns: readonly Turn[], given: readonly string[], way: Way): readonly string[] => {
  const open = turns.filter(({ isDone }) => isDone === undefined).map(({ id }) => id);
  const unknown = given.find((id) => !open.includes(id));
  if (unknown === undefined) return given.map((id) => confirmationOf(way, id));
  throw refuse(
    `--confirm ${unknown} is not a step that can be confirmed`,
    open.length === 0 ? 'No step needs a confirmation.' : `Steps that can be confirmed: ${open.join(', ')}.`,
  );
};

const reportOf = (station: Station, turns: readonly Turn[], differences: readonly string[]): MigrationReport => {
  const { source, record } = station;
  const { blockers, failed, notes, warnings, volumes } = source;
  const summary = record ? { begun: record.begun, before: record.before.snapshot.volumeCount, differences } : undefined;
  return {
    steps: turns.map(viewOf),
    blockers: record?.state === 'finished' ? [] : blockers,
    failed,
    notes,
    warnings,
    volumes,
    ...(summary ? { record: summary } : {}),
  };
};

/** The steps of vdoctl that can run now, one after the other, without a manual step in between. */
export const ahead = (turns: readonly Turn[]): readonly Turn[] => {
  const stop = turns.findIndex(({ state, who, isDone }) => state !== 'done' && who === 'you' && isDone === false);
  return (stop < 0 ? turns : turns.slice(0, stop)).filter(
    ({ state, who, perform, isDone }) => who === 'vdoctl' && state !== 'done' && (perform || isDone === false),
  );
};

const finish = async (
  context: CliContext,
  flags: MigrateFlags,
  journey: Journey,
  { migration, turns, stored }: { migration: Migration; turns: readonly Turn[]; stored: StoredRecord },
): Promise<number> => {
  const open = turns.filter(({ state }) => state !== 'done');
  if (open.length > 0)
    throw refuse(
      `${open.length} steps are not done: ${open.map(({ id }) => id).join(', ')}`,
      'Do them first. Confirm steps that are not visible in the cluster with --confirm STEP.',
    );
  const differences = await journey.differences(stored.record);
  if (differences.length > 0 && !flags.acceptDifferences)
    throw new VdoError({
      code: 'ActRefused',
      message: `something differs from before the migration: ${differences.slice(0, 5).join('; ')}${differences.length > 5 ? '; …' : ''}`,
      remedy:
        'If the differences are intended, run the command again with --accept-differences. To undo the migration, run vdoctl migrate undo.',
    });
  if (!(await confirm(context, flags, `Point of no return: ${migration.pointOfNoReturn}. Finish the migration?`))) {
    context.terminal.err('Not finished; nothing was changed.\n');
    return exitCodes.failed;
  }
  await journey.finish();
  context.terminal.err('Finished. The migration can no longer be undone. Run vdoctl status to see the drivers.\n');
  return exitCodes.done;
};

/** Shows the progress, asks, and runs the steps of vdoctl, up to the next manual step. */
export const runMigration = async (
  context: CliContext,
  flags: MigrateFlags,
  cluster: Cluster,
  migrationOf: (record: MigrationRecord | undefined) => Migration,
): Promise<number> => {
  const { terminal, signal } = context;
  const progress = createProgress(context);
  const scene = sceneOf(context, cluster, flags, progress);
  const any = await readRecord(cluster.kube, signal);
  const migration = migrationOf(undefined);
  const stored = recordFor(migration.kind, flags, any);
  const distribution = requireDistribution(flags, stored?.record);
  const journey = createJourney(scene, migrationOf(stored?.record));
  const width = Math.min(terminal.columns ?? 100, 120);
  if (stored?.record.state === 'finished') {
    await journey.finish();
    terminal.out(`The migration from ${migration.kind}, started at ${stored.record.begun}, is finished.\n`);
    return exitCodes.done;
  }
  const station = await journey.observe(stored);
  const turns = journey.turns(station);
  const differences = stored ? await journey.differences(stored.record) : [];
  const report = reportOf(station, turns, differences);
  printResult(context, flags.output, {
    data: { ...report, pointOfNoReturn: migration.pointOfNoReturn, resource: resourceOf(station.source.spec) },
    lines: ({ wide }) => migrationLines(report, { wide, width, pointOfNoReturn: migration.pointOfNoReturn }),
  });
  const ids = confirmedIds(turns, flags.confirm, 'forward');
  if (report.blockers.length + report.failed.length > 0) return exitCodes.unhealthy;
  const due = ahead(turns);
  if (flags.dryRun) return exitCodes.done;
  if (due.length === 0 && ids.length === 0) {
    if (flags.finish && stored) return finish(context, flags, journey, { migration, turns, stored });
    return exitCodes.done;
  }
  const question = `Do this on ${cluster.server}: ${[...ids.map((id) => `confirm that ${id} is done`), ...due.map(({ what }) => what)].join('; ')}?`;
  if (!(await confirm(context, flags, question))) {
    terminal.err('Nothing was changed.\n');
    return exitCodes.failed;
  }
  try {
    const begun = stored ?? (await journey.begin(station, { distribution, secretName: flags.credentialsSecret }, any));
    if (ids.length > 0) await journey.confirm(ids);
    const left = await journey.forward((text) => progress.update(text));
    const open = left.filter(({ state }) => state !== 'done');
    progress.end();
    if (flags.finish) return await finish(context, flags, journey, { migration, turns: left, stored: begun });
    terminal.err(
      open.length === 0
        ? `All steps are done. vdoctl migrate ${migration.kind} --finish completes the migration; until then, vdoctl migrate undo restores the previous state.\n`
        : `All automatic steps up to here are done. Next, do this yourself: ${open[0]?.what}. Run the same command with --dry-run for instructions.\n`,
    );
    return exitCodes.done;
  } finally {
    progress.end();
  }
};
