import { names } from '@vdo/config/names';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@vdo/kube/types/core';
import { parseQuantity } from '@vdo/kube/types/quantity';
import type { VolumeSnapshot } from '@vdo/kube/types/snapshots';
import type { StorageClass, VolumeAttachment } from '@vdo/kube/types/storage';
import type { SnapshotFact, VolumeRow } from '../rows/volume-row.ts';
import { createDiskIndex, type DiskIndex } from './disk-index.ts';
import {
  attachmentFact,
  attachmentOperation,
  creation,
  deletion,
  expansion,
  mounting,
  snapshotting,
} from './operations.ts';
import { isSame, remember } from './remember.ts';
import {
  claimsOf,
  given,
  groupBy,
  isOurs,
  keyOf,
  millis,
  type VolumeFacts,
  type VolumeIntentFact,
} from './volume-facts.ts';
import { volumeHealth } from './volume-health.ts';

const bytes = (quantity: string | undefined): number => Number(parseQuantity(quantity ?? '0') ?? 0n);

/** Keys of StorageClass parameters are read whatever their case. */
export const policyOf = (storageClass: StorageClass | undefined): string | undefined =>
  Object.entries(storageClass?.parameters ?? {}).find(([key]) => key.toLowerCase() === 'storagepolicyname')?.[1];

interface Index {
  readonly facts: VolumeFacts;
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
  readonly attachments: ReadonlyMap<string, readonly VolumeAttachment[]>;
  readonly pods: ReadonlyMap<string, readonly Pod[]>;
  readonly snapshots: ReadonlyMap<string, readonly VolumeSnapshot[]>;
  /** Claims by their data source, such as `VolumeSnapshot shop/nightly`. */
  readonly copies: ReadonlyMap<string, readonly PersistentVolumeClaim[]>;
  readonly classes: ReadonlyMap<string, StorageClass>;
  /** The volumes of the driver. */
  readonly ours: readonly PersistentVolume[];
  readonly intents: ReadonlyMap<string, VolumeIntentFact>;
  readonly disks: DiskIndex;
}

const originOf = ({ metadata, spec }: PersistentVolumeClaim): string | undefined => {
  const { kind, name } = spec.dataSource ?? spec.dataSourceRef ?? {};
  return kind === undefined ? undefined : `${kind} ${metadata.namespace ?? ''}/${name}`;
};

