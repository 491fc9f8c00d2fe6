import { status } from '@grpc/grpc-js';
import type { ErrorCode } from '@vdo/base/error-codes';

/**
 * The one table from error code to gRPC status. Sidecars and kubelet act on the status: what may have had an effect must not map to
 * one that they take as final (see the CSI specification, section "Error Scheme").
 */
export const grpcStatusOf: Readonly<Record<ErrorCode, status>> = {
  Internal: status.INTERNAL,
  Cancelled: status.CANCELLED,
  DeadlineExceeded: status.DEADLINE_EXCEEDED,
  InvalidArgument: status.INVALID_ARGUMENT,
  LeaseLost: status.ABORTED,
  ListenFailed: status.INTERNAL,
  Unimplemented: status.UNIMPLEMENTED,

  ConfigInvalid: status.FAILED_PRECONDITION,
  ConfigMissing: status.FAILED_PRECONDITION,
  SecretMissing: status.FAILED_PRECONDITION,
  SecretKeysMissing: status.FAILED_PRECONDITION,

  VCenterNameUnresolved: status.UNAVAILABLE,
  VCenterUnreachable: status.UNAVAILABLE,
  VCenterTlsUntrusted: status.FAILED_PRECONDITION,
  VCenterThumbprintMismatch: status.FAILED_PRECONDITION,
  VCenterNotVSphere: status.FAILED_PRECONDITION,
  VCenterReplyMalformed: status.UNAVAILABLE,
  VCenterReplyTooLarge: status.INTERNAL,
  VCenterLoginRejected: status.UNAUTHENTICATED,
  VCenterLoginSuspended: status.UNAUTHENTICATED,
  VCenterSessionLost: status.UNAVAILABLE,
  VCenterPermissionDenied: status.PERMISSION_DENIED,
  VCenterObjectNotFound: status.NOT_FOUND,
  VCenterVersionUnsupported: status.FAILED_PRECONDITION,
  VCenterBusy: status.UNAVAILABLE,
  VCenterFault: status.INTERNAL,
  VCenterTaskFailed: status.INTERNAL,

  KubeConfigInvalid: status.FAILED_PRECONDITION,
  KubeUnreachable: status.UNAVAILABLE,
  KubeTlsUntrusted: status.FAILED_PRECONDITION,
  KubeUnauthorized: status.UNAUTHENTICATED,
  KubeForbidden: status.PERMISSION_DENIED,
  KubeNotFound: status.FAILED_PRECONDITION,
  KubeAlreadyExists: status.ABORTED,
  KubeConflict: status.ABORTED,
  KubeInvalid: status.INTERNAL,
  KubeGone: status.UNAVAILABLE,
  KubeThrottled: status.UNAVAILABLE,
  KubeServerError: status.UNAVAILABLE,
  KubeResourceMissing: status.FAILED_PRECONDITION,
  KubeFieldConflict: status.FAILED_PRECONDITION,

  NodeVmNotFound: status.NOT_FOUND,
  NodeVmAmbiguous: status.FAILED_PRECONDITION,
  NodeNoAddresses: status.FAILED_PRECONDITION,
  NodeForeignProviderId: status.FAILED_PRECONDITION,
  NodeIpNotOnVm: status.FAILED_PRECONDITION,
  NodeMetadataInvalid: status.FAILED_PRECONDITION,
  NodeTopologyMissing: status.FAILED_PRECONDITION,
  NodeTopologyChanged: status.FAILED_PRECONDITION,
  NodeVmReplaced: status.FAILED_PRECONDITION,

  VolumeParametersInvalid: status.INVALID_ARGUMENT,
  VolumeNotFound: status.NOT_FOUND,
  VolumeNoDatastore: status.RESOURCE_EXHAUSTED,
  VolumeCapabilityUnsupported: status.INVALID_ARGUMENT,
  VolumeConflict: status.ALREADY_EXISTS,
  VolumeSizeInvalid: status.OUT_OF_RANGE,
  VolumeBusy: status.ABORTED,
  VolumeForeign: status.FAILED_PRECONDITION,

  MatrixInvalid: status.FAILED_PRECONDITION,
  NoCompatibleRelease: status.FAILED_PRECONDITION,
  ReleaseLayoutUnknown: status.FAILED_PRECONDITION,
  ResourceNotSingleton: status.FAILED_PRECONDITION,
  VolumesInUse: status.FAILED_PRECONDITION,
  WorkloadsNotReady: status.FAILED_PRECONDITION,
};
