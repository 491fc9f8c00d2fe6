import { type RequiredRole, requiredPrivileges } from '@vdo/checks/privileges/required-privileges';
import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { renderTable } from '../../output/table.ts';
import { grantScript } from '../../vsphere/grant-script.ts';
import type { PrivilegesFlags } from './commands.ts';

const columns = [
  { title: 'role', value: ({ name }: RequiredRole) => name },
  { title: 'privileges', value: ({ privileges }: RequiredRole) => privileges.join(', ') },
  { title: 'on', value: ({ on }: RequiredRole) => on },
  { title: 'propagate', value: ({ propagate }: RequiredRole) => (propagate ? 'yes' : 'no') },
];

/** vdoctl vsphere privileges */
export const showPrivileges: CommandRun<PrivilegesFlags> = ({ terminal }, flags) => {
  const { csi } = vsphereDriversSpec.shape;
  const roles = requiredPrivileges({
    csi: flags.csi ? csi.parse(flags.fileVolumes ? { fileVolumes: {} } : {}) : undefined,
  });
  if (flags.output === 'json') terminal.out(`${JSON.stringify(roles, undefined, 2)}\n`);
  else if (flags.output === 'table') for (const line of renderTable(columns, roles)) terminal.out(`${line}\n`);
  else terminal.out(grantScript(flags.output, roles, flags));
  return exitCodes.done;
};
