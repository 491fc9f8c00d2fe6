/**
 * What the program does after an error:
 * - `backoff`: the cause may pass; try again later by itself
 * - `on-change`: only a change by a person helps (configuration, Secret, permission); wait for that change
 * - `never`: repeating the same request cannot succeed
 */
export type RetryAdvice = 'backoff' | 'on-change' | 'never';

/**
 * Every error a user can meet. A code is PascalCase so that it serves as condition reason and event reason as it is.
 * Each has its paragraph in docs/reference/errors.md.
 */
export const errorCodes = {
  Internal: 'backoff',
  Cancelled: 'never',
  DeadlineExceeded: 'backoff',
  InvalidArgument: 'never',
  LeaseLost: 'never',
  ListenFailed: 'on-change',
  Unimplemented: 'never',

  SandboxRunning: 'on-change',
  SandboxNotRunning: 'on-change',
  SandboxFolderUnusable: 'on-change',
  SandboxIncomplete: 'on-change',

  ConfigInvalid: 'on-change',
  ConfigMissing: 'on-change',
  SecretMissing: 'on-change',
  SecretKeysMissing: 'on-change',

  VCenterNameUnresolved: 'backoff',
  VCenterUnreachable: 'backoff',
  VCenterTlsUntrusted: 'on-change',
  VCenterThumbprintMismatch: 'on-change',
  VCenterNotVSphere: 'on-change',
  VCenterReplyMalformed: 'backoff',
  VCenterReplyTooLarge: 'never',
  VCenterLoginRejected: 'on-change',
  VCenterLoginSuspended: 'on-change',
  VCenterSessionLost: 'backoff',
  VCenterPermissionDenied: 'on-change',
  VCenterObjectNotFound: 'never',
  VCenterVersionUnsupported: 'on-change',
  VCenterBusy: 'backoff',
  VCenterFault: 'backoff',
  VCenterTaskFailed: 'backoff',

  KubeConfigInvalid: 'on-change',
  KubeUnreachable: 'backoff',
  KubeTlsUntrusted: 'on-change',
  KubeUnauthorized: 'on-change',
  KubeForbidden: 'on-change',
  KubeNotFound: 'never',
  KubeAlreadyExists: 'never',
  KubeConflict: 'backoff',
  KubeInvalid: 'never',
  KubeGone: 'backoff',
  KubeThrottled: 'backoff',
  KubeServerError: 'backoff',
  KubeResourceMissing: 'on-change',
  KubeFieldConflict: 'on-change',
  KubeImmutableField: 'on-change',
  KubeVersionUnsupported: 'on-change',

  NodeVmNotFound: 'backoff',
  NodeVmAmbiguous: 'on-change',
  NodeNoAddresses: 'backoff',
  NodeForeignProviderId: 'on-change',
  NodeIpNotOnVm: 'on-change',
  NodeMetadataInvalid: 'on-change',
  NodeVmReplaced: 'on-change',
  NodeGoneUnproven: 'backoff',
  NodeDeletionPaused: 'backoff',
  NodeTopologyMissing: 'on-change',
  NodeTopologyChanged: 'on-change',

  VolumeParametersInvalid: 'never',
  VolumeNotFound: 'never',
  VolumeNoDatastore: 'on-change',
  DatastoreFull: 'backoff',
  VolumeCapabilityUnsupported: 'never',
  VolumeConflict: 'never',
  VolumeSizeInvalid: 'never',
  VolumeBusy: 'backoff',
  VolumeForeign: 'on-change',
  VolumeAttachedElsewhere: 'backoff',
  VolumeHasSnapshots: 'on-change',
  SnapshotNotFound: 'never',
  SnapshotLimitReached: 'on-change',
  SnapshotNotBound: 'on-change',
  VolumesMissing: 'on-change',
  ListTokenInvalid: 'never',
  VolumeFormatRefused: 'on-change',
  NodeDiskNotFound: 'backoff',
  NodeDisksFull: 'backoff',
  NodeMountFailed: 'backoff',
  NodeCommandFailed: 'backoff',

  MatrixInvalid: 'on-change',
  MatrixSignatureInvalid: 'on-change',
  BundleInvalid: 'on-change',
  SourceUnreadable: 'backoff',
  NoCompatibleRelease: 'on-change',
  ReleaseLayoutUnknown: 'on-change',
  ResourceNotSingleton: 'on-change',
  VolumesInUse: 'on-change',
  WorkloadsNotReady: 'backoff',
  ReleaseRolledBack: 'on-change',
  InstallBlocked: 'backoff',
  ImagePullFailed: 'backoff',
  DriverManagedElsewhere: 'on-change',
  CniRoleMissing: 'on-change',
  CniManifestInvalid: 'on-change',
} as const satisfies Record<string, RetryAdvice>;

export type ErrorCode = keyof typeof errorCodes;
