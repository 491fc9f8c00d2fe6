import { array, boolean, defineType, enumeration, int, named, optional, ref, string, type Typed } from '../schema.ts';
import { LocalizableMessage } from './common.ts';

export const LocalizedMethodFault = defineType('LocalizedMethodFault', {
  fault: named<Typed>('MethodFault'),
  localizedMessage: optional(string),
});

export const MethodFault = defineType(
  'MethodFault',
  {
    faultCause: optional(LocalizedMethodFault),
    faultMessage: array(LocalizableMessage),
  },
  { open: true },
);

export const RuntimeFault = defineType('RuntimeFault', {}, { extends: MethodFault, open: true });

export const VimFault = defineType('VimFault', {}, { extends: MethodFault, open: true });

export const SecurityError = defineType('SecurityError', {}, { extends: RuntimeFault, open: true });

export const NoPermissionEntityPrivileges = defineType('NoPermissionEntityPrivileges', {
  entity: ref,
  privilegeIds: array(string),
});

export const NoPermission = defineType(
  'NoPermission',
  {
    object: optional(ref),
    privilegeId: optional(string),
    missingPrivileges: array(NoPermissionEntityPrivileges),
  },
  { extends: SecurityError, open: true },
);

export const NotAuthenticated = defineType('NotAuthenticated', {}, { extends: NoPermission });

export const InvalidLogin = defineType('InvalidLogin', {}, { extends: VimFault, open: true });

export const InvalidLocale = defineType('InvalidLocale', {}, { extends: VimFault });

export const ManagedObjectNotFound = defineType(
  'ManagedObjectNotFound',
  {
    obj: optional(ref),
  },
  { extends: RuntimeFault },
);

export const InvalidRequest = defineType('InvalidRequest', {}, { extends: RuntimeFault, open: true });

export const InvalidType = defineType(
  'InvalidType',
  {
    argument: optional(string),
  },
  { extends: InvalidRequest },
);

export const InvalidProperty = defineType(
  'InvalidProperty',
  {
    name: optional(string),
  },
  { extends: MethodFault },
);

export const InvalidCollectorVersion = defineType('InvalidCollectorVersion', {}, { extends: MethodFault });

export const InvalidArgument = defineType(
  'InvalidArgument',
  {
    invalidProperty: optional(string),
  },
  { extends: RuntimeFault, open: true },
);

export const InvalidName = defineType(
  'InvalidName',
  {
    name: optional(string),
    entity: optional(ref),
  },
  { extends: VimFault },
);

export const InvalidFolder = defineType(
  'InvalidFolder',
  {
    target: optional(ref),
  },
  { extends: VimFault, open: true },
);

export const NotSupported = defineType('NotSupported', {}, { extends: RuntimeFault, open: true });

export const NotImplemented = defineType('NotImplemented', {}, { extends: RuntimeFault });

export const RequestCanceled = defineType('RequestCanceled', {}, { extends: RuntimeFault });

export const HostCommunication = defineType('HostCommunication', {}, { extends: RuntimeFault, open: true });

export const HostNotConnected = defineType('HostNotConnected', {}, { extends: HostCommunication });

export const HostNotReachable = defineType('HostNotReachable', {}, { extends: HostCommunication });

export const InvalidState = defineType('InvalidState', {}, { extends: VimFault, open: true });

export const InvalidPowerState = defineType(
  'InvalidPowerState',
  {
    requestedState: optional(enumeration('VirtualMachinePowerState', 'poweredOff', 'poweredOn', 'suspended')),
    existingState: optional(enumeration('VirtualMachinePowerState', 'poweredOff', 'poweredOn', 'suspended')),
  },
  { extends: InvalidState },
);

export const TaskInProgress = defineType(
  'TaskInProgress',
  {
    task: optional(ref),
  },
  { extends: VimFault, open: true },
);

export const NotFound = defineType('NotFound', {}, { extends: VimFault });

export const AlreadyExists = defineType(
  'AlreadyExists',
  {
    name: optional(string),
  },
  { extends: VimFault },
);

export const DuplicateName = defineType(
  'DuplicateName',
  {
    name: optional(string),
    object: optional(ref),
  },
  { extends: VimFault },
);

export const ResourceInUse = defineType(
  'ResourceInUse',
  {
    type: optional(string),
    name: optional(string),
  },
  { extends: VimFault, open: true },
);

export const Timedout = defineType('Timedout', {}, { extends: VimFault, open: true });

export const ConcurrentAccess = defineType('ConcurrentAccess', {}, { extends: VimFault });

export const SystemError = defineType(
  'SystemError',
  {
    reason: optional(string),
  },
  { extends: RuntimeFault },
);

