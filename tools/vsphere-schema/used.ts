import * as authorization from '@vdo/vsphere/wire/methods/authorization';
import * as cns from '@vdo/vsphere/wire/methods/cns';
import * as pbm from '@vdo/vsphere/wire/methods/pbm';
import * as property from '@vdo/vsphere/wire/methods/property';
import * as search from '@vdo/vsphere/wire/methods/search';
import * as session from '@vdo/vsphere/wire/methods/session';
import * as sso from '@vdo/vsphere/wire/methods/sso';
import * as task from '@vdo/vsphere/wire/methods/task';
import * as vm from '@vdo/vsphere/wire/methods/vm';
import * as vsan from '@vdo/vsphere/wire/methods/vsan';
import * as vstorage from '@vdo/vsphere/wire/methods/vstorage';
import type { Method } from '@vdo/vsphere/wire/schema';
import { wireTypes } from '@vdo/vsphere/wire/wire-types';

/** Every method that the client calls or the simulator answers. */
export const usedMethods: readonly Method[] = [
  authorization,
  cns,
  pbm,
  property,
  search,
  session,
  sso,
  task,
  vm,
  vsan,
  vstorage,
].flatMap((module) =>
  Object.values(module).filter((one): one is Method => typeof one === 'object' && 'namespace' in one),
);

/** Managed objects of which properties are read. */
const usedObjects = [
  'AuthorizationManager',
  'ClusterComputeResource',
  'ComputeResource',
  'ContainerView',
  'CustomFieldsManager',
  'Datacenter',
  'Datastore',
  'DistributedVirtualPortgroup',
  'Folder',
  'HostSystem',
  'ListView',
  'Network',
  'OptionManager',
  'PropertyCollector',
  'ResourcePool',
  'SearchIndex',
  'ServiceInstance',
  'SessionManager',
  'StoragePod',
  'Task',
  'TaskManager',
  'UserDirectory',
  'VcenterVStorageObjectManager',
  'ViewManager',
  'VirtualApp',
  'VirtualMachine',
];

/** The names on the wire that the table must hold. */
export const used = () => ({
  methods: usedMethods.map(({ name }) => name),
  types: wireTypes.names(),
  objects: usedObjects,
});
