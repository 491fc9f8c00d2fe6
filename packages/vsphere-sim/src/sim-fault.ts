import type { MoRef } from '@vdo/vsphere/wire/moref';

/** A fault as it travels: a data object with its wire type. */
export interface FaultValue {
  readonly $type: string;
  readonly [field: string]: unknown;
}

/** The error that a simulated method throws; the endpoint converts it to a SOAP fault or a REST error. */
export class SimFault extends Error {
  readonly fault: FaultValue;

  constructor(fault: FaultValue, message: string) {
    super(message);
    this.name = 'SimFault';
    this.fault = fault;
  }
}

/** Every CNS fault contains its reason. */
const cnsFault = (fault: FaultValue, reason: string): SimFault =>
  new SimFault({ ...fault, reason }, `CnsFault: ${reason}`);

/** The faults of vCenter, with its messages. */
export const faults = {
  notAuthenticated: (object: MoRef): SimFault =>
    new SimFault(
      { $type: 'NotAuthenticated', object, privilegeId: 'System.View' },
      'The session is not authenticated.',
    ),
  invalidLogin: (): SimFault =>
    new SimFault({ $type: 'InvalidLogin' }, 'Cannot complete login due to an incorrect user name or password.'),
  passwordExpired: (): SimFault =>
    new SimFault({ $type: 'PasswordExpired' }, 'Cannot complete login: the password has expired.'),
  noPermission: (object: MoRef, privilegeId: string): SimFault =>
    new SimFault({ $type: 'NoPermission', object, privilegeId }, 'Permission to perform this operation was denied.'),
  managedObjectNotFound: (obj: MoRef): SimFault =>
    new SimFault(
      { $type: 'ManagedObjectNotFound', obj },
      `The object '${`vim.${obj.type}:${obj.value}`}' has already been deleted or has not been completely created`,
    ),
  invalidProperty: (name: string): SimFault => new SimFault({ $type: 'InvalidProperty', name }, 'Invalid property.'),
  invalidArgument: (invalidProperty: string): SimFault =>
    new SimFault(
      { $type: 'InvalidArgument', invalidProperty },
      `A specified parameter was not correct: ${invalidProperty}`,
    ),
  /** It does not name the missing privilege. */
  invalidParameter: (): SimFault =>
    new SimFault({ $type: 'InvalidArgument' }, 'A specified parameter was not correct: '),
  invalidCollectorVersion: (): SimFault =>
    new SimFault({ $type: 'InvalidCollectorVersion' }, 'The property collector version is not valid.'),
  requestCanceled: (): SimFault => new SimFault({ $type: 'RequestCanceled' }, 'The task was canceled by a user.'),
  notSupported: (): SimFault =>
    new SimFault({ $type: 'NotSupported' }, 'The operation is not supported on the object.'),
  invalidState: (): SimFault =>
    new SimFault({ $type: 'InvalidState' }, 'The operation is not allowed in the current state.'),
  invalidPowerState: (existingState: string, requestedState: string): SimFault =>
    new SimFault(
      { $type: 'InvalidPowerState', existingState, requestedState },
      `The attempted operation cannot be performed in the current state (${existingState}).`,
    ),
  toolsUnavailable: (): SimFault =>
    new SimFault(
      { $type: 'ToolsUnavailable' },
      'Cannot complete operation because VMware Tools is not running in this virtual machine.',
    ),
  notFound: (): SimFault => new SimFault({ $type: 'NotFound' }, 'The object or item referred to could not be found.'),
  resourceInUse: (type: string, name: string): SimFault =>
    new SimFault({ $type: 'ResourceInUse', type, name }, `The resource '${name}' is in use.`),
  noDiskSpace: (datastore: string): SimFault =>
    new SimFault({ $type: 'NoDiskSpace', file: '', datastore }, `Insufficient disk space on datastore '${datastore}'.`),
  cns: (reason: string): SimFault => cnsFault({ $type: 'CnsFault' }, reason),
  cnsVolumeAlreadyExists: (id: string, datastore: MoRef): SimFault =>
    cnsFault(
      { $type: 'CnsVolumeAlreadyExistsFault', volumeId: { id }, datastore },
      `CNS: Volume with ID ${id} already exists.`,
    ),
  cnsAlreadyRegistered: (id: string): SimFault =>
    cnsFault({ $type: 'CnsAlreadyRegisteredFault', volumeId: { id } }, `The volume ${id} is already registered.`),
  inaccessibleDatastore: (datastore: MoRef): SimFault =>
    new SimFault(
      { $type: 'InaccessibleDatastore', datastore },
      'The host of the virtual machine cannot access the datastore of the volume.',
    ),
  cnsVolumeNotFound: (id: string): SimFault =>
    cnsFault({ $type: 'CnsVolumeNotFoundFault', volumeId: { id } }, `The volume ${id} was not found.`),
  cnsSnapshotNotFound: (id: string, snapshotId: string): SimFault =>
    cnsFault(
      { $type: 'CnsSnapshotNotFoundFault', volumeId: { id }, SnapshotId: { id: snapshotId } },
      `The snapshot ${snapshotId} of volume ${id} was not found.`,
    ),
  cnsSnapshotCreated: (id: string, snapshotId: string, datastore: MoRef): SimFault =>
    cnsFault(
      { $type: 'CnsSnapshotCreatedFault', volumeId: { id }, SnapshotId: { id: snapshotId }, datastore },
      `The snapshot ${snapshotId} of volume ${id} exists already.`,
    ),
  alreadyExists: (name: string): SimFault =>
    new SimFault({ $type: 'AlreadyExists', name }, `The specified key, name, or identifier '${name}' already exists.`),
  removeFailed: (): SimFault => new SimFault({ $type: 'RemoveFailed' }, 'The role is in use.'),
  userNotFound: (principal: string): SimFault =>
    new SimFault(
      { $type: 'UserNotFound', principal, unresolved: false },
      `The name '${principal}' could not be resolved.`,
    ),
  incompatiblePolicy: (policy: string): SimFault =>
    new SimFault({ $type: 'NotFound' }, `The datastore does not satisfy the storage policy '${policy}'.`),
  invalidRequest: (message: string): SimFault => new SimFault({ $type: 'InvalidRequest' }, message),
} as const;
