/**
 * Tasks that may belong to a call of CNS, by `descriptionId` and name. CNS tasks have IDs such as
 * `com.vmware.cns.tasks.attachvolume`. vCenter also shows tasks that CNS starts in other services: `VirtualMachine.attachDisk`,
 * `vslm.vcenter.VStorageObjectManager.createDisk`. The public lists are incomplete, so verb and noun are matched. To wait for one task too
 * many is harmless, but to miss one could create a second disk.
 */
export const cnsTaskKinds = {
  createVolume: /create_?(volume|disk)/i,
  // Snapshots of whole VMs, which backups create all night, do not count.
  createSnapshot: /^(?!VirtualMachine\.).*create_?(volume|disk)?_?snapshot/i,
  /** A copy starts with a snapshot. */
  copyVolume: /^(?!VirtualMachine\.).*create_?(volume|disk|snapshot)/i,
  relocateVolume: /relocate_?(volume|disk)/i,
  /** Each of these tasks may undo what another call has done meanwhile. */
  attachOrDetach: /(at|de)tach_?(volume|disk)/i,
} as const satisfies Readonly<Record<string, RegExp>>;
