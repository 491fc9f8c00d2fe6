/**
 * Privileges that are dangerous at the root of the inventory and that the drivers never use. An account that
 * has one of them has more than the drivers need; that of an administrator has all.
 */
export const excessPrivileges: readonly string[] = [
  'Authorization.ModifyPermissions',
  'Authorization.ModifyRoles',
  'Datacenter.Delete',
  'Datastore.Delete',
  'Folder.Delete',
  'Global.Settings',
  'Host.Config.Maintenance',
  'Host.Inventory.RemoveHostFromCluster',
  'Network.Delete',
  'Resource.DeletePool',
  'Sessions.ImpersonateUser',
  'VirtualMachine.Interact.PowerOff',
  'VirtualMachine.Inventory.Delete',
];
