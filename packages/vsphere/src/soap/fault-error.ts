import { VdoError } from '@vdo/base/vdo-error';
import type { SoapFault } from '../wire/envelope.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import {
  ConcurrentAccess,
  HostCommunication,
  InvalidLogin,
  InvalidRequest,
  ManagedObjectNotFound,
  NoDiskSpace,
  NoPermission,
  NotAuthenticated,
  NotSupported,
  ResourceInUse,
  TaskInProgress,
  Timedout,
} from '../wire/types/faults.ts';
import { wireTypes } from '../wire/wire-types.ts';

/** Where a fault came from, for messages. */
export interface FaultContext {
  readonly server: string;
  /** The method, or the operation of the task. */
  readonly call: string;
}

type Fault = NonNullable<SoapFault['fault']>;

const isMoRef = (value: unknown): value is MoRef =>
  typeof value === 'object' && value !== null && 'type' in value && 'value' in value;

const privilegesOf = (fault: Fault): readonly string[] => {
  const single = typeof fault['privilegeId'] === 'string' ? [fault['privilegeId']] : [];
  const missing = Array.isArray(fault['missingPrivileges']) ? fault['missingPrivileges'] : [];
  const listed = missing.flatMap((entry: { readonly privilegeIds?: readonly string[] }) => entry.privilegeIds ?? []);
  return [...new Set([...single, ...listed])];
};

const permissionDenied = (fault: Fault, { server, call }: FaultContext): VdoError => {
  const object = isMoRef(fault['object']) ? morefKey(fault['object']) : 'an unnamed object';
  const privileges = privilegesOf(fault);
  const named = privileges.length > 0 ? privileges.join(', ') : 'a privilege it does not name';
  return new VdoError({
    code: 'VCenterPermissionDenied',
    message: `vCenter ${server} refused ${call}: the user lacks ${named} on ${object}`,
    remedy: `Grant the user of the credentials Secret a role with ${named} on ${object}, or on a parent with propagation.`,
    details: { fault: fault.$type, object, privileges },
  });
};

const notFound = (fault: Fault, { server, call }: FaultContext): VdoError => {
  const object = isMoRef(fault['obj']) ? morefKey(fault['obj']) : 'the object';
  return new VdoError({
    code: 'VCenterObjectNotFound',
    message: `vCenter ${server} no longer has ${object} (${call})`,
    remedy:
      'The object was deleted, or the user may no longer read it. Check the permissions before you assume that it was deleted.',
    details: { fault: fault.$type, object },
  });
};

const busy = (fault: Fault, { server, call }: FaultContext, text: string): VdoError =>
  new VdoError({
    code: 'VCenterBusy',
    // Refused because of other operations. The other faults of this kind may be the result of our own earlier attempt, or of a host that did it.
    ...(wireTypes.is(fault, ResourceInUse) ? { effect: 'none' as const } : {}),
    message: `vCenter ${server} cannot do ${call} now: ${fault.$type}${text}`,
    remedy: 'No action needed: the request is retried automatically.',
    details: { fault: fault.$type },
  });

/** Subtypes of InvalidLogin that another password would not fix. */
const refusals: Readonly<Record<string, { readonly why: string; readonly remedy: string }>> = {
  PasswordExpired: {
    why: 'the password of the account has expired',
    remedy:
      'Set a new password for the account in vCenter (Administration → Single Sign On → Users and Groups) and put it into the credentials Secret. To keep it from expiring again, exempt the account: dir-cli user modify --account <name> --password-never-expires on the vCenter appliance.',
  },
  InvalidClientCertificate: {
    why: 'it does not accept the client certificate',
    remedy:
      'Renew the certificate of the solution user in vCenter single sign-on and put certificate and key into the credentials Secret.',
  },
};

const rejected = (fault: Pick<Fault, '$type'>, { server, call }: FaultContext): VdoError => {
  const known = refusals[fault.$type];
  return new VdoError({
    code: 'VCenterLoginRejected',
    message: known
      ? `vCenter ${server} refused the login: ${known.why} (${call})`
      : `vCenter ${server} rejected the user name or password${call === 'Login' ? '' : ` (call ${call})`}`,
    remedy:
      known?.remedy ??
      'Correct username (user@domain) and password in the credentials Secret. If they are right, the account may be locked: unlock it in vCenter single sign-on.',
    details: { fault: fault.$type },
  });
};

const full = (fault: Fault, { server, call }: FaultContext): VdoError => {
  const datastore = fault['datastore'] ? `datastore ${fault['datastore']}` : 'a datastore';
  return new VdoError({
    code: 'DatastoreFull',
    message: `vCenter ${server} refused ${call}: ${datastore} has no space left`,
    remedy: `Free space on ${datastore}, expand it, or use other datastores in the StorageClass. The request is retried automatically.`,
    details: { fault: fault.$type },
  });
};

const busyTypes = [HostCommunication, Timedout, TaskInProgress, ConcurrentAccess, ResourceInUse];

/** Converts a fault of vCenter, in a reply or in a finished task, to a VdoError. `details.fault` has its wire type. */
export const faultError = (fault: Fault | undefined, message: string, context: FaultContext): VdoError => {
  const { server, call } = context;
  const text = message === '' ? '' : `: ${message}`;
  if (wireTypes.is(fault, InvalidLogin)) return rejected(fault, context);
  if (wireTypes.is(fault, NotAuthenticated))
    return new VdoError({
      code: 'VCenterSessionLost',
      message: `the session on vCenter ${server} is no longer valid (${call})`,
      remedy: 'No action needed: a new session is opened automatically.',
      details: { fault: fault.$type },
    });
  if (fault && wireTypes.is(fault, NoPermission)) return permissionDenied(fault as Fault, context);
  if (fault && wireTypes.is(fault, ManagedObjectNotFound)) return notFound(fault as Fault, context);
  if (fault && wireTypes.is(fault, NoDiskSpace)) return full(fault as Fault, context);
  if (fault && busyTypes.some((type) => wireTypes.is(fault, type))) return busy(fault, context, text);
  if (fault && (wireTypes.is(fault, NotSupported) || fault.$type === 'MethodNotFound'))
    return new VdoError({
      code: 'VCenterVersionUnsupported',
      message: `vCenter ${server} does not support ${call}${text}`,
      remedy:
        'This needs a newer vCenter, or a feature that is disabled there. See the compatibility table in the documentation.',
      details: { fault: fault.$type },
    });
  const invalid = wireTypes.is(fault, InvalidRequest);
  return new VdoError({
    code: 'VCenterFault',
    message: `vCenter ${server} failed ${call} with ${fault?.$type ?? 'a fault'}${text}`,
    remedy: invalid
      ? 'vCenter does not understand the request: report this together with the vCenter version.'
      : 'Check the tasks and events of the object in vCenter. The request is retried automatically.',
    ...(invalid ? { retry: 'never' as const } : {}),
    details: { fault: fault?.$type ?? '', ...(fault === undefined ? {} : { data: fault }) },
  });
};
