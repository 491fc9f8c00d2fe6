import { array, boolean, defineMethod, optional, ref } from '../schema.ts';
import {
  CnsQueryFilter,
  CnsQueryResult,
  CnsQuerySelection,
  CnsVolumeACLConfigureSpec,
  CnsVolumeAttachDetachSpec,
  CnsVolumeCreateSpec,
  CnsVolumeExtendSpec,
  CnsVolumeId,
  CnsVolumeMetadataUpdateSpec,
  CnsVolumePolicyReconfigSpec,
  CnsVolumeRelocateSpec,
} from '../types/cns.ts';
import { CnsSnapshotCreateSpec, CnsSnapshotDeleteSpec, CnsSnapshotQueryFilter } from '../types/cns-results.ts';

export const cnsCreateVolume = defineMethod('CnsCreateVolume', {
  namespace: 'urn:vsan',
  request: { _this: ref, createSpecs: array(CnsVolumeCreateSpec) },
  response: ref,
});

export const cnsDeleteVolume = defineMethod('CnsDeleteVolume', {
  namespace: 'urn:vsan',
  request: { _this: ref, volumeIds: array(CnsVolumeId), deleteDisk: boolean },
  response: ref,
});

export const cnsAttachVolume = defineMethod('CnsAttachVolume', {
  namespace: 'urn:vsan',
  request: { _this: ref, attachSpecs: array(CnsVolumeAttachDetachSpec) },
  response: ref,
});

export const cnsDetachVolume = defineMethod('CnsDetachVolume', {
  namespace: 'urn:vsan',
  request: { _this: ref, detachSpecs: array(CnsVolumeAttachDetachSpec) },
  response: ref,
});

export const cnsExtendVolume = defineMethod('CnsExtendVolume', {
  namespace: 'urn:vsan',
  request: { _this: ref, extendSpecs: array(CnsVolumeExtendSpec) },
  response: ref,
});

export const cnsQueryVolume = defineMethod('CnsQueryVolume', {
  namespace: 'urn:vsan',
  request: { _this: ref, filter: CnsQueryFilter },
  response: CnsQueryResult,
});

export const cnsQueryAllVolume = defineMethod('CnsQueryAllVolume', {
  namespace: 'urn:vsan',
  request: { _this: ref, filter: CnsQueryFilter, selection: optional(CnsQuerySelection) },
  response: CnsQueryResult,
});

export const cnsUpdateVolumeMetadata = defineMethod('CnsUpdateVolumeMetadata', {
  namespace: 'urn:vsan',
  request: { _this: ref, updateSpecs: array(CnsVolumeMetadataUpdateSpec) },
  response: ref,
});

export const cnsCreateSnapshots = defineMethod('CnsCreateSnapshots', {
  namespace: 'urn:vsan',
  request: { _this: ref, snapshotSpecs: array(CnsSnapshotCreateSpec) },
  response: ref,
});

export const cnsDeleteSnapshots = defineMethod('CnsDeleteSnapshots', {
  namespace: 'urn:vsan',
  request: { _this: ref, snapshotDeleteSpecs: array(CnsSnapshotDeleteSpec) },
  response: ref,
});

export const cnsQuerySnapshots = defineMethod('CnsQuerySnapshots', {
  namespace: 'urn:vsan',
  request: { _this: ref, snapshotQueryFilter: CnsSnapshotQueryFilter },
  response: ref,
});

export const cnsRelocateVolume = defineMethod('CnsRelocateVolume', {
  namespace: 'urn:vsan',
  request: { _this: ref, relocateSpecs: array(CnsVolumeRelocateSpec) },
  response: ref,
});

export const cnsReconfigVolumePolicy = defineMethod('CnsReconfigVolumePolicy', {
  namespace: 'urn:vsan',
  request: { _this: ref, volumePolicyReconfigSpecs: array(CnsVolumePolicyReconfigSpec) },
  response: ref,
});

export const cnsConfigureVolumeACLs = defineMethod('CnsConfigureVolumeACLs', {
  namespace: 'urn:vsan',
  request: { _this: ref, ACLConfigSpecs: array(CnsVolumeACLConfigureSpec) },
  response: ref,
});
