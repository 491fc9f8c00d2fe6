import {
  anyType,
  array,
  boolean,
  dateTime,
  defineType,
  enumeration,
  type Input,
  int,
  type ObjectType,
  optional,
  ref,
  string,
  type Value,
} from '@vdo/vsphere/wire/schema';
import {
  AuthorizationDescription,
  AuthorizationPrivilege,
  AuthorizationRole,
  Permission,
} from '@vdo/vsphere/wire/types/authorization';
import { CustomFieldDef, CustomFieldValue } from '@vdo/vsphere/wire/types/common';
import {
  DatastoreCapability,
  DatastoreHostMount,
  DatastoreInfo,
  DatastoreSummary,
} from '@vdo/vsphere/wire/types/datastore';
import { GuestInfo } from '@vdo/vsphere/wire/types/guest';
import { HostListSummary, HostRuntimeInfo } from '@vdo/vsphere/wire/types/host';
import {
  ComputeResourceConfigInfo,
  ComputeResourceSummary,
  NetworkSummary,
  ResourceConfigSpec,
  ResourcePoolRuntimeInfo,
  ResourcePoolSummary,
} from '@vdo/vsphere/wire/types/inventory';
import { ServiceContent, UserSession } from '@vdo/vsphere/wire/types/service';
import { TaskInfo } from '@vdo/vsphere/wire/types/task';
import {
  VirtualMachineConfigInfo,
  VirtualMachineRuntimeInfo,
  VirtualMachineSnapshotInfo,
  VirtualMachineSummary,
} from '@vdo/vsphere/wire/types/vm';

/*
 * The properties of managed objects, with the names and types of the vSphere Web Services API reference. The simulator uses
 * this table to determine whether a property exists and what its wire type is.
 */

const status = enumeration('ManagedEntityStatus', 'gray', 'green', 'yellow', 'red');
/** Exists on a real vCenter; never set here. */
const unset = optional(anyType);

const ExtensibleManagedObject = defineType('ExtensibleManagedObject', {
  value: array(CustomFieldValue),
  availableField: array(CustomFieldDef),
});

const ManagedEntity = defineType(
  'ManagedEntity',
  {
    parent: optional(ref),
    customValue: array(CustomFieldValue),
    overallStatus: status,
    configStatus: status,
    configIssue: unset,
    effectiveRole: array(int),
    permission: array(Permission),
    name: string,
    disabledMethod: array(string),
    recentTask: array(ref),
    declaredAlarmState: unset,
    triggeredAlarmState: unset,
    alarmActionsEnabled: optional(boolean),
    tag: unset,
  },
  { extends: ExtensibleManagedObject },
);

export const Folder = defineType(
  'Folder',
  { childType: array(string), childEntity: array(ref), namespace: unset },
  { extends: ManagedEntity },
);

const Datacenter = defineType(
  'Datacenter',
  {
    vmFolder: ref,
    hostFolder: ref,
    datastoreFolder: ref,
    networkFolder: ref,
    datastore: array(ref),
    network: array(ref),
    configuration: unset,
  },
  { extends: ManagedEntity },
);

export const ComputeResource = defineType(
  'ComputeResource',
  {
    resourcePool: optional(ref),
    host: array(ref),
    datastore: array(ref),
    network: array(ref),
    summary: ComputeResourceSummary,
    environmentBrowser: unset,
    configurationEx: ComputeResourceConfigInfo,
    lifecycleManaged: unset,
  },
  { extends: ManagedEntity },
);

const ClusterComputeResource = defineType(
  'ClusterComputeResource',
  {
    configuration: unset,
    recommendation: unset,
    drsRecommendation: unset,
    hciConfig: unset,
    migrationHistory: unset,
    actionHistory: unset,
    drsFault: unset,
  },
  { extends: ComputeResource },
);

export const HostSystem = defineType(
  'HostSystem',
  {
    runtime: HostRuntimeInfo,
    summary: HostListSummary,
    hardware: unset,
    capability: unset,
    licensableResource: unset,
    configManager: unset,
    config: unset,
    vm: array(ref),
    datastore: array(ref),
    network: array(ref),
    datastoreBrowser: unset,
    systemResources: unset,
  },
  { extends: ManagedEntity },
);

