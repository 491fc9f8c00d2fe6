import type { AnyCommand, CommandGroup } from '../cli/command.ts';
import { completionCommand } from './completion/command.ts';
import { dashboardCommand } from './dashboard/command.ts';
import { doctorCommand } from './doctor/command.ts';
import { eventsCommand } from './events/command.ts';
import { explainCommand } from './explain/command.ts';
import { installCommand } from './install/command.ts';
import { kubeadmConfigCommand } from './kubeadm/command.ts';
import { matrixShowCommand, matrixWhyCommand } from './matrix/commands.ts';
import { statusCommand } from './status/command.ts';
import { uninstallCommand } from './uninstall/command.ts';
import { versionsCommand } from './versions/command.ts';
import { policiesListCommand, privilegesCommand, sessionsCommand } from './vsphere/commands.ts';

/** Every command, in the order in which the help lists them. */
export const allCommands: readonly AnyCommand[] = [
  installCommand,
  uninstallCommand,
  statusCommand,
  doctorCommand,
  dashboardCommand,
  eventsCommand,
  versionsCommand,
  matrixShowCommand,
  matrixWhyCommand,
  kubeadmConfigCommand,
  privilegesCommand,
  policiesListCommand,
  sessionsCommand,
  explainCommand,
  completionCommand,
];

export const commandGroups: readonly CommandGroup[] = [
  { path: ['vsphere'], summary: 'What the drivers need on vCenter: privileges, accounts, VMs, tags.' },
  { path: ['vsphere', 'policies'], summary: 'Storage policies.' },
  { path: ['kubeadm'], summary: 'Settings of kubeadm for nodes on vSphere.' },
  { path: ['matrix'], summary: 'The compatibility matrix: which releases fit which Kubernetes and vSphere versions.' },
];
