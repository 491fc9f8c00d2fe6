/**
 * Privileges that make an account at the root of the inventory dangerous and that the drivers never use. An account that
 * has one of them is more than the drivers need; that of an administrator has all.
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
