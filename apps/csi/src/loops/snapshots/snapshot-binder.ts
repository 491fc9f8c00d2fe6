import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
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
import { contentNameOf, decideSnapshot, type SnapshotDecision } from './decide-snapshot.ts';
import { createSnapshotRemover, type SnapshotRemoverDeps } from './remove-snapshot.ts';
import type { SnapshotInformers } from './snapshot-informers.ts';
import { snapshotFinalizers } from './snapshot-names.ts';

export interface SnapshotBinderDeps extends SnapshotRemoverDeps {
  readonly snapshots: SnapshotInformers;
  readonly volumes: Informer<PersistentVolume>;
  readonly events: Pick<EventRecorder, 'record'>;
}

type Decided<A extends SnapshotDecision['action']> = Extract<SnapshotDecision, { readonly action: A }>;

/** The snapshot that a claim is restored from, as `namespace/name`; undefined if there is none. */
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

/** Binds VolumeSnapshots to their contents, updates their status, and deletes contents together with them. */
export const createSnapshotBinder = (deps: SnapshotBinderDeps): Reconcile => {
  const { kube, snapshots, claims, volumes, events, clock } = deps;
  const remove = createSnapshotRemover(deps);
  const patch = ({ metadata }: VolumeSnapshot, body: unknown, signal: AbortSignal, subresource?: 'status') =>
    kube.patch(
      volumeSnapshots,
      { name: metadata.name ?? '', namespace: metadata.namespace ?? '' },
      { type: 'merge', body },
      { signal, ...(subresource ? { subresource } : {}) },
    );
  const guard = (snapshot: VolumeSnapshot, { missing }: Decided<'guard'>, signal: AbortSignal) => {
    const { finalizers = [], resourceVersion } = snapshot.metadata;
    return patch(snapshot, { metadata: { finalizers: [...finalizers, ...missing], resourceVersion } }, signal);
  };

  const createContent = async (snapshot: VolumeSnapshot, decision: Decided<'create'>, signal: AbortSignal) => {
    // The claim must not be deleted before its snapshot is created.
    await addFinalizer(kube, persistentVolumeClaims, decision.claim, { finalizer: snapshotFinalizers.claim, signal });
    const content = newContent(snapshot, decision);
    await kube.create(volumeSnapshotContents, content, { signal }).catch((error) => {
      // An earlier attempt created it. The binding is checked when the watch reports it.
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
    const reported = { time: timestamp(clock.now()), message };
    await patch(snapshot, { status: { readyToUse: false, error: reported } }, signal, 'status');
  };

  const act = async (snapshot: VolumeSnapshot, decision: SnapshotDecision, signal: AbortSignal): Promise<void> => {
    if (decision.action === 'guard') await guard(snapshot, decision, signal);
    if (decision.action === 'choose-class')
      await patch(snapshot, { spec: { volumeSnapshotClassName: decision.className } }, signal);
    if (decision.action === 'create') await createContent(snapshot, decision, signal);
    if (decision.action === 'bind') await bind(snapshot, decision, signal);
    if (decision.action === 'report') await report(snapshot, decision, signal);
    if (decision.action !== 'fail') return;
    await complain(snapshot, decision.reason, decision.error, signal);
    throw decision.error;
  };

  const bindOrReport = (snapshot: VolumeSnapshot): SnapshotDecision =>
    decideSnapshot({
      snapshot,
      findContent: (name) => snapshots.contents.get(name),
      findClaim: (claim) => claims.get(claim),
      findVolume: (name) => volumes.get(name),
      classes: snapshots.classes.list(),
      restoring: [],
    });

  return async (key, { signal }) => {
    const snapshot = snapshots.snapshots.get(key);
    if (!snapshot) return undefined;
    const decision = snapshot.metadata.deletionTimestamp ? await remove(snapshot, signal) : bindOrReport(snapshot);
    if (decision) await act(snapshot, decision, signal);
    return undefined;
  };
};
