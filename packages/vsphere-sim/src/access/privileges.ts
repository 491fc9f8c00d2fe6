const groups: Readonly<Record<string, string>> = {
  System: 'Anonymous View Read',
  Global:
    'ManageCustomFields SetCustomField LogEvent CancelTask Licenses Diagnostics Settings VCServer ServiceManagers',
  Folder: 'Create Delete Rename Move',
  Datacenter: 'Create Delete Rename Move Reconfigure IpPoolConfig',
  Datastore: 'Rename Move Delete Browse DeleteFile FileManagement AllocateSpace Config UpdateVirtualMachineFiles',
  Network: 'Move Delete Config Assign',
  'Host.Inventory':
    'AddStandaloneHost CreateCluster AddHostToCluster RemoveHostFromCluster MoveCluster RenameCluster DeleteCluster EditCluster MoveHost',
  'Host.Config': 'Connection Maintenance Storage Network AdvancedConfig Resources Settings Patch Power',
  'VirtualMachine.Inventory': 'Create CreateFromExisting Register Delete Unregister Move',
  'VirtualMachine.Interact':
    'PowerOn PowerOff Suspend Reset AnswerQuestion ConsoleInteract DeviceConnection SetCDMedia ToolsInstall GuestControl',
  'VirtualMachine.Config':
    'Rename Annotation AddExistingDisk AddNewDisk RemoveDisk RawDevice AddRemoveDevice CPUCount Memory AdvancedConfig DiskExtend EditDevice Settings Resource UpgradeVirtualHardware ResetGuestInfo',
  'VirtualMachine.State': 'CreateSnapshot RevertToSnapshot RemoveSnapshot RenameSnapshot',
  'VirtualMachine.Provisioning':
    'Customize Clone DeployTemplate MarkAsTemplate MarkAsVM DiskRandomRead DiskRandomAccess',
  Resource: 'AssignVMToPool ColdMigrate HotMigrate CreatePool EditPool DeletePool QueryVMotion',
  Task: 'Create Update',
  Sessions: 'TerminateSession ValidateSession ImpersonateUser GlobalMessage',
  Authorization: 'ModifyRoles ModifyPermissions ReassignRolePermissions',
  Cns: 'Searchable',
  StorageProfile: 'View Update Apply',
  'InventoryService.Tagging':
    'CreateCategory EditCategory DeleteCategory CreateTag EditTag DeleteTag AttachTag ObjectAttachable ModifyUsedByForCategory ModifyUsedByForTag',
};

/** The privileges this vCenter knows, in the form of its privilege list. */
export const privilegeList: readonly {
  readonly privId: string;
  readonly onParent: boolean;
  readonly name: string;
  readonly privGroupName: string;
}[] = Object.entries(groups).flatMap(([privGroupName, names]) =>
  names.split(' ').map((name) => ({ privId: `${privGroupName}.${name}`, onParent: false, name, privGroupName })),
);

/** Their ids. */
export const knownPrivileges: ReadonlySet<string> = new Set(privilegeList.map(({ privId }) => privId));
