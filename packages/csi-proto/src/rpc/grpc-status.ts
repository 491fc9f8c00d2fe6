import { status } from '@grpc/grpc-js';
import { type ErrorCode, type ErrorEffect, type ErrorFamily, errorCodes } from '@vdo/base/error-codes';
import type { VdoError } from '@vdo/base/vdo-error';

const byFamily: Readonly<Record<ErrorFamily, status>> = {
  cancelled: status.CANCELLED,
  timeout: status.DEADLINE_EXCEEDED,
  usage: status.INVALID_ARGUMENT,
  configuration: status.FAILED_PRECONDITION,
  invalid: status.INVALID_ARGUMENT,
  range: status.OUT_OF_RANGE,
  unsupported: status.UNIMPLEMENTED,
  precondition: status.FAILED_PRECONDITION,
  unavailable: status.UNAVAILABLE,
  unauthenticated: status.UNAUTHENTICATED,
  denied: status.PERMISSION_DENIED,
  missing: status.NOT_FOUND,
  exists: status.ALREADY_EXISTS,
  contended: status.ABORTED,
  exhausted: status.RESOURCE_EXHAUSTED,
  failed: status.INTERNAL,
};

const exceptions: Readonly<Partial<Record<ErrorCode, status>>> = {
  // What is missing, taken or invalid is an object of ours, not the volume that the caller asked about.
  KubeNotFound: status.FAILED_PRECONDITION,
  KubeAlreadyExists: status.ABORTED,
  KubeInvalid: status.INTERNAL,
  // Sidecars would take it for an operation that may still go on, and not let a claim be made smaller.
  DatastoreFull: status.INTERNAL,
  // The specification wants this one.
  ListTokenInvalid: status.ABORTED,
  // The volume exists; its disk has not appeared on the node yet.
  NodeDiskNotFound: status.UNAVAILABLE,
};

/** All other statuses are final to the callers: they take the operation for one that ended without an effect. */
const notFinal: readonly status[] = [
  status.CANCELLED,
  status.DEADLINE_EXCEEDED,
  status.UNAVAILABLE,
  status.RESOURCE_EXHAUSTED,
  status.ABORTED,
];

const statusFor = (code: ErrorCode, effect: ErrorEffect): status => {
  const reported = exceptions[code] ?? byFamily[errorCodes[code].family];
  return effect === 'unknown' && !notFinal.includes(reported) ? status.UNAVAILABLE : reported;
};

/**
 * The gRPC status of an error, by the family of its code. Sidecars and kubelet act on the status: what may have had an effect must not
 * map to one that they take as final (see the CSI specification, section "Error Scheme"). An error may know more about its effect than
 * its code does.
 */
export const grpcStatusOfError = ({ code, effect }: Pick<VdoError, 'code' | 'effect'>): status =>
  statusFor(code, effect);