export const ResourcePool = defineType(
  'ResourcePool',
  {
    summary: ResourcePoolSummary,
    runtime: ResourcePoolRuntimeInfo,
    owner: ref,
    resourcePool: array(ref),
    vm: array(ref),
    config: ResourceConfigSpec,
    namespace: unset,
    childConfiguration: unset,
  },
  { extends: ManagedEntity },
);

export const VirtualApp = defineType(
  'VirtualApp',
  {
    parentFolder: optional(ref),
    datastore: array(ref),
    network: array(ref),
    vAppConfig: unset,
    parentVApp: unset,
    childLink: unset,
  },
  { extends: ResourcePool },
);

export const VirtualMachine = defineType(
  'VirtualMachine',
  {
    capability: unset,
    config: optional(VirtualMachineConfigInfo),
    layout: unset,
    layoutEx: unset,
    storage: unset,
    environmentBrowser: unset,
    resourcePool: optional(ref),
    parentVApp: optional(ref),
    resourceConfig: unset,
    runtime: VirtualMachineRuntimeInfo,
    guest: optional(GuestInfo),
    summary: VirtualMachineSummary,
    datastore: array(ref),
    network: array(ref),
    snapshot: optional(VirtualMachineSnapshotInfo),
    rootSnapshot: array(ref),
    guestHeartbeatStatus: status,
  },
  { extends: ManagedEntity },
);

export const Datastore = defineType(
  'Datastore',
  {
    info: DatastoreInfo,
    summary: DatastoreSummary,
    host: array(DatastoreHostMount),
    vm: array(ref),
    browser: unset,
    capability: DatastoreCapability,
    iormConfiguration: unset,
  },
  { extends: ManagedEntity },
);

export const Network = defineType(
  'Network',
  { summary: NetworkSummary, host: array(ref), vm: array(ref) },
  { extends: ManagedEntity },
);

const Task = defineType('Task', { info: TaskInfo }, { extends: ExtensibleManagedObject });

const types: readonly ObjectType[] = [
  Folder,
  Datacenter,
  ComputeResource,
  ClusterComputeResource,
  HostSystem,
  ResourcePool,
  VirtualApp,
  VirtualMachine,
  Datastore,
  Network,
  Task,
  ManagedEntity,
  defineType('ServiceInstance', { serverClock: dateTime, capability: unset, content: ServiceContent }),
  defineType('SessionManager', {
    sessionList: array(UserSession),
    currentSession: optional(UserSession),
    message: optional(string),
    messageLocaleList: array(string),
    supportedLocaleList: array(string),
    defaultLocale: string,
  }),
  defineType('AuthorizationManager', {
    privilegeList: array(AuthorizationPrivilege),
    roleList: array(AuthorizationRole),
    description: AuthorizationDescription,
  }),
  defineType('TaskManager', { recentTask: array(ref), description: unset, maxCollector: int }),
  defineType('PropertyCollector', { filter: array(ref) }),
  defineType('ViewManager', { viewList: array(ref) }),
  defineType('ContainerView', { view: array(ref), container: ref, type: array(string), recursive: boolean }),
  defineType('ListView', { view: array(ref) }),
  defineType('UserDirectory', { domainList: array(string) }),
  defineType('CustomFieldsManager', { field: array(CustomFieldDef) }),
  defineType('OptionManager', { supportedOption: unset, setting: unset }),
  defineType('SearchIndex', {}),
  defineType('VcenterVStorageObjectManager', {}),
];

/** The properties of a managed object type; undefined if the simulator does not have it. */
export const managedType = (name: string): ObjectType | undefined => byName.get(name);

const byName: ReadonlyMap<string, ObjectType> = new Map(types.map((type) => [type.name, type]));

/** The property tree of a managed object without the properties of every entity. */
export type TreeOf<T> = Omit<Input<Value<T>>, keyof Value<typeof ManagedEntity> | '$type'>;
