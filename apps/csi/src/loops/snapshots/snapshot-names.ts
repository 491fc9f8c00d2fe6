/** Names that the snapshot controllers of Kubernetes share. */
const prefix = 'snapshot.storage.kubernetes.io';

export const snapshotFinalizers = {
  /** On a content, until its snapshot is deleted. */
  content: `${prefix}/volumesnapshotcontent-bound-protection`,
  /** On a snapshot, until its content is deleted. */
  bound: `${prefix}/volumesnapshot-bound-protection`,
  /** On a snapshot, while a claim is being restored from it. */
  asSource: `${prefix}/volumesnapshot-as-source-protection`,
  /** On a claim, while a snapshot of it is being created. */
  claim: `${prefix}/pvc-as-source-protection`,
} as const;

export const snapshotAnnotations = {
  /** The snapshot was requested from the driver, and its answer is not known yet. */
  beingCreated: `${prefix}/volumesnapshot-being-created`,
  /** The snapshot that the content belongs to is being deleted. */
  beingDeleted: `${prefix}/volumesnapshot-being-deleted`,
  defaultClass: `${prefix}/is-default-class`,
  /** The content is a member of a group, which another program handles. */
  group: 'groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle',
} as const;
