/**
 * What the program does after an error:
 * - `backoff`: the cause may be temporary; the program tries again after a while
 * - `on-change`: only a change by somebody helps (configuration, Secret, permission); the program waits for that change
 * - `never`: repeating the same request cannot succeed while nothing changes; loops try again at long, growing intervals
 */
export type RetryAdvice = 'backoff' | 'on-change' | 'never';

/**
 * Whether the failed call had an effect:
 * - `none`: certainly nothing was done, and nothing will be
 * - `unknown`: it may have had an effect, or may have one later. Only reading the objects shows it
 */
export type ErrorEffect = 'none' | 'unknown';

/** What kind of failure it is. Callers derive the gRPC status and the exit code from the family. */
export type ErrorFamily =
  | 'cancelled'
  | 'timeout'
  /** A command or a call has a mistake in its form. */
  | 'usage'
  | 'configuration'
  /** The request is not allowed. */
  | 'invalid'
  | 'range'
  | 'unsupported'
  /** Something else must be done first. */
  | 'precondition'
  | 'unavailable'
  | 'unauthenticated'
  | 'denied'
  | 'missing'
  | 'exists'
  /** Another process is working on it. */
  | 'contended'
  | 'exhausted'
  | 'failed';

export interface ErrorFacts {
  readonly family: ErrorFamily;
  readonly retry: RetryAdvice;
  readonly effect: ErrorEffect;
}

/**
 * Every error that a user can meet, and its properties: the only table of error codes. A code is PascalCase so that it can be used
 * unchanged as the reason of a condition or event. Each has its paragraph in docs/reference/errors.md.
 *
 * The effect applies to the whole operation that the error ends, which may have made several calls: if a name cannot be resolved while a
 * task is awaited, the outcome of the task is still unknown. If in doubt, the effect is `unknown`.
 */
