import type { MoRef } from '@vdo/vsphere/wire/moref';

/** A fault as it travels: a data object with its wire type. */
export interface FaultValue {
  readonly $type: string;
  readonly [field: string]: unknown;
}

/** What a simulated method throws; the endpoint turns it into a SOAP fault or a REST error. */
export class SimFault extends Error {
  readonly fault: FaultValue;

  constructor(fault: FaultValue, message: string) {
    super(message);
    this.name = 'SimFault';
    this.fault = fault;
  }
}

/** The faults vCenter answers with, worded as it words them. */
export const faults = {
  notAuthenticated: (object: MoRef): SimFault =>
    new SimFault(
      { $type: 'NotAuthenticated', object, privilegeId: 'System.View' },
      'The session is not authenticated.',
    ),
  invalidLogin: (): SimFault =>
    new SimFault({ $type: 'InvalidLogin' }, 'Cannot complete login due to an incorrect user name or password.'),
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
  invalidCollectorVersion: (): SimFault =>
    new SimFault({ $type: 'InvalidCollectorVersion' }, 'The property collector version is not valid.'),
  requestCanceled: (): SimFault => new SimFault({ $type: 'RequestCanceled' }, 'The task was canceled by a user.'),
  notSupported: (): SimFault =>
    new SimFault({ $type: 'NotSupported' }, 'The operation is not supported on the object.'),
  invalidRequest: (message: string): SimFault => new SimFault({ $type: 'InvalidRequest' }, message),
} as const;
