import type { RequiredRole } from '@vdo/checks/facts/required-role';
import { requiredPrivileges } from '@vdo/checks/privileges/required-privileges';
import { type VSphereDriversSpec, vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { renderTable } from '../../output/table.ts';
import { readResourceFile } from '../../shared/cluster/read-resource.ts';
import { grantScript } from './account/grant-script.ts';
import type { PrivilegesFlags } from './commands.ts';

const columns = [
  { title: 'role', value: ({ name }: RequiredRole) => name },
  { title: 'privileges', value: ({ privileges }: RequiredRole) => privileges.join(', ') },
  { title: 'on', value: ({ on }: RequiredRole) => on },
  { title: 'propagate', value: ({ propagate }: RequiredRole) => (propagate ? 'yes' : 'no') },
];

/** The features of the storage driver, from a resource or from flags. */
const storageOf = async (flags: PrivilegesFlags): Promise<VSphereDriversSpec['csi']> => {
  if (flags.file !== undefined) return (await readResourceFile(flags.file)).spec.csi;
  const { fileVolumes, volumeMoves } = flags;
  const csi = { volumeMoves, ...(fileVolumes ? { fileVolumes: {} } : {}) };
  return flags.csi ? vsphereDriversSpec.shape.csi.parse(csi) : undefined;
};

/** vdoctl vsphere privileges */
export const showPrivileges: CommandRun<PrivilegesFlags> = async ({ terminal }, flags) => {
  const roles = requiredPrivileges({ csi: await storageOf(flags) });
  if (flags.output === 'json') terminal.out(`${JSON.stringify(roles, undefined, 2)}\n`);
  else if (flags.output === 'table') for (const line of renderTable(columns, roles)) terminal.out(`${line}\n`);
  else terminal.out(grantScript(flags.output, roles, flags));
  return exitCodes.done;
};