const podsByClaim = (pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> => {
  const pairs = pods.flatMap((pod) => claimsOf(pod).map((claim) => ({ claim, pod })));
  const grouped = groupBy(pairs, ({ claim }) => claim);
  return new Map([...grouped].map(([claim, list]) => [claim, list.map(({ pod }) => pod)]));
};

/** What the next build reuses: the indexes of unchanged lists, and rows. */
export const createVolumeMemory = () => {
  const claims = remember(
    (list: VolumeFacts['claims']): Index['claims'] => new Map(list.map((claim) => [keyOf(claim), claim])),
  );
  const attachments = remember((list: VolumeFacts['attachments']) =>
    groupBy(
      list.filter(({ spec }) => spec.attacher === names.csiDriver),
      ({ spec }) => spec.source.persistentVolumeName ?? '',
    ),
  );
  const pods = remember(podsByClaim);
  const snapshots = remember((list: VolumeFacts['snapshots']) =>
    groupBy(list, ({ metadata, spec }) => `${metadata.namespace ?? ''}/${spec.source.persistentVolumeClaimName ?? ''}`),
  );
  const copies = remember((list: VolumeFacts['claims']) => groupBy(list, (claim) => originOf(claim) ?? ''));
  const disks = remember(createDiskIndex);
  const ours = remember((list: VolumeFacts['volumes']) => list.filter(isOurs));
  const classes = remember(
    (list: VolumeFacts['classes']): Index['classes'] => new Map(list.map((one) => [one.metadata.name ?? '', one])),
  );
  let last: { readonly from: readonly unknown[]; readonly rows: readonly VolumeRow[] } | undefined;
  return {
    rows: createSourceMemory(),
    waiting: remember(waitingClaims),
    /** The rows of before, if they are made from the same lists and none changes by time alone. */
    whole: (
      from: readonly unknown[],
      make: () => readonly VolumeRow[],
      keeps: (rows: readonly VolumeRow[]) => boolean,
    ): readonly VolumeRow[] => {
      if (last && isSame(last.from, from)) return last.rows;
      const rows = make();
      last = keeps(rows) ? { from, rows } : undefined;
      return rows;
    },
    indexOf: (facts: VolumeFacts): Index => ({
      facts,
      claims: claims(facts.claims),
      attachments: attachments(facts.attachments),
      pods: pods(facts.pods),
      snapshots: snapshots(facts.snapshots),
      copies: copies(facts.claims),
      classes: classes(facts.classes),
      ours: ours(facts.volumes),
      intents: new Map(
        facts.intents.map((intent) => [`${intent.spec.claim?.namespace}/${intent.spec.claim?.name}`, intent]),
      ),
      disks: disks(facts.inventory),
    }),
  };
};

export type VolumeMemory = ReturnType<typeof createVolumeMemory>;

/** Everything that the row of a volume is built from, besides the volume. */
interface Sources {
  readonly claim: PersistentVolumeClaim | undefined;
  readonly storageClass: StorageClass | undefined;
  readonly disk: ReturnType<DiskIndex['find']>;
  readonly attachments: readonly VolumeAttachment[];
  readonly pods: readonly Pod[];
  readonly snapshots: readonly VolumeSnapshot[];
}

interface Kept {
  readonly volume: PersistentVolume;
  readonly from: Sources;
  readonly row: VolumeRow;
}

const none: readonly never[] = [];

const refOf = ({ spec: { claimRef } }: PersistentVolume): string =>
  `${claimRef?.namespace ?? ''}/${claimRef?.name ?? ''}`;

/** Searches only the indexes that changed since the sources of before: a lookup for each of thousands of volumes is what costs. */
const sourcesOf = (volume: PersistentVolume, index: Index, before?: { from: Sources; index: Index }): Sources => {
  const find = <T>(
    name: 'claims' | 'classes' | 'disks' | 'attachments' | 'pods' | 'snapshots',
    known: T | undefined,
    search: () => T,
  ): T => (before && before.index[name] === index[name] ? (known as T) : search());
  const { from } = before ?? {};
  return {
    claim: find('claims', from?.claim, () => boundClaim(volume, index)),
    storageClass: find('classes', from?.storageClass, () => index.classes.get(volume.spec.storageClassName ?? '')),
    disk: find('disks', from?.disk, () => index.disks.find(volume.spec.csi?.volumeHandle ?? '')),
    attachments: find(
      'attachments',
      from?.attachments,
      () => index.attachments.get(volume.metadata.name ?? '') ?? none,
    ),
    pods: find('pods', from?.pods, () => index.pods.get(refOf(volume)) ?? none),
    snapshots: find('snapshots', from?.snapshots, () => index.snapshots.get(refOf(volume)) ?? none),
  };
};

const isFromSame = (left: Sources, right: Sources): boolean =>
  left.claim === right.claim &&
  left.storageClass === right.storageClass &&
  left.disk === right.disk &&
  isSame(left.attachments, right.attachments) &&
  isSame(left.pods, right.pods) &&
  isSame(left.snapshots, right.snapshots);

/** An operation in progress also changes its health by time alone. */
const isSettled = ({ operations }: VolumeRow): boolean => operations.length === 0;

/** Rows of the build before: a row is built again only if something that it is built from changed. */
const createSourceMemory = () => {
  let last: { readonly index: Index; readonly kept: readonly Kept[] } | undefined;
  const keep = (volume: PersistentVolume, known: Kept | undefined, index: Index): Kept => {
    const before = last && known?.volume === volume ? { from: known.from, index: last.index } : undefined;
    const from = sourcesOf(volume, index, before);
    const isUnchanged =
      known !== undefined &&
      before !== undefined &&
      isFromSame(known.from, from) &&
      isSettled(known.row) &&
      // Which claims were created from its snapshots depends on all claims.
      (from.snapshots.length === 0 || before.index.copies === index.copies);
    return { volume, from, row: isUnchanged ? known.row : volumeRow(volume, index) };
  };
  return {
    rowsOf: (index: Index): readonly VolumeRow[] => {
      const { kept = [] } = last ?? {};
      const isSameList = last?.index.ours === index.ours;
      const byName = isSameList ? undefined : new Map(kept.map((one) => [one.volume.metadata.name, one]));
      const next = index.ours.map((volume, at) =>
        keep(volume, byName ? byName.get(volume.metadata.name) : kept[at], index),
      );
      last = { index, kept: next };
      return next.map(({ row }) => row);
    },
  };
};

const snapshotFact = (snapshot: VolumeSnapshot, { copies }: Index): SnapshotFact => {
  const { status, metadata } = snapshot;
  const created = millis(status?.creationTime) ?? millis(metadata.creationTimestamp) ?? 0;
  return {
    name: keyOf(snapshot),
    ready: status?.readyToUse ?? false,
    createdMs: created,
    ...(status?.restoreSize ? { size: bytes(status.restoreSize) } : {}),
    ...(status?.error?.message ? { error: status.error.message } : {}),
    restored: (copies.get(`VolumeSnapshot ${keyOf(snapshot)}`) ?? []).map(keyOf),
  };
};

const judged = (row: VolumeRow, index: Index, datastoreProblem = ''): VolumeRow => ({
  ...row,
  ...volumeHealth(row, { nowMs: index.facts.nowMs, datastoreProblem }),
});

/** What a claim adds to a row, bound or not. */
const ofClaim = (key: string | undefined, claim: PersistentVolumeClaim | undefined, index: Index) => {
  const pods = key === undefined ? [] : (index.pods.get(key) ?? []);
  const origin = claim && originOf(claim);
  return {
    ...(key === undefined ? {} : { claim: key }),
    ...(claim?.metadata.uid ? { claimUid: claim.metadata.uid } : {}),
    ...(origin === undefined ? {} : { origin }),
    pods: pods.map(({ metadata, spec, status }) => ({
      namespace: metadata.namespace ?? '',
      name: metadata.name ?? '',
      ...(spec.nodeName ? { node: spec.nodeName } : {}),
      phase: status?.phase ?? 'Unknown',
    })),
  };
};

const ofClass = (name: string | undefined, { classes }: Index) => {
  const policy = policyOf(classes.get(name ?? ''));
  return { ...(name ? { storageClass: name } : {}), ...(policy === undefined ? {} : { policy }) };
};

/** The claim that a volume is bound to: a later one of the same name has another UID. */
const boundClaim = ({ spec: { claimRef } }: PersistentVolume, { claims }: Index): PersistentVolumeClaim | undefined => {
  const named = claimRef && claims.get(`${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`);
  return !claimRef?.uid || named?.metadata.uid === claimRef.uid ? named : undefined;
};

const volumeRow = (volume: PersistentVolume, index: Index): VolumeRow => {
  const { metadata, spec, status } = volume;
  const { name = '', uid } = metadata;
  const claim = boundClaim(volume, index);
  const ref = spec.claimRef && `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`;
  const claimKey = claim ? keyOf(claim) : '';
  const attachments = index.attachments.get(name) ?? [];
  const { attachTimes } = index.facts;
  const snapshots = index.snapshots.get(claimKey) ?? [];
  const handle = spec.csi?.volumeHandle ?? '';
  const disk = index.disks.find(handle);
  const size = bytes(spec.capacity?.storage);
  const wanted = bytes(claim?.spec.resources?.requests?.storage);
  const row: VolumeRow = {
    key: `volume/${name}`,
    kind: 'volume',
    name,
    health: 'good',
    note: '',
    phase: status?.phase ?? 'Unknown',
    ...ofClaim(ref, claim, index),
    ...ofClass(spec.storageClassName, index),
    size,
    access: spec.accessModes ?? [],
    handle,
    ...given({
      uid,
      wanted: wanted > size ? wanted : undefined,
      reclaim: spec.persistentVolumeReclaimPolicy,
      mode: spec.volumeMode,
      createdMs: millis(metadata.creationTimestamp),
    }),
    ...disk?.shown,
    attachments: attachments.map((attachment) => attachmentFact(attachment, attachTimes)),
    snapshots: snapshots.map((snapshot) => snapshotFact(snapshot, index)),
    operations: [
      ...attachments.flatMap(attachmentOperation),
      ...(index.pods.get(claimKey) ?? []).flatMap((pod) => mounting(pod, attachments, attachTimes)),
      ...(claim ? expansion(claim) : []),
      ...deletion(volume),
      ...snapshots.flatMap(snapshotting),
    ],
  };
  return judged(row, index, disk?.datastoreProblem);
};

const waitingRow = (claim: PersistentVolumeClaim, index: Index): VolumeRow => {
  const { metadata, spec, status } = claim;
  const key = keyOf(claim);
  const { uid, creationTimestamp } = metadata;
  const waitsForPods = index.classes.get(spec.storageClassName ?? '')?.volumeBindingMode === 'WaitForFirstConsumer';
  const pods = index.pods.get(key) ?? [];
  const isWaitingForPod = waitsForPods && pods.length === 0;
  const podsSince = pods.map((pod) => millis(pod.metadata.creationTimestamp) ?? 0);
  const wantedMs = waitsForPods ? Math.min(...podsSince) : 0;
  const row: VolumeRow = {
    key: `claim/${key}`,
    kind: 'claim',
    name: key,
    health: 'good',
    note: '',
    phase: status?.phase ?? 'Pending',
    ...ofClaim(key, claim, index),
    ...ofClass(spec.storageClassName, index),
    size: bytes(spec.resources?.requests?.storage),
    access: spec.accessModes ?? [],
    ...given({ uid, mode: spec.volumeMode, createdMs: millis(creationTimestamp) }),
    attachments: [],
    snapshots: [],
    operations: isWaitingForPod ? [] : [creation(claim, index.intents.get(key), wantedMs)],
  };
  return isWaitingForPod ? { ...row, note: 'waiting for a pod that uses it' } : judged(row, index);
};

/** Claims that wait for a volume of the driver. */
const waitingClaims = (claims: VolumeFacts['claims'], classes: Index['classes']): readonly PersistentVolumeClaim[] =>
  claims.filter(
    ({ spec, status }) =>
      !spec.volumeName &&
      status?.phase !== 'Bound' &&
      classes.get(spec.storageClassName ?? '')?.provisioner === names.csiDriver,
  );

/** Disks that were registered for this cluster and had no PersistentVolume when they were read, and have none now. */
const orphanRows = (index: Index): readonly VolumeRow[] => {
  const { volumes, claims, isComplete } = index.facts;
  // With incomplete lists, every disk would seem to be an orphan.
  if (!isComplete || index.disks.orphans.length === 0) return [];
  const handles = new Set(volumes.filter(isOurs).map(({ spec }) => spec.csi?.volumeHandle ?? ''));
  const coming = new Set(claims.map(({ metadata }) => `pvc-${metadata.uid}`));
  return index.disks.orphans
    .filter(({ handle, disk }) => !handles.has(handle) && !coming.has(disk.name) && !handles.has(disk.path ?? ''))
    .map(({ handle, disk, shown, readAtMs, datastoreProblem }) => {
      const evidence = [
        `vCenter ${shown.vcenter} has the disk registered for this cluster as "${disk.name}".`,
        `No PersistentVolume has the handle ${handle}${disk.path ? ` or the path ${disk.path}` : ''}: neither when the disk was read, nor now.`,
        `No claim waits for a volume named ${disk.name}.`,
      ];
      const row: VolumeRow = {
        key: `orphan/${shown.vcenter}/${disk.id}`,
        kind: 'orphan',
        name: disk.name || disk.id,
        health: 'warn',
        note: '',
        phase: 'Orphan',
        size: disk.mb * 1024 * 1024,
        access: [],
        handle,
        ...shown,
        attachments: [],
        pods: [],
        snapshots: [],
        operations: [],
        evidence:
          readAtMs === undefined
            ? evidence
            : [...evidence, `The disk was read at ${new Date(readAtMs).toISOString()}.`],
      };
      return judged(row, index, datastoreProblem);
    });
};

/** Volumes, claims that wait for one, and orphaned disks. */
export const volumeRows = (facts: VolumeFacts, memory: VolumeMemory = createVolumeMemory()): readonly VolumeRow[] => {
  const { volumes, claims, attachments, pods, snapshots, classes, intents, inventory, isComplete } = facts;
  return memory.whole(
    [volumes, claims, attachments, pods, snapshots, classes, intents, inventory, isComplete],
    () => allRows(facts, memory),
    (rows) => rows.every(isSettled),
  );
};

const allRows = (facts: VolumeFacts, memory: VolumeMemory): readonly VolumeRow[] => {
  const index = memory.indexOf(facts);
  const known = memory.rows.rowsOf(index);
  return [
    ...known,
    ...memory.waiting(facts.claims, index.classes).map((claim) => waitingRow(claim, index)),
    ...orphanRows(index),
  ];
};
