import { status } from '@grpc/grpc-js';
import { type ErrorCode, errorCodes } from '@vdo/base/error-codes';
import { expect, it } from 'vitest';
import { grpcStatusOf } from './grpc-status.ts';

// Sidecars and the kubelet act on the status, so that a new one for a code is a change of behaviour: it is made here as well.
const expected: Readonly<Partial<Record<keyof typeof status, string>>> = {
  ABORTED: `KubeAlreadyExists KubeConflict LeaseLost ListTokenInvalid VolumeBusy`,
  ALREADY_EXISTS: `VolumeConflict`,
  CANCELLED: `Cancelled`,
  DEADLINE_EXCEEDED: `DeadlineExceeded`,
  FAILED_PRECONDITION: `
    BundleInvalid CniManifestInvalid CniRoleMissing ConfigInvalid ConfigMissing DriverManagedElsewhere
    ImagePullFailed InstallBlocked KubeConfigInvalid KubeFieldConflict KubeImmutableField KubeNotFound
    KubeResourceMissing KubeTlsUntrusted KubeVersionUnsupported MatrixInvalid MatrixSignatureInvalid
    NoCompatibleRelease NodeDeletionPaused NodeForeignProviderId NodeGoneUnproven NodeIpNotOnVm
    NodeMetadataInvalid NodeNoAddresses NodeTopologyChanged NodeTopologyMissing NodeVmAmbiguous NodeVmReplaced
    ReleaseLayoutUnknown ReleaseRolledBack ResourceNotSingleton SandboxFolderUnusable SandboxIncomplete
    SandboxNotRunning SandboxRunning SecretKeysMissing SecretMissing SnapshotNotBound VCenterNotVSphere
    VCenterThumbprintMismatch VCenterTlsUntrusted VCenterVersionUnsupported VolumeAttachedElsewhere
    VolumeFormatRefused VolumeHasSnapshots VolumesInUse VolumesMissing WorkloadsNotReady`,
  INTERNAL: `
    DatastoreFull Internal KubeInvalid ListenFailed NodeCommandFailed NodeMountFailed VCenterFault VCenterReplyTooLarge VCenterTaskFailed`,
  INVALID_ARGUMENT: `InvalidArgument VolumeCapabilityUnsupported VolumeForeign VolumeParametersInvalid`,
  NOT_FOUND: `NodeVmNotFound SnapshotNotFound VCenterObjectNotFound VolumeNotFound`,
  OUT_OF_RANGE: `VolumeSizeInvalid`,
  PERMISSION_DENIED: `KubeForbidden VCenterPermissionDenied`,
  RESOURCE_EXHAUSTED: `NodeDisksFull SnapshotLimitReached VolumeNoDatastore`,
  UNAUTHENTICATED: `KubeUnauthorized VCenterLoginRejected VCenterLoginSuspended`,
  UNAVAILABLE: `
    KubeGone KubeServerError KubeThrottled KubeUnreachable NodeDiskNotFound SourceUnreadable
    VCenterBusy VCenterNameUnresolved VCenterReplyMalformed VCenterSessionLost
    VCenterUnreachable`,
  UNIMPLEMENTED: `Unimplemented`,
};

const statuses = Object.keys(status).filter((name) => Number.isNaN(Number(name))) as (keyof typeof status)[];

it.each(statuses)('the codes of status %s are', (name) => {
  const codes = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => grpcStatusOf[code] === status[name]);
  expect(codes.sort()).toEqual(expected[name]?.trim().split(/\s+/) ?? []);
});
