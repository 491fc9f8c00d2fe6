import { readFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import type { CommandRun } from '../../cli/command-run.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import type { MigrateDriversFlags, MigrateFlags, MigrateInTreeFlags, MigrateVdoFlags } from './command.ts';
import { createDriversMigration } from './drivers/drivers-migration.ts';
import type { MigrationRecord } from './engine/record.ts';
import { createInTreeMigration } from './in-tree/in-tree-migration.ts';
import { observeVCenters } from './in-tree/observe-vcenters.ts';
import { readInTreeFile } from './in-tree/read-in-tree-file.ts';
import { runMigration } from './run-migration.ts';
import { createVdoMigration } from './vdo/vdo-migration.ts';

/** The recorded value; for a new migration, the flag. */
const chosen = (flags: MigrateFlags, record: MigrationRecord | undefined) => ({
  distribution: record?.distribution ?? flags.distribution ?? ('Upstream' as const),
  secretName: record?.secretName ?? flags.credentialsSecret,
});

/** vdoctl migrate vdo */
export const migrateVdo: CommandRun<MigrateVdoFlags> = (context, flags) =>
  withCluster(context, flags, (cluster) =>
    runMigration(context, flags, cluster, (record) =>
      createVdoMigration({ ...chosen(flags, record), vdoConfig: flags.vdoConfig }),
    ),
  );

const readCa = async (file: string | undefined): Promise<string | undefined> => {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `cannot read ${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy: 'Pass a file with the CA certificates in PEM format with --ca-file.',
      cause,
    });
  }
};

/** vdoctl migrate drivers */
export const migrateDrivers: CommandRun<MigrateDriversFlags> = async (context, flags) => {
  const caBundle = await readCa(flags.caFile);
  return withCluster(context, flags, (cluster) =>
    runMigration(context, flags, cluster, (record) =>
      createDriversMigration({ ...chosen(flags, record), ...(caBundle === undefined ? {} : { caBundle }) }),
    ),
  );
};

/** vdoctl migrate in-tree */
export const migrateInTree: CommandRun<MigrateInTreeFlags> = async (context, flags) => {
  const file = flags.config === undefined ? undefined : await readInTreeFile(flags.config, flags.caFile);
  return withCluster(context, flags, (cluster) =>
    runMigration(context, flags, cluster, (record) =>
      createInTreeMigration({
        ...chosen(flags, record),
        ...(file ? { file } : {}),
        ...(flags.checks ? { observeVCenters: (input) => observeVCenters(context, cluster, input) } : {}),
      }),
    ),
  );
};
