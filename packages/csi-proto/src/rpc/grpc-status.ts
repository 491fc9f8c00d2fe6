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
  // The missing, conflicting or invalid object is internal, not the volume of the request.
  KubeNotFound: status.FAILED_PRECONDITION,
  KubeAlreadyExists: status.ABORTED,
  KubeInvalid: status.INTERNAL,
  // Sidecars would treat other statuses as an operation that may continue, and would not allow a smaller size for the claim.
  DatastoreFull: status.INTERNAL,
  // Required by the specification.
  ListTokenInvalid: status.ABORTED,
  // The volume exists; its disk has not appeared on the node yet.
  NodeDiskNotFound: status.UNAVAILABLE,
};

/** Callers treat all other statuses as final: the operation ended without an effect. */
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
 * The gRPC status of an error, by the family of its code. Sidecars and kubelet act on the status: an operation that may have had an effect must
 * not map to a status that they treat as final (see the CSI specification, section "Error Scheme"). An error can contain more information
 * about its effect than its code.
 */
export const grpcStatusOfError = ({ code, effect }: Pick<VdoError, 'code' | 'effect'>): status =>
  statusFor(code, effect);
