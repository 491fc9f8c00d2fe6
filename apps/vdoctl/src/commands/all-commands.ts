import type { CommandGroup, CommandSpec } from '../cli/command.ts';
import type { AnyCommand, CommandRun } from '../cli/command-run.ts';
import { bundleCreateCommand, bundleLoadCommand, bundleVerifyCommand } from './bundle/commands.ts';
import { cniApplyCommand } from './cni/command.ts';
import { completionCommand, completionNamesCommand } from './completion/command.ts';
import { configureCommand } from './configure/command.ts';
import { dashboardCommand } from './dashboard/command.ts';
import { doctorCommand } from './doctor/command.ts';
import { eventsCommand } from './events/command.ts';
import { explainCommand } from './explain/command.ts';
import { installCommand } from './install/command.ts';
import { kubeadmConfigCommand } from './kubeadm/command.ts';
import { logsCommand } from './logs/command.ts';
import {
  matrixPullCommand,
  matrixShowCommand,
  matrixUpdateCommand,
  matrixVerifyCommand,
  matrixWhyCommand,
} from './matrix/commands.ts';
import {
  migrateDriversCommand,
  migrateInTreeCommand,
  migrateUndoCommand,
  migrateVdoCommand,
} from './migrate/command.ts';
import { nodesCommand } from './nodes/command.ts';
import { renderCommand } from './render/command.ts';
import {
  sandboxBreakCommand,
  sandboxCleanCommand,
  sandboxCommand,
  sandboxHealCommand,
  sandboxStatusCommand,
  sandboxVCenterCommand,
} from './sandbox/commands.ts';
import { statusCommand } from './status/command.ts';
import { supportBundleCommand } from './support-bundle/command.ts';
import { uninstallCommand } from './uninstall/command.ts';
import { rollbackCommand, upgradeCheckCommand, upgradeCommand } from './upgrade/commands.ts';
import { versionsCommand } from './versions/command.ts';
import {
  volumesCleanupCommand,
  volumesCommand,
  volumesMoveCommand,
  volumesSyncCommand,
  volumesTraceCommand,
} from './volumes/command.ts';
import { policiesListCommand, privilegesCommand, sessionsCommand } from './vsphere/commands.ts';
import { qualifyCommand } from './vsphere/qualify-command.ts';
import { tagsApplyCommand, tagsPlanCommand } from './vsphere/tags-commands.ts';
import {
  userApplyCommand,
  userCreateCommand,
  userDeleteCommand,
  userRotateCommand,
  userVerifyCommand,
} from './vsphere/user-commands.ts';
import { vmsListCommand, vmsPrepareCommand } from './vsphere/vms-commands.ts';

/** The headings of `vdoctl --help` and the commands below each. */
const headings: Readonly<Record<string, readonly string[]>> = {
  'Set up:': ['install', 'configure', 'upgrade', 'rollback', 'uninstall'],
  'Inspect:': ['status', 'doctor', 'nodes', 'volumes', 'events', 'logs', 'dashboard', 'versions', 'explain'],
  'Prepare vSphere and nodes:': ['vsphere', 'kubeadm', 'cni'],
  'Migration, air gap and support:': ['migrate', 'bundle', 'matrix', 'render', 'support-bundle'],
  'Local tools:': ['sandbox', 'completion'],
};

const headed = <T extends { readonly path: readonly string[] }>(item: T): T & { readonly heading: string } => {
  const heading = Object.keys(headings).find((one) => headings[one]?.includes(item.path[0] ?? ''));
  return { ...item, heading: heading ?? 'Commands:' };
};

/** A command with its heading. The code of the command is loaded only when it runs. */
const command = <Flags>(spec: CommandSpec<Flags>, load: () => Promise<CommandRun<Flags>>): AnyCommand => ({
  ...headed(spec),
  load,
});