export const errorCodes = {
  Internal: { family: 'failed', retry: 'backoff', effect: 'unknown' },
  Cancelled: { family: 'cancelled', retry: 'never', effect: 'unknown' },
  DeadlineExceeded: { family: 'timeout', retry: 'backoff', effect: 'unknown' },
  InvalidArgument: { family: 'usage', retry: 'never', effect: 'none' },
  LeaseLost: { family: 'contended', retry: 'never', effect: 'unknown' },
  EvidenceMissing: { family: 'unavailable', retry: 'backoff', effect: 'none' },
  ActRefused: { family: 'precondition', retry: 'on-change', effect: 'none' },
  ListenFailed: { family: 'failed', retry: 'on-change', effect: 'none' },
  Unimplemented: { family: 'unsupported', retry: 'never', effect: 'none' },

  SandboxRunning: { family: 'precondition', retry: 'on-change', effect: 'none' },
  SandboxNotRunning: { family: 'precondition', retry: 'on-change', effect: 'none' },
  SandboxFolderUnusable: { family: 'precondition', retry: 'on-change', effect: 'none' },
  SandboxIncomplete: { family: 'precondition', retry: 'on-change', effect: 'none' },

  ConfigInvalid: { family: 'configuration', retry: 'on-change', effect: 'none' },
  ConfigMissing: { family: 'configuration', retry: 'on-change', effect: 'none' },
  SecretMissing: { family: 'precondition', retry: 'on-change', effect: 'none' },
  SecretKeysMissing: { family: 'precondition', retry: 'on-change', effect: 'none' },

  DefinitionOutdated: { family: 'precondition', retry: 'on-change', effect: 'none' },

  VCenterNameUnresolved: { family: 'unavailable', retry: 'backoff', effect: 'unknown' },
  VCenterUnreachable: { family: 'unavailable', retry: 'backoff', effect: 'unknown' },
  VCenterTlsUntrusted: { family: 'precondition', retry: 'on-change', effect: 'none' },
  VCenterThumbprintMismatch: { family: 'precondition', retry: 'on-change', effect: 'none' },
  VCenterNotVSphere: { family: 'precondition', retry: 'on-change', effect: 'none' },
  VCenterReplyMalformed: { family: 'unavailable', retry: 'backoff', effect: 'unknown' },
  VCenterReplyTooLarge: { family: 'failed', retry: 'never', effect: 'unknown' },
  VCenterLoginRejected: { family: 'unauthenticated', retry: 'on-change', effect: 'none' },
  VCenterLoginSuspended: { family: 'unauthenticated', retry: 'on-change', effect: 'none' },
  VCenterSessionLost: { family: 'unavailable', retry: 'backoff', effect: 'unknown' },
  VCenterPermissionDenied: { family: 'denied', retry: 'on-change', effect: 'none' },
  VCenterObjectNotFound: { family: 'missing', retry: 'never', effect: 'none' },
  VCenterTaskForgotten: { family: 'unavailable', retry: 'backoff', effect: 'unknown' },
  VCenterVersionUnsupported: { family: 'precondition', retry: 'on-change', effect: 'none' },
  VCenterBusy: { family: 'unavailable', retry: 'backoff', effect: 'unknown' },
  VCenterFault: { family: 'failed', retry: 'backoff', effect: 'none' },
  VCenterTaskFailed: { family: 'failed', retry: 'backoff', effect: 'none' },

  KubeConfigInvalid: { family: 'precondition', retry: 'on-change', effect: 'none' },
  KubeUnreachable: { family: 'unavailable', retry: 'backoff', effect: 'unknown' },
  KubeTlsUntrusted: { family: 'precondition', retry: 'on-change', effect: 'none' },
  KubeUnauthorized: { family: 'unauthenticated', retry: 'on-change', effect: 'none' },
  KubeForbidden: { family: 'denied', retry: 'on-change', effect: 'none' },
  KubeNotFound: { family: 'missing', retry: 'never', effect: 'none' },
  KubeAlreadyExists: { family: 'exists', retry: 'never', effect: 'unknown' },
  KubeConflict: { family: 'contended', retry: 'backoff', effect: 'unknown' },
  KubeInvalid: { family: 'invalid', retry: 'never', effect: 'none' },
  KubeGone: { family: 'unavailable', retry: 'backoff', effect: 'unknown' },
  KubeThrottled: { family: 'unavailable', retry: 'backoff', effect: 'unknown' },
  KubeServerError: { family: 'unavailable', retry: 'backoff', effect: 'unknown' },
  KubeResourceMissing: { family: 'precondition', retry: 'on-change', effect: 'none' },
  KubeFieldConflict: { family: 'precondition', retry: 'on-change', effect: 'none' },
  KubeImmutableField: { family: 'precondition', retry: 'on-change', effect: 'none' },
  KubeVersionUnsupported: { family: 'precondition', retry: 'on-change', effect: 'none' },

  NodeVmNotFound: { family: 'missing', retry: 'backoff', effect: 'none' },
  NodeVmAmbiguous: { family: 'precondition', retry: 'on-change', effect: 'none' },
  NodeNoAddresses: { family: 'precondition', retry: 'backoff', effect: 'none' },
  NodeForeignProviderId: { family: 'precondition', retry: 'on-change', effect: 'none' },
  NodeIpNotOnVm: { family: 'precondition', retry: 'on-change', effect: 'none' },
  NodeMetadataInvalid: { family: 'precondition', retry: 'on-change', effect: 'none' },
  NodeVmReplaced: { family: 'precondition', retry: 'on-change', effect: 'none' },
  NodeGoneUnproven: { family: 'precondition', retry: 'backoff', effect: 'none' },
  NodeDeletionPaused: { family: 'precondition', retry: 'backoff', effect: 'none' },
  NodeTopologyMissing: { family: 'precondition', retry: 'on-change', effect: 'none' },
  NodeTopologyChanged: { family: 'precondition', retry: 'on-change', effect: 'none' },

  VolumeParametersInvalid: { family: 'invalid', retry: 'never', effect: 'none' },
  VolumeNotFound: { family: 'missing', retry: 'never', effect: 'none' },
  VolumeNoDatastore: { family: 'exhausted', retry: 'on-change', effect: 'none' },
  DatastoreFull: { family: 'exhausted', retry: 'backoff', effect: 'none' },
  VolumeCapabilityUnsupported: { family: 'invalid', retry: 'never', effect: 'none' },
  VolumeConflict: { family: 'exists', retry: 'never', effect: 'none' },
  VolumeSizeInvalid: { family: 'range', retry: 'never', effect: 'none' },
  VolumeBusy: { family: 'contended', retry: 'backoff', effect: 'unknown' },
  VolumeForeign: { family: 'invalid', retry: 'on-change', effect: 'none' },
  VolumeAttachedElsewhere: { family: 'precondition', retry: 'backoff', effect: 'none' },
  VolumeHasSnapshots: { family: 'precondition', retry: 'on-change', effect: 'none' },
  SnapshotNotFound: { family: 'missing', retry: 'never', effect: 'none' },
  SnapshotLimitReached: { family: 'exhausted', retry: 'on-change', effect: 'none' },
  SnapshotNotBound: { family: 'precondition', retry: 'on-change', effect: 'none' },
  ClusterIdShared: { family: 'precondition', retry: 'backoff', effect: 'none' },
  ClusterIdMismatch: { family: 'precondition', retry: 'on-change', effect: 'none' },
  VolumesMissing: { family: 'precondition', retry: 'on-change', effect: 'none' },
  ListTokenInvalid: { family: 'invalid', retry: 'never', effect: 'none' },
  VolumeFormatRefused: { family: 'precondition', retry: 'on-change', effect: 'none' },
  NodeDiskNotFound: { family: 'missing', retry: 'backoff', effect: 'none' },
  NodeDiskAmbiguous: { family: 'precondition', retry: 'on-change', effect: 'none' },
  NodeDiskChanged: { family: 'unavailable', retry: 'backoff', effect: 'none' },
  NodeDiskInUse: { family: 'precondition', retry: 'backoff', effect: 'unknown' },
  NodeDisksFull: { family: 'exhausted', retry: 'backoff', effect: 'none' },
  NodeMountFailed: { family: 'failed', retry: 'backoff', effect: 'none' },
  NodeCommandFailed: { family: 'failed', retry: 'backoff', effect: 'none' },

  MatrixInvalid: { family: 'precondition', retry: 'on-change', effect: 'none' },
  MatrixSignatureInvalid: { family: 'precondition', retry: 'on-change', effect: 'none' },
  BundleInvalid: { family: 'precondition', retry: 'on-change', effect: 'none' },
  RegistryUnreachable: { family: 'unavailable', retry: 'backoff', effect: 'none' },
  RegistryRefused: { family: 'denied', retry: 'on-change', effect: 'none' },
  SourceUnreadable: { family: 'unavailable', retry: 'backoff', effect: 'none' },
  NoCompatibleRelease: { family: 'precondition', retry: 'on-change', effect: 'none' },
  ReleaseLayoutUnknown: { family: 'precondition', retry: 'on-change', effect: 'none' },
  ResourceNotSingleton: { family: 'precondition', retry: 'on-change', effect: 'none' },
  VolumesInUse: { family: 'precondition', retry: 'on-change', effect: 'none' },
  WorkloadsNotReady: { family: 'precondition', retry: 'backoff', effect: 'none' },
  ReleaseRolledBack: { family: 'precondition', retry: 'on-change', effect: 'none' },
  InstallBlocked: { family: 'precondition', retry: 'backoff', effect: 'none' },
  ImagePullFailed: { family: 'precondition', retry: 'backoff', effect: 'none' },
  DriverManagedElsewhere: { family: 'precondition', retry: 'on-change', effect: 'none' },
  DriverRoleMissing: { family: 'precondition', retry: 'on-change', effect: 'none' },
  RegistryMissing: { family: 'precondition', retry: 'on-change', effect: 'none' },
  CniRoleMissing: { family: 'precondition', retry: 'on-change', effect: 'none' },
  CniManifestInvalid: { family: 'precondition', retry: 'on-change', effect: 'none' },
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof errorCodes;
