import type { AttemptDeps } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { removeFinalizer } from '@vdo/acts/objects/remove-finalizer';
import { createCacheProof } from '@vdo/acts/proven-cache';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Random } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import { addFinalizer, hasFinalizer } from '@vdo/kube/finalizers';
import { type PersistentVolumeClaim, persistentVolumeClaims } from '@vdo/kube/types/core';
import { snapshotGroup, volumeSnapshotContents, volumeSnapshots } from '@vdo/kube/types/snapshots';
import { volumeAttributesClasses } from '@vdo/kube/types/storage';
import { driverName } from '../../driver.ts';
import type { CopiedFrom } from '../../volumes/volumes.ts';
import type { ClusterInformers } from '../cluster-informers.ts';

/** The initial content of a claim's volume: none, a copy, or data that a volume populator writes. */
export type DataSource =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'copy';
      readonly source: CopiedFrom;
      /** The source claim. */
      readonly claim?: PersistentVolumeClaim;
    }
  | { readonly kind: 'foreign'; readonly of: string };

export interface DataSourceDeps {
  readonly kube: Pick<KubeClient, 'find'>;
  readonly informers: Pick<ClusterInformers, 'claims' | 'volumes'>;
}

const notReady = (what: string, observed: string, remedy: string): VdoError =>
  new VdoError({ code: 'VolumeBusy', message: `${what} ${observed}`, remedy });

const foreign = (what: string, driver: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `${what} belongs to driver ${driver}, not to ${driverName}`,
    remedy: 'Use a source of the same driver, or copy the data in another way.',
  });

/** The same as upstream, where this is an alpha feature: there is no stable API yet that controls access to data of another namespace. */
const otherNamespace = (namespace: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `spec.dataSourceRef.namespace is ${namespace}: copies from another namespace are not supported`,
    remedy: 'Re-create the claim with a source in its own namespace.',
  });

const notItsOwn = (what: string, object: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `${what} refers to ${object}, which belongs to another object`,
    remedy: `See which object it belongs to: kubectl get ${object} -o yaml. Then use another source.`,
  });

const modeOf = (mode: string | undefined): string => mode ?? 'Filesystem';

const otherMode = (what: string, has: string, wanted: string, remedy: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `${what} has volumeMode ${has}, but the claim requests ${wanted}`,
    remedy,
  });

const claimSource = (
  copy: PersistentVolumeClaim,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { informers }: DataSourceDeps,
): DataSource => {
  const what = `source claim ${namespace}/${name}`;
  const original = informers.claims.get(`${namespace}/${name}`);
  if (original?.status?.phase !== 'Bound')
    throw notReady(
      what,
      original ? 'is not bound' : 'does not exist',
      'The driver retries when the source claim is bound.',
    );
  const volume = informers.volumes.get(original.spec.volumeName ?? '');
  // A user can write the volume name into a claim, but only the binder can write the claim into the PersistentVolume. So both are compared.
  if (volume && volume.spec.claimRef?.uid !== original.metadata.uid)
    throw notItsOwn(what, `PersistentVolume ${volume.metadata.name}`);
  const csi = volume?.spec.csi;
  if (csi?.driver !== driverName) throw foreign(what, csi?.driver ?? 'none');
  const [has, wanted] = [modeOf(original.spec.volumeMode), modeOf(copy.spec.volumeMode)];
  if (has !== wanted) throw otherMode(what, has, wanted, `Set spec.volumeMode to ${has}.`);
  if (original.metadata.deletionTimestamp) throw notReady(what, 'is being deleted', 'Copy another claim.');
  return { kind: 'copy', source: { kind: 'volume', volumeId: csi.volumeHandle }, claim: original };
};

/** An administrator sets this on a content if its data can be used in both volume modes. */
const allowModeChange = 'snapshot.storage.kubernetes.io/allow-volume-mode-change';

const snapshotSource = async (
  copy: PersistentVolumeClaim,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { kube }: DataSourceDeps,
  signal: AbortSignal,
): Promise<DataSource> => {
  const what = `VolumeSnapshot ${namespace}/${name}`;
  const again = 'The driver retries when the snapshot is ready.';
  const snapshot = await kube.find(volumeSnapshots, { namespace, name }, { signal });
  const contentName = snapshot?.status?.boundVolumeSnapshotContentName;
  if (!snapshot?.status?.readyToUse || contentName === undefined)
    throw notReady(what, snapshot ? 'is not ready' : 'does not exist', again);
  const content = await kube.find(volumeSnapshotContents, { name: contentName }, { signal });
  const ref = content?.spec.volumeSnapshotRef;
  if (ref && (ref.uid !== snapshot.metadata.uid || ref.name !== name || ref.namespace !== namespace))
    throw notItsOwn(what, `VolumeSnapshotContent ${contentName}`);
  if (content && content.spec.driver !== driverName) throw foreign(what, content.spec.driver);
  const [has, wanted] = [content?.spec.sourceVolumeMode, modeOf(copy.spec.volumeMode)];
  if (has !== undefined && has !== wanted && content?.metadata.annotations?.[allowModeChange] !== 'true')
    throw otherMode(what, has, wanted, `Set spec.volumeMode to ${has}, or ${allowModeChange}=true on ${contentName}.`);
  const snapshotId = content?.status?.snapshotHandle;
  if (snapshotId === undefined) throw notReady(what, 'has no snapshot handle yet', again);
  return { kind: 'copy', source: { kind: 'snapshot', snapshotId } };
};

