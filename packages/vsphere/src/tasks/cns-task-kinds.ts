/**
 * Tasks that may be at work for a call of CNS, by `descriptionId` and name. vCenter calls its own
 * `com.vmware.cns.tasks.attachvolume`, and shows what CNS has others do for it: `VirtualMachine.attachDisk`,
 * `vslm.vcenter.VStorageObjectManager.createDisk`. The lists of it that are public are not complete, so that the verb and the noun count:
 * a task too many is waited for, one too few would be a second disk.
 */
export const cnsTaskKinds = {
  createVolume: /create_?(volume|disk)/i,
  // Snapshots of whole VMs, which backups take all night long, are another thing.
  createSnapshot: /^(?!VirtualMachine\.).*create_?(volume|disk)?_?snapshot/i,
  /** A copy begins with a snapshot. */
  copyVolume: /^(?!VirtualMachine\.).*create_?(volume|disk|snapshot)/i,
  /** Each may undo what another call has done meanwhile. */
  attachOrDetach: /(at|de)tach_?(volume|disk)/i,
} as const satisfies Readonly<Record<string, RegExp>>;
