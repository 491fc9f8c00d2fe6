import { status } from '@grpc/grpc-js';
import { type ErrorCode, errorCodes } from '@vdo/base/error-codes';
import { VdoError } from '@vdo/base/vdo-error';
import { expect, it } from 'vitest';
import { grpcStatusOf } from '../testing/grpc-status-of.ts';
import { grpcStatusOfError } from './grpc-status.ts';

// Sidecars and the kubelet act on the status, so that a new one for a code is a change of behaviour: it is made here as well.
const expected: Readonly<Partial<Record<keyof typeof status, string>>> = {
  ABORTED: `KubeAlreadyExists KubeConflict LeaseLost ListTokenInvalid VolumeBusy`,
  ALREADY_EXISTS: `VolumeConflict`,
  CANCELLED: `Cancelled`,
  DEADLINE_EXCEEDED: `DeadlineExceeded`,
  FAILED_PRECONDITION: `
    ActRefused BundleInvalid ClusterIdMismatch ClusterIdShared CniManifestInvalid CniRoleMissing ConfigInvalid ConfigMissing
    DefinitionOutdated DriverManagedElsewhere DriverRoleMissing ImagePullFailed InstallBlocked KubeConfigInvalid KubeFieldConflict
    KubeImmutableField KubeNotFound KubeResourceMissing KubeTlsUntrusted KubeVersionUnsupported MatrixInvalid
    MatrixSignatureInvalid NoCompatibleRelease NodeDeletionPaused NodeDiskAmbiguous NodeForeignProviderId
    NodeGoneUnproven NodeIpNotOnVm NodeMetadataInvalid NodeNoAddresses NodeTopologyChanged NodeTopologyMissing
    NodeVmAmbiguous NodeVmReplaced RegistryMissing ReleaseLayoutUnknown ReleaseRolledBack ResourceNotSingleton SandboxFolderUnusable
    SandboxIncomplete SandboxNotRunning SandboxRunning SecretKeysMissing SecretMissing SnapshotNotBound
    VCenterNotVSphere VCenterThumbprintMismatch VCenterTlsUntrusted VCenterVersionUnsupported VolumeAttachedElsewhere
    VolumeFormatRefused VolumeHasSnapshots VolumesInUse VolumesMissing WorkloadsNotReady`,
  INTERNAL: `
    DatastoreFull KubeInvalid ListenFailed NodeCommandFailed NodeMountFailed VCenterFault VCenterTaskFailed`,
  INVALID_ARGUMENT: `InvalidArgument VolumeCapabilityUnsupported VolumeForeign VolumeParametersInvalid`,
  NOT_FOUND: `NodeVmNotFound SnapshotNotFound VCenterObjectNotFound VolumeNotFound`,
  OUT_OF_RANGE: `VolumeSizeInvalid`,
  PERMISSION_DENIED: `KubeForbidden RegistryRefused VCenterPermissionDenied`,
  RESOURCE_EXHAUSTED: `NodeDisksFull SnapshotLimitReached VolumeNoDatastore`,
  UNAUTHENTICATED: `KubeUnauthorized VCenterLoginRejected VCenterLoginSuspended`,
  UNAVAILABLE: `
    EvidenceMissing Internal KubeGone KubeServerError KubeThrottled KubeUnreachable NodeDiskChanged NodeDiskInUse NodeDiskNotFound RegistryUnreachable SourceUnreadable
    VCenterBusy VCenterNameUnresolved VCenterReplyMalformed VCenterReplyTooLarge VCenterSessionLost
    VCenterTaskForgotten VCenterUnreachable`,
  UNIMPLEMENTED: `Unimplemented`,
};

const statuses = Object.keys(status).filter((name) => Number.isNaN(Number(name))) as (keyof typeof status)[];

it.each(statuses)('the codes of status %s are', (name) => {
  const codes = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => grpcStatusOf[code] === status[name]);
  expect(codes.sort()).toEqual(expected[name]?.trim().split(/\s+/) ?? []);
});

it('tells no caller that nothing was done when that is not known', () => {
  const hidden = { code: 'VolumeNotFound', message: 'made but not shown', remedy: 'r', effect: 'unknown' } as const;
  expect(grpcStatusOfError(new VdoError(hidden))).toBe(status.UNAVAILABLE);
  expect(grpcStatusOfError(new VdoError({ ...hidden, effect: 'none' }))).toBe(status.NOT_FOUND);
});