/** Finds the volume or snapshot that is the source of a claim. Throws while it is not ready. */
export const resolveDataSource = async (
  claim: PersistentVolumeClaim,
  deps: DataSourceDeps,
  signal: AbortSignal,
): Promise<DataSource> => {
  const source = claim.spec.dataSourceRef ?? claim.spec.dataSource;
  if (!source) return { kind: 'none' };
  const { kind, name } = source;
  const { namespace: named = '' } = claim.spec.dataSourceRef ?? {};
  if (named !== '' && named !== claim.metadata.namespace) throw otherNamespace(named);
  // The API server writes null for the core group.
  const apiGroup = source.apiGroup ?? '';
  const key = { namespace: claim.metadata.namespace ?? '', name };
  if (kind === 'PersistentVolumeClaim' && apiGroup === '') return claimSource(claim, key, deps);
  if (kind === 'VolumeSnapshot' && apiGroup === snapshotGroup) return snapshotSource(claim, key, deps, signal);
  return { kind: 'foreign', of: `${kind}${apiGroup ? `.${apiGroup}` : ''} ${name}` };
};

/** The parameters of a claim's VolumeAttributesClass for a new volume; undefined if it has none. */
export const resolveAttributes = async (
  { spec }: PersistentVolumeClaim,
  { kube }: { readonly kube: Pick<KubeClient, 'find'> },
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> => {
  const name = spec.volumeAttributesClassName;
  if (!name) return undefined;
  const found = await kube.find(volumeAttributesClasses, { name }, { signal });
  if (found?.driverName === driverName) return found.parameters ?? {};
  throw new VdoError({
    code: found ? 'InvalidArgument' : 'KubeNotFound',
    message: found
      ? `VolumeAttributesClass ${name} is for driver ${found.driverName}, not for ${driverName}`
      : `VolumeAttributesClass ${name} does not exist`,
    remedy: `Create a VolumeAttributesClass ${name} with driverName ${driverName}, or re-create the claim without it.`,
    retry: 'backoff',
  });
};

/** Finalizer that keeps a claim while it is being copied. The name is that of the upstream csi-provisioner. */
const finalizer = 'provisioner.storage.kubernetes.io/cloning-protection';

export interface SourceReleaserDeps {
  readonly kube: KubeClient;
  readonly informers: Pick<ClusterInformers, 'claims'>;
  readonly fence: Fence;
  readonly actLog: AttemptDeps['log'];
  readonly soleUse: AttemptDeps['soleUse'];
  readonly clock: Clock;
  readonly random: Random;
}

/** Whether a claim has the finalizer for its copies. */
export const isProtected = (claim: PersistentVolumeClaim): boolean => hasFinalizer(claim, finalizer);

export const protectSource = async (kube: KubeClient, claim: PersistentVolumeClaim, signal: AbortSignal) => {
  await addFinalizer(kube, persistentVolumeClaims, claim, { finalizer, signal });
};

const isBeingMade = ({ metadata, status }: PersistentVolumeClaim): boolean =>
  status?.phase !== 'Bound' && !metadata.deletionTimestamp;

/** Removes the finalizer of a claim when all its copies are complete. */
export const createSourceReleaser = ({ kube, informers, ...deps }: SourceReleaserDeps): Reconcile => {
  const { claims } = informers;
  const { clock, random, fence, soleUse, actLog: log } = deps;
  const proof = createCacheProof({ client: kube, clock, informer: claims, resource: persistentVolumeClaims });
  return async (key, { signal }) => {
    const claim = claims.get(key);
    if (!claim || !isProtected(claim) || claims.byIndex('source', key).some(isBeingMade)) return undefined;
    const { name = '', namespace = '', uid } = claim.metadata;
    const attempt = beginAttempt(
      { client: kube, clock, random, fence, log, soleUse },
      { act: 'let the source of copies go', subject: key, signal },
    );
    const copies = (await proof.current(attempt, { signal })).byIndex('source', key);
    const seen = await attempt.read(persistentVolumeClaims, { name, namespace });
    if (seen.kind === 'absent' || seen.uid !== uid || copies.objects.some(isBeingMade)) return undefined;
    await removeFinalizer(attempt, seen, { finalizer, because: [copies] });
    return undefined;
  };
};
