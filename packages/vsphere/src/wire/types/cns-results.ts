import { array, dateTime, defineType, long, optional, ref, string } from '../schema.ts';
import { CnsCursor, CnsSnapshotId, CnsVolumeId } from './cns.ts';
import { LocalizedMethodFault, VimFault } from './faults.ts';

export const CnsVolumeOperationResult = defineType(
  'CnsVolumeOperationResult',
  {
    volumeId: optional(CnsVolumeId),
    fault: optional(LocalizedMethodFault),
  },
  { open: true },
);

export const CnsVolumeOperationBatchResult = defineType('CnsVolumeOperationBatchResult', {
  volumeResults: array(CnsVolumeOperationResult),
});

export const CnsPlacementResult = defineType('CnsPlacementResult', {
  datastore: optional(ref),
  placementFaults: array(LocalizedMethodFault),
  clusters: array(ref),
});

export const CnsVolumeCreateResult = defineType(
  'CnsVolumeCreateResult',
  {
    name: optional(string),
    placementResults: array(CnsPlacementResult),
  },
  { extends: CnsVolumeOperationResult },
);

export const CnsVolumeAttachResult = defineType(
  'CnsVolumeAttachResult',
  {
    diskUUID: optional(string),
  },
  { extends: CnsVolumeOperationResult },
);

export const CnsSnapshot = defineType('CnsSnapshot', {
  snapshotId: CnsSnapshotId,
  volumeId: CnsVolumeId,
  description: optional(string),
  createTime: dateTime,
  changedBlockTrackingId: optional(string),
});

export const CnsSnapshotOperationResult = defineType(
  'CnsSnapshotOperationResult',
  {},
  { extends: CnsVolumeOperationResult },
);

export const CnsSnapshotCreateResult = defineType(
  'CnsSnapshotCreateResult',
  {
    snapshot: optional(CnsSnapshot),
    aggregatedSnapshotCapacityInMb: optional(long),
  },
  { extends: CnsSnapshotOperationResult },
);

export const CnsSnapshotDeleteResult = defineType(
  'CnsSnapshotDeleteResult',
  {
    snapshotId: optional(CnsSnapshotId),
    aggregatedSnapshotCapacityInMb: optional(long),
  },
  { extends: CnsSnapshotOperationResult },
);

export const CnsSnapshotQuerySpec = defineType('CnsSnapshotQuerySpec', {
  volumeId: CnsVolumeId,
  snapshotId: optional(CnsSnapshotId),
});

export const CnsSnapshotQueryFilter = defineType('CnsSnapshotQueryFilter', {
  snapshotQuerySpecs: array(CnsSnapshotQuerySpec),
  cursor: optional(CnsCursor),
});

export const CnsSnapshotQueryResultEntry = defineType('CnsSnapshotQueryResultEntry', {
  snapshot: optional(CnsSnapshot),
  error: optional(LocalizedMethodFault),
});

export const CnsSnapshotQueryResult = defineType('CnsSnapshotQueryResult', {
  entries: array(CnsSnapshotQueryResultEntry),
  cursor: optional(CnsCursor),
});

export const CnsSnapshotCreateSpec = defineType('CnsSnapshotCreateSpec', {
  volumeId: CnsVolumeId,
  description: string,
  snapshotId: optional(CnsSnapshotId),
});

export const CnsSnapshotDeleteSpec = defineType('CnsSnapshotDeleteSpec', {
  volumeId: CnsVolumeId,
  snapshotId: CnsSnapshotId,
});

export const CnsFault = defineType(
  'CnsFault',
  {
    reason: optional(string),
  },
  { extends: VimFault, open: true },
);

export const CnsVolumeNotFoundFault = defineType(
  'CnsVolumeNotFoundFault',
  {
    volumeId: optional(CnsVolumeId),
  },
  { extends: CnsFault },
);

export const CnsNotRegisteredFault = defineType(
  'CnsNotRegisteredFault',
  {
    volumeId: optional(CnsVolumeId),
  },
  { extends: CnsFault },
);

export const CnsVolumeAlreadyExistsFault = defineType(
  'CnsVolumeAlreadyExistsFault',
  {
    volumeId: optional(CnsVolumeId),
    datastore: optional(ref),
  },
  { extends: CnsFault },
);

export const CnsAlreadyRegisteredFault = defineType(
  'CnsAlreadyRegisteredFault',
  {
    volumeId: optional(CnsVolumeId),
  },
  { extends: CnsFault, open: true },
);

export const CnsSnapshotNotFoundFault = defineType(
  'CnsSnapshotNotFoundFault',
  {
    volumeId: optional(CnsVolumeId),
    SnapshotId: optional(CnsSnapshotId),
  },
  { extends: CnsFault },
);

export const CnsSnapshotCreatedFault = defineType(
  'CnsSnapshotCreatedFault',
  {
    volumeId: optional(CnsVolumeId),
    SnapshotId: optional(CnsSnapshotId),
    datastore: optional(ref),
  },
  { extends: CnsFault },
);