export const NotEnoughLicenses = defineType('NotEnoughLicenses', {}, { extends: RuntimeFault, open: true });

export const FileFault = defineType(
  'FileFault',
  {
    file: optional(string),
  },
  { extends: VimFault, open: true },
);

export const FileNotFound = defineType('FileNotFound', {}, { extends: FileFault });

export const FileAlreadyExists = defineType('FileAlreadyExists', {}, { extends: FileFault });

export const FileLocked = defineType('FileLocked', {}, { extends: FileFault });

export const CannotAccessFile = defineType('CannotAccessFile', {}, { extends: FileFault });

export const CannotDeleteFile = defineType('CannotDeleteFile', {}, { extends: FileFault });

export const NoDiskSpace = defineType(
  'NoDiskSpace',
  {
    datastore: optional(string),
  },
  { extends: FileFault },
);

export const InvalidDatastore = defineType(
  'InvalidDatastore',
  {
    datastore: optional(ref),
    name: optional(string),
  },
  { extends: VimFault, open: true },
);

export const InsufficientResourcesFault = defineType(
  'InsufficientResourcesFault',
  {},
  { extends: VimFault, open: true },
);

export const ResourceNotAvailable = defineType(
  'ResourceNotAvailable',
  {
    containerType: optional(string),
    containerName: optional(string),
    type: optional(string),
  },
  { extends: VimFault },
);

export const ToolsUnavailable = defineType('ToolsUnavailable', {}, { extends: VimFault });

export const VmConfigFault = defineType('VmConfigFault', {}, { extends: VimFault, open: true });

export const GenericVmConfigFault = defineType(
  'GenericVmConfigFault',
  {
    reason: optional(string),
  },
  { extends: VmConfigFault },
);

export const InvalidVmConfig = defineType(
  'InvalidVmConfig',
  { property: optional(string) },
  { extends: VmConfigFault, open: true },
);

export const InvalidDeviceSpec = defineType(
  'InvalidDeviceSpec',
  {
    deviceIndex: optional(int),
  },
  { extends: InvalidVmConfig, open: true },
);

export const InvalidDeviceBacking = defineType('InvalidDeviceBacking', {}, { extends: InvalidDeviceSpec });

export const NoSubjectName = defineType('NoSubjectName', {}, { extends: VimFault });

export const LimitExceeded = defineType(
  'LimitExceeded',
  {
    property: optional(string),
    limit: optional(int),
  },
  { extends: VimFault },
);

export const NoClientCertificate = defineType('NoClientCertificate', {}, { extends: VimFault });

export const MethodDisabled = defineType(
  'MethodDisabled',
  {
    source: optional(string),
  },
  { extends: RuntimeFault },
);

export const MethodAlreadyDisabledFault = defineType(
  'MethodAlreadyDisabledFault',
  {
    sourceId: optional(string),
  },
  { extends: RuntimeFault },
);

export const InvalidDatastorePath = defineType(
  'InvalidDatastorePath',
  {
    datastorePath: optional(string),
  },
  { extends: InvalidDatastore },
);

export const InaccessibleDatastore = defineType(
  'InaccessibleDatastore',
  {
    detail: optional(string),
  },
  { extends: InvalidDatastore, open: true },
);

export const DatastoreNotWritableOnHost = defineType(
  'DatastoreNotWritableOnHost',
  {
    host: optional(ref),
  },
  { extends: InvalidDatastore, open: true },
);

export const VAppPropertyFault = defineType(
  'VAppPropertyFault',
  {
    id: optional(string),
    category: optional(string),
    label: optional(string),
    type: optional(string),
    value: optional(string),
  },
  { extends: VmConfigFault, open: true },
);

export const AuthMinimumAdminPermission = defineType('AuthMinimumAdminPermission', {}, { extends: VimFault });

export const UserNotFound = defineType(
  'UserNotFound',
  {
    principal: optional(string),
    unresolved: optional(boolean),
  },
  { extends: VimFault },
);

export const RemoveFailed = defineType('RemoveFailed', {}, { extends: VimFault });

export const DeviceNotFound = defineType('DeviceNotFound', {}, { extends: InvalidDeviceSpec });

export const DeviceUnsupportedForVmPlatform = defineType(
  'DeviceUnsupportedForVmPlatform',
  {},
  { extends: InvalidDeviceSpec },
);

export const NumVirtualCpusIncompatible = defineType(
  'NumVirtualCpusIncompatible',
  {
    reason: optional(string),
    numCpu: optional(int),
  },
  { extends: VmConfigFault },
);

export const QuestionPending = defineType(
  'QuestionPending',
  {
    text: optional(string),
  },
  { extends: InvalidState },
);

export const SnapshotFault = defineType('SnapshotFault', {}, { extends: VimFault, open: true });