/** All commands, in the order of the help. */
export const allCommands: readonly AnyCommand[] = [
  command(installCommand, async () => (await import('./install/run.ts')).install),
  command(configureCommand, async () => (await import('./configure/run.ts')).configure),
  command(uninstallCommand, async () => (await import('./uninstall/run.ts')).uninstall),
  command(upgradeCommand, async () => (await import('./upgrade/upgrade.ts')).upgrade),
  command(upgradeCheckCommand, async () => (await import('./upgrade/check.ts')).upgradeCheck),
  command(rollbackCommand, async () => (await import('./upgrade/rollback.ts')).rollback),
  command(statusCommand, async () => (await import('./status/run.ts')).status),
  command(doctorCommand, async () => (await import('./doctor/run.ts')).doctor),
  command(nodesCommand, async () => (await import('./nodes/run.ts')).listNodes),
  command(volumesCommand, async () => (await import('./volumes/run.ts')).listVolumes),
  command(volumesMoveCommand, async () => (await import('./volumes/move/run.ts')).moveVolumes),
  command(volumesSyncCommand, async () => (await import('./volumes/sync.ts')).syncVolumes),
  command(volumesCleanupCommand, async () => (await import('./volumes/cleanup.ts')).cleanupVolumes),
  command(volumesTraceCommand, async () => (await import('./volumes/trace/run.ts')).traceVolume),
  command(dashboardCommand, async () => (await import('./dashboard/run.ts')).dashboard),
  command(eventsCommand, async () => (await import('./events/run.ts')).listEvents),
  command(logsCommand, async () => (await import('./logs/run.ts')).showLogs),
  command(supportBundleCommand, async () => (await import('./support-bundle/run.ts')).supportBundle),
  command(renderCommand, async () => (await import('./render/run.ts')).render),
  command(versionsCommand, async () => (await import('./versions/run.ts')).versions),
  command(matrixShowCommand, async () => (await import('./matrix/show.ts')).matrixShow),
  command(matrixWhyCommand, async () => (await import('./matrix/why.ts')).matrixWhy),
  command(matrixVerifyCommand, async () => (await import('./matrix/verify.ts')).matrixVerify),
  command(matrixPullCommand, async () => (await import('./matrix/pull.ts')).matrixPull),
  command(matrixUpdateCommand, async () => (await import('./matrix/update.ts')).matrixUpdate),
  command(bundleCreateCommand, async () => (await import('./bundle/create.ts')).createBundle),
  command(bundleVerifyCommand, async () => (await import('./bundle/verify.ts')).checkBundle),
  command(bundleLoadCommand, async () => (await import('./bundle/load.ts')).loadBundle),
  command(migrateInTreeCommand, async () => (await import('./migrate/migrate.ts')).migrateInTree),
  command(migrateDriversCommand, async () => (await import('./migrate/migrate.ts')).migrateDrivers),
  command(migrateVdoCommand, async () => (await import('./migrate/migrate.ts')).migrateVdo),
  command(migrateUndoCommand, async () => (await import('./migrate/undo.ts')).migrateUndo),
  command(kubeadmConfigCommand, async () => (await import('./kubeadm/run.ts')).kubeadmConfig),
  command(cniApplyCommand, async () => (await import('./cni/apply.ts')).cniApply),
  command(privilegesCommand, async () => (await import('./vsphere/privileges.ts')).showPrivileges),
  command(userCreateCommand, async () => (await import('./vsphere/user-create.ts')).createUser),
  command(userApplyCommand, async () => (await import('./vsphere/user-create.ts')).applyUser),
  command(userVerifyCommand, async () => (await import('./vsphere/user-verify.ts')).verifyUser),
  command(userRotateCommand, async () => (await import('./vsphere/user-rotate.ts')).rotateUser),
  command(userDeleteCommand, async () => (await import('./vsphere/user-delete.ts')).deleteUser),
  command(vmsListCommand, async () => (await import('./vsphere/vms.ts')).listVms),
  command(vmsPrepareCommand, async () => (await import('./vsphere/vms.ts')).prepareVms),
  command(tagsPlanCommand, async () => (await import('./vsphere/tags.ts')).planTagsCommand),
  command(tagsApplyCommand, async () => (await import('./vsphere/tags.ts')).applyTagsCommand),
  command(policiesListCommand, async () => (await import('./vsphere/policies.ts')).listPolicies),
  command(sessionsCommand, async () => (await import('./vsphere/sessions.ts')).listSessions),
  command(qualifyCommand, async () => (await import('./vsphere/qualify.ts')).qualifyVCenter),
  command(sandboxCommand, async () => (await import('./sandbox/up.ts')).sandboxUp),
  command(sandboxBreakCommand, async () => (await import('./sandbox/faults.ts')).sandboxBreak),
  command(sandboxHealCommand, async () => (await import('./sandbox/faults.ts')).sandboxHeal),
  command(sandboxCleanCommand, async () => (await import('./sandbox/clean.ts')).sandboxClean),
  command(sandboxStatusCommand, async () => (await import('./sandbox/faults.ts')).sandboxStatus),
  command(sandboxVCenterCommand, async () => (await import('./sandbox/vcenter.ts')).sandboxVCenter),
  command(explainCommand, async () => (await import('./explain/run.ts')).explain),
  command(completionCommand, async () => (await import('./completion/run.ts')).completion),
  command(completionNamesCommand, async () => (await import('./completion/names.ts')).completionNames),
];

const groups: readonly CommandGroup[] = [
  { path: ['vsphere'], summary: 'Prepare vCenter for the drivers: privileges, account, VMs, tags.' },
  { path: ['vsphere', 'user'], summary: 'Manage the vCenter account of the drivers, with the least privileges.' },
  { path: ['vsphere', 'vms'], summary: 'List and prepare the VMs of nodes.' },
  { path: ['vsphere', 'tags'], summary: 'Plan and create the vSphere tags for regions and zones.' },
  { path: ['vsphere', 'policies'], summary: 'List storage policies.' },
  { path: ['kubeadm'], summary: 'Print kubeadm settings for nodes on vSphere.' },
  { path: ['cni'], summary: 'Install or upgrade the pod network (CNI).' },
  { path: ['migrate'], summary: 'Migrate from other vSphere drivers to VDO.' },
  { path: ['bundle'], summary: 'Pack, verify and load a bundle for clusters without internet access.' },
  {
    path: ['matrix'],
    summary:
      'Show and update the compatibility matrix: which driver releases work with which Kubernetes and vSphere versions.',
  },
];

export const commandGroups: readonly CommandGroup[] = groups.map(headed);
