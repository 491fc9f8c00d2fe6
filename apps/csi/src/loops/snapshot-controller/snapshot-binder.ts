import type { AttemptDeps } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { deleteSnapshotContent } from '@vdo/acts/objects/delete-snapshot-content';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Random } from '@vdo/base/random';
import { isVdoError, toVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { timestamp } from '@vdo/kube/conditions';
import type { Reconcile } from '@vdo/kube/controller';
import type { EventRecorder } from '@vdo/kube/events';
import { addFinalizer } from '@vdo/kube/finalizers';
import type { Informer } from '@vdo/kube/informer';
import { type PersistentVolume, type PersistentVolumeClaim, persistentVolumeClaims } from '@vdo/kube/types/core';
import {
  snapshotGroup,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
  volumeSnapshotContents,
  volumeSnapshots,
} from '@vdo/kube/types/snapshots';
import { eventMessage } from '../event-message.ts';
import type { SnapshotInformers } from '../snapshots/snapshot-informers.ts';
import { snapshotAnnotations, snapshotFinalizers } from '../snapshots/snapshot-names.ts';
import { boundContentOf, contentNameOf, decideSnapshot, type SnapshotDecision } from './decide-snapshot.ts';

export interface SnapshotBinderDeps {
  readonly kube: KubeClient;
  readonly snapshots: SnapshotInformers;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly fence: Fence;
  readonly actLog: AttemptDeps['log'];
}

type Decided<A extends SnapshotDecision['action']> = Extract<SnapshotDecision, { readonly action: A }>;

/** The snapshot that a claim is to be filled from, as `namespace/name`; undefined if from none. */
export const restoredFrom = ({ metadata, spec }: PersistentVolumeClaim): string | undefined => {
  const source = spec.dataSourceRef ?? spec.dataSource;
  if (source?.kind !== 'VolumeSnapshot' || source.apiGroup !== snapshotGroup) return undefined;
  return `${spec.dataSourceRef?.namespace ?? metadata.namespace ?? ''}/${source.name}`;
};

const newContent = (snapshot: VolumeSnapshot, { volume, snapshotClass }: Decided<'create'>): VolumeSnapshotContent => {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = snapshot.metadata;
  const { volumeMode, csi } = volume.spec;
  return {
    apiVersion: `${snapshotGroup}/v1`,
    kind: 'VolumeSnapshotContent',
    metadata: { name: contentNameOf(snapshot), finalizers: [snapshotFinalizers.content] },
    spec: {
      driver: snapshotClass.driver,
      deletionPolicy: snapshotClass.deletionPolicy,
      source: { volumeHandle: csi?.volumeHandle ?? '' },
      volumeSnapshotClassName: snapshotClass.metadata.name ?? '',
      volumeSnapshotRef: {
        apiVersion: `${snapshotGroup}/v1`,
        kind: 'VolumeSnapshot',
        name,
        namespace,
        uid,
        resourceVersion,
      },
      ...(volumeMode ? { sourceVolumeMode: volumeMode } : {}),
    },
  };
};

/** Binds VolumeSnapshots to their contents, keeps their status, and deletes contents with them. */
export const createSnapshotBinder = (deps: SnapshotBinderDeps): Reconcile => {
  const { kube, snapshots, claims, volumes, events, clock, random, fence, actLog } = deps;
  const patch = ({ metadata }: VolumeSnapshot, body: unknown, signal: AbortSignal, subresource?: 'status') =>
    kube.patch(
      volumeSnapshots,
      { name: metadata.name ?? '', namespace: metadata.namespace ?? '' },
      { type: 'merge', body },
      { signal, ...(subresource ? { subresource } : {}) },
    );
  const setFinalizers = (snapshot: VolumeSnapshot, finalizers: readonly string[], signal: AbortSignal) =>
    patch(snapshot, { metadata: { finalizers, resourceVersion: snapshot.metadata.resourceVersion } }, signal);

  const createContent = async (snapshot: VolumeSnapshot, decision: Decided<'create'>, signal: AbortSignal) => {
    // The claim must not go before its snapshot is taken.
    await addFinalizer(kube, persistentVolumeClaims, decision.claim, { finalizer: snapshotFinalizers.claim, signal });
    const content = newContent(snapshot, decision);
    await kube.create(volumeSnapshotContents, content, { signal }).catch((error) => {
      // An earlier try made it; the binding is checked when it is seen.
      if (!isVdoError(error, 'KubeAlreadyExists')) throw error;
    });
    const message = `Waiting for a snapshot ${snapshot.metadata.namespace}/${snapshot.metadata.name} to be created by the CSI driver.`;
    events.record(snapshot, { type: 'Normal', reason: 'CreatingSnapshot', message });
    await patch(
      snapshot,
      { status: { boundVolumeSnapshotContentName: content.metadata.name, readyToUse: false } },
      signal,
      'status',
    );
  };

  const bind = (snapshot: VolumeSnapshot, { content }: Decided<'bind'>, signal: AbortSignal) => {
    const { resourceVersion, name = '' } = content.metadata;
    const { volumeSnapshotClassName } = snapshot.spec;
    const volumeSnapshotRef = { ...content.spec.volumeSnapshotRef, uid: snapshot.metadata.uid };
    const spec = { volumeSnapshotRef, ...(volumeSnapshotClassName ? { volumeSnapshotClassName } : {}) };
    const body = { metadata: { resourceVersion }, spec };
    return kube.patch(volumeSnapshotContents, { name }, { type: 'merge', body }, { signal });
  };

  const deleteWith = async (snapshot: VolumeSnapshot, content: VolumeSnapshotContent, signal: AbortSignal) => {
    const { name = '', uid } = content.metadata;
    const attempt = beginAttempt(
      { client: kube, clock, random, fence, log: actLog },
      { act: 'delete VolumeSnapshotContent', subject: name, signal },
    );
    const { name: own = '', namespace = '' } = snapshot.metadata;
    const [seen, owner] = await Promise.all([
      attempt.read(volumeSnapshotContents, { name }),
      attempt.read(volumeSnapshots, { name: own, namespace }),
    ]);
    if (seen.kind === 'seen' && seen.uid === uid) await deleteSnapshotContent(attempt, seen, [owner]);
  };

  const remove = async (snapshot: VolumeSnapshot, { content, finalizers }: Decided<'delete'>, signal: AbortSignal) => {
    if (content) {
      const name = content.metadata.name ?? '';
      const metadata = { annotations: { [snapshotAnnotations.beingDeleted]: 'yes' } };
      // Whoever holds the driver deletes the snapshot itself only after this mark.
      if (!content.metadata.annotations?.[snapshotAnnotations.beingDeleted])
        await kube.patch(volumeSnapshotContents, { name }, { type: 'merge', body: { metadata } }, { signal });
      if (content.spec.deletionPolicy === 'Delete' && !content.metadata.deletionTimestamp)
        await deleteWith(snapshot, content, signal);
    }
    if (finalizers.length < (snapshot.metadata.finalizers?.length ?? 0))
      await setFinalizers(snapshot, finalizers, signal);
  };

  // That the cache has no content does not mean that there is none: its finalizer would go, and nobody would delete the content.
  const readLive = async (cached: VolumeSnapshot, signal: AbortSignal) => {
    const { name = '', namespace = '' } = cached.metadata;
    const snapshot = await kube.find(volumeSnapshots, { name, namespace }, { signal });
    const current = snapshot?.metadata.uid === cached.metadata.uid ? snapshot : undefined;
    const content = current && (await kube.find(volumeSnapshotContents, { name: boundContentOf(current) }, { signal }));
    return { snapshot: current, findContent: () => content };
  };

  const report = async (snapshot: VolumeSnapshot, { status }: Decided<'report'>, signal: AbortSignal) => {
    await patch(snapshot, { status: { error: null, ...status } }, signal, 'status');
    const who = `Snapshot ${snapshot.metadata.namespace}/${snapshot.metadata.name}`;
    const tell = (reason: string, message: string) => events.record(snapshot, { type: 'Normal', reason, message });
    if (status.creationTime && !snapshot.status?.creationTime)
      tell('SnapshotCreated', `${who} was successfully created by the CSI driver.`);
    if (status.readyToUse && !snapshot.status?.readyToUse) tell('SnapshotReady', `${who} is ready to use.`);
  };

  const complain = async (snapshot: VolumeSnapshot, reason: string, error: VdoError, signal: AbortSignal) => {
    const message = eventMessage(error);
    events.record(snapshot, { type: 'Warning', reason, message });
    if (snapshot.metadata.deletionTimestamp || snapshot.status?.error?.message === message) return;
    const told = { time: timestamp(clock.now()), message };
    await patch(snapshot, { status: { readyToUse: false, error: told } }, signal, 'status');
  };

  const act = async (snapshot: VolumeSnapshot, decision: SnapshotDecision, signal: AbortSignal): Promise<void> => {
    if (decision.action === 'guard') await setFinalizers(snapshot, decision.finalizers, signal);
    if (decision.action === 'choose-class')
      await patch(snapshot, { spec: { volumeSnapshotClassName: decision.className } }, signal);
    if (decision.action === 'create') await createContent(snapshot, decision, signal);
    if (decision.action === 'bind') await bind(snapshot, decision, signal);
    if (decision.action === 'report') await report(snapshot, decision, signal);
    if (decision.action === 'delete') await remove(snapshot, decision, signal);
    if (decision.action !== 'fail') return;
    await complain(snapshot, decision.reason, decision.error, signal);
    throw decision.error;
  };

  return async (key, { signal }) => {
    const cached = snapshots.snapshots.get(key);
    if (!cached) return undefined;
    const { snapshot, findContent } = cached.metadata.deletionTimestamp
      ? await readLive(cached, signal)
      : { snapshot: cached, findContent: (name: string) => snapshots.contents.get(name) };
    if (!snapshot) return undefined;
    const decision = decideSnapshot({
      snapshot,
      findContent,
      findClaim: (claim) => claims.get(claim),
      findVolume: (name) => volumes.get(name),
      classes: snapshots.classes.list(),
      restoring: claims.list().filter((claim) => claim.status?.phase === 'Pending' && restoredFrom(claim) === key),
    });
    try {
      await act(snapshot, decision, signal);
    } catch (cause) {
      const error = toVdoError(cause);
      // It went meanwhile: nothing is left to do.
      if (!isVdoError(error, 'KubeNotFound') || decision.action !== 'delete') throw error;
    }
    return undefined;
  };
};
