import { VdoError } from '@vdo/base/vdo-error';
import type { PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import type { VolumeSnapshot, VolumeSnapshotClass, VolumeSnapshotContent } from '@vdo/kube/types/snapshots';
import { snapshotAnnotations, snapshotFinalizers } from './snapshot-names.ts';
import { sameStatus, snapshotStatus } from './snapshot-status.ts';

/** What to do with a VolumeSnapshot. */
export type SnapshotDecision =
  | { readonly action: 'ignore' }
  /** Add these finalizers before anything else. */
  | { readonly action: 'guard'; readonly missing: readonly string[] }
  | { readonly action: 'choose-class'; readonly className: string }
  | {
      readonly action: 'create';
      readonly claim: PersistentVolumeClaim;
      readonly volume: PersistentVolume;
      readonly snapshotClass: VolumeSnapshotClass;
    }
  /** A content that a person created and that waits for this snapshot. */
  | { readonly action: 'bind'; readonly content: VolumeSnapshotContent }
  | { readonly action: 'report'; readonly status: NonNullable<VolumeSnapshot['status']> }
  | {
      readonly action: 'delete';
      readonly content: VolumeSnapshotContent | undefined;
      /** The finalizers to remove. */
      readonly released: readonly string[];
    }
  /** It cannot continue. Reported by an event, and in the status unless it is being deleted. */
  | { readonly action: 'fail'; readonly reason: string; readonly error: VdoError };

export interface SnapshotQuestion {
  readonly snapshot: VolumeSnapshot;
  readonly findContent: (name: string) => VolumeSnapshotContent | undefined;
  readonly findClaim: (key: string) => PersistentVolumeClaim | undefined;
  readonly findVolume: (name: string) => PersistentVolume | undefined;
  readonly classes: readonly VolumeSnapshotClass[];
  /** Claims that wait to be restored from this snapshot. */
  readonly restoring: readonly PersistentVolumeClaim[];
}

const fail = (
  reason: string,
  message: string,
  remedy: string,
  retry: 'on-change' | 'backoff' = 'on-change',
): SnapshotDecision => ({
  action: 'fail',
  reason,
  error: new VdoError({ code: 'SnapshotNotBound', message, remedy, retry }),
});

/** Name of the content that is created for a snapshot. */
export const contentNameOf = ({ metadata }: VolumeSnapshot): string => `snapcontent-${metadata.uid ?? ''}`;

/** Name of the content that a snapshot has or will have. */
export const boundContentOf = (snapshot: VolumeSnapshot): string =>
  snapshot.status?.boundVolumeSnapshotContentName ??
  snapshot.spec.source.volumeSnapshotContentName ??
  contentNameOf(snapshot);

/** The source claim of a snapshot, as `namespace/name`. */
export const claimKeyOf = ({ metadata, spec }: VolumeSnapshot): string =>
  `${metadata.namespace ?? ''}/${spec.source.persistentVolumeClaimName ?? ''}`;

const pointsTo = ({ spec }: VolumeSnapshotContent, { metadata }: VolumeSnapshot): boolean => {
  const { name, namespace, uid } = spec.volumeSnapshotRef;
  return name === metadata.name && namespace === metadata.namespace && uid === metadata.uid;
};

const decideDeletion = ({ snapshot, findContent, restoring }: SnapshotQuestion): SnapshotDecision => {
  const { finalizers = [] } = snapshot.metadata;
  const own: readonly string[] = [snapshotFinalizers.asSource, snapshotFinalizers.bound];
  if (!finalizers.some((name) => own.includes(name))) return { action: 'ignore' };
  const named = findContent(boundContentOf(snapshot));
  // A content that does not refer back to the snapshot belongs to another one.
  const content = named && pointsTo(named, snapshot) ? named : undefined;
  if (content && restoring.length > 0)
    return fail(
      'SnapshotDeletePending',
      `claim ${restoring[0]?.metadata.name} is being restored from the snapshot`,
      'The snapshot is deleted when the claim is bound or deleted.',
    );
  const waits = content?.spec.deletionPolicy === 'Delete';
  return { action: 'delete', content, released: waits ? [snapshotFinalizers.asSource] : own };
};

const missingFinalizers = (
  { metadata, status }: VolumeSnapshot,
  content: VolumeSnapshotContent | undefined,
): readonly string[] => {
  const bound = status?.boundVolumeSnapshotContentName !== undefined && content?.spec.deletionPolicy === 'Delete';
  const wanted = [snapshotFinalizers.asSource, ...(bound ? [snapshotFinalizers.bound] : [])];
  return wanted.filter((name) => !metadata.finalizers?.includes(name));
};

const fromContent = (snapshot: VolumeSnapshot, content: VolumeSnapshotContent): SnapshotDecision => {
  const status = snapshotStatus(snapshot, content);
  return sameStatus(snapshot.status, status) ? { action: 'ignore' } : { action: 'report', status };
};

/** A pre-provisioned snapshot: a person created its content, which refers to an existing snapshot. */
const decidePrepared = (snapshot: VolumeSnapshot, content: VolumeSnapshotContent | undefined): SnapshotDecision => {
  const name = snapshot.spec.source.volumeSnapshotContentName ?? '';
  if (!content)
    return fail(
      'SnapshotContentMissing',
      `VolumeSnapshotContent ${name} does not exist`,
      `Create it, or correct spec.source of the VolumeSnapshot.`,
    );
  if (content.spec.source.snapshotHandle === undefined)
    return fail(
      'SnapshotContentMismatch',
      `VolumeSnapshotContent ${name} is for a volume, not for an existing snapshot`,
      'Use a VolumeSnapshotContent with spec.source.snapshotHandle.',
    );
  const { uid, ...ref } = content.spec.volumeSnapshotRef;
  const { name: own, namespace } = snapshot.metadata;
  if (ref.name !== own || ref.namespace !== namespace || (uid && uid !== snapshot.metadata.uid))
    return fail(
      'SnapshotContentMisbound',
      `VolumeSnapshotContent ${name} belongs to VolumeSnapshot ${ref.namespace}/${ref.name}`,
      `Set its spec.volumeSnapshotRef to ${namespace}/${own}, or use another VolumeSnapshotContent.`,
    );
  return uid ? fromContent(snapshot, content) : { action: 'bind', content };
};

const defaultClassOf = (driver: string, classes: readonly VolumeSnapshotClass[]) =>
  classes.filter(
    (one) => one.driver === driver && one.metadata.annotations?.[snapshotAnnotations.defaultClass] === 'true',
  );

/** A snapshot that has to be created: its claim must meet all conditions. */
const decideNew = ({ snapshot, findClaim, findVolume, classes }: SnapshotQuestion): SnapshotDecision => {
  const refuse = (message: string, remedy: string, retry?: 'backoff') =>
    fail('SnapshotContentCreationFailed', message, remedy, retry);
  const key = claimKeyOf(snapshot);
  const claim = findClaim(key);
  if (!claim) return refuse(`claim ${key} does not exist`, 'Create it, or re-create the snapshot for another claim.');
  if (claim.metadata.deletionTimestamp) return refuse(`claim ${key} is being deleted`, 'Delete the snapshot.');
  const volume = claim.status?.phase === 'Bound' ? findVolume(claim.spec.volumeName ?? '') : undefined;
  if (!volume) return refuse(`claim ${key} is not bound`, 'The controller retries when the claim is bound.', 'backoff');
  if (volume.spec.claimRef?.uid !== claim.metadata.uid)
    return refuse(
      `PersistentVolume ${volume.metadata.name} does not belong to claim ${key}`,
      'Correct spec.volumeName of the claim, or re-create the claim.',
    );
  const driver = volume.spec.csi?.driver;
  if (driver === undefined)
    return refuse(
      `PersistentVolume ${volume.metadata.name} is not a CSI volume`,
      'Only volumes of CSI drivers can have snapshots.',
    );
  const className = snapshot.spec.volumeSnapshotClassName;
  if (className === undefined) {
    const [first, ...others] = defaultClassOf(driver, classes);
    const name = first?.metadata.name;
    if (name === undefined || others.length > 0)
      return refuse(
        `${first ? `${others.length + 1} VolumeSnapshotClasses are` : 'no VolumeSnapshotClass is'} the default for driver ${driver}`,
        `Set spec.volumeSnapshotClassName, or the annotation ${snapshotAnnotations.defaultClass}=true on exactly one class.`,
      );
    return { action: 'choose-class', className: name };
  }
  const snapshotClass = classes.find(({ metadata }) => metadata.name === className);
  if (!snapshotClass)
    return refuse(`VolumeSnapshotClass ${className} does not exist`, 'Create it, or use an existing class.');
  if (snapshotClass.driver !== driver)
    return refuse(
      `VolumeSnapshotClass ${className} is for driver ${snapshotClass.driver}, but the driver of the volume is ${driver}`,
      `Use a class of driver ${driver}.`,
    );
  return { action: 'create', claim, volume, snapshotClass };
};

/** Decides by the snapshot, its content and its source, as the upstream snapshot-controller does. */
export const decideSnapshot = (question: SnapshotQuestion): SnapshotDecision => {
  const { snapshot, findContent } = question;
  if (snapshot.metadata.deletionTimestamp) return decideDeletion(question);
  const prepared = snapshot.spec.source.volumeSnapshotContentName;
  const content = findContent(prepared ?? contentNameOf(snapshot));
  const missing = missingFinalizers(snapshot, content);
  if (missing.length > 0) return { action: 'guard', missing };
  if (prepared !== undefined) return decidePrepared(snapshot, content);
  if (!content)
    return snapshot.status?.readyToUse
      ? fail(
          'SnapshotContentMissing',
          `VolumeSnapshotContent ${contentNameOf(snapshot)} no longer exists`,
          'Kubernetes no longer knows the snapshot in vCenter. Delete the VolumeSnapshot. If vCenter still has the snapshot, create a VolumeSnapshotContent and a VolumeSnapshot for it.',
        )
      : decideNew(question);
  if (!pointsTo(content, snapshot))
    return fail(
      'SnapshotMisbound',
      `VolumeSnapshotContent ${content.metadata.name} belongs to another snapshot`,
      'Delete this snapshot and create it again.',
    );
  return fromContent(snapshot, content);
};
