/** Which privilege a method needs, and on which of its arguments. */
export interface Demand {
  readonly privilege: string;
  /** `_this` by default. */
  readonly on?: string;
}

const onTarget = (privilege: string): readonly Demand[] => [{ privilege }];

/**
 * The privileges that vCenter checks before a method starts, from the type information that pyVmomi 8.0.3 publishes per method and
 * argument. Methods without a privilege in that list check their privileges themselves, and do so here, too.
 */
export const methodPrivileges: Readonly<Record<string, readonly Demand[]>> = {
  SessionIsActive: onTarget('Sessions.ValidateSession'),
  TerminateSession: onTarget('Sessions.TerminateSession'),

  CreateContainerView: [{ privilege: 'System.View', on: 'container' }],

  PowerOnVM_Task: onTarget('VirtualMachine.Interact.PowerOn'),
  PowerOffVM_Task: onTarget('VirtualMachine.Interact.PowerOff'),
  SuspendVM_Task: onTarget('VirtualMachine.Interact.Suspend'),
  ResetVM_Task: onTarget('VirtualMachine.Interact.Reset'),
  ShutdownGuest: onTarget('VirtualMachine.Interact.PowerOff'),
  RebootGuest: onTarget('VirtualMachine.Interact.Reset'),
  UpgradeVM_Task: onTarget('VirtualMachine.Config.UpgradeVirtualHardware'),

  AddAuthorizationRole: onTarget('Authorization.ModifyRoles'),
  UpdateAuthorizationRole: onTarget('Authorization.ModifyRoles'),
  RemoveAuthorizationRole: onTarget('Authorization.ModifyRoles'),
  SetEntityPermissions: [{ privilege: 'Authorization.ModifyPermissions', on: 'entity' }],
  RemoveEntityPermission: [{ privilege: 'Authorization.ModifyPermissions', on: 'entity' }],
  RetrieveEntityPermissions: [{ privilege: 'System.Read', on: 'entity' }],
  HasPrivilegeOnEntities: [{ privilege: 'System.Read', on: 'entity' }],
  FetchUserPrivilegeOnEntities: [{ privilege: 'System.View', on: 'entities' }],

  CnsQueryVolume: onTarget('Cns.Searchable'),
  CnsQueryAllVolume: onTarget('Cns.Searchable'),
  CnsQuerySnapshots: onTarget('Cns.Searchable'),

  PbmQueryProfile: onTarget('StorageProfile.View'),
  PbmRetrieveContent: onTarget('StorageProfile.View'),
  PbmCheckRequirements: onTarget('StorageProfile.View'),
};
