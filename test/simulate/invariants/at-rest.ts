import { volumeIntentResource } from '@vdo/config/api/volume-intent';
import { names } from '@vdo/config/names';
import { configMaps, persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import { volumeSnapshotContents, volumeSnapshots } from '@vdo/kube/types/snapshots';
import { volumeAttachments } from '@vdo/kube/types/storage';
import type { Truth } from '../truth.ts';
import type { World } from '../world.ts';
import { nodeProblems } from './nodes.ts';
import { shareAddresses } from './shares.ts';

type Invariant = (world: World, truth: Truth) => readonly string[];

const nameOf = ({ metadata }: { readonly metadata: { readonly name?: string } }): string => metadata.name ?? '';

const differs = (what: string, has: readonly string[], expected: readonly string[]): readonly string[] => {
  const [left, right] = [new Set(has), new Set(expected)];
  return [
    ...has.filter((one) => !right.has(one)).map((one) => `${what} left: ${one}`),
    ...expected.filter((one) => !left.has(one)).map((one) => `${what} missing: ${one}`),
  ];
};

/** What users asked for is done. */
const claimsAreServed: Invariant = (world, truth) => {
  const found = world.list(persistentVolumeClaims);
  return [
    ...differs(
      'claim',
      found.map(nameOf),
      truth.claims().map(({ name }) => name),
    ),
    ...found
      .filter(({ status }) => status?.phase !== 'Bound')
      .map((one) => `claim not served: ${nameOf(one)} is ${one.status?.phase}`),
  ];
};

/** A volume that is gone, or being deleted, is not attached any more; nor is one whose claim is gone and whose disk vCenter has forgotten. */
const isGoing = (world: World, name: string | undefined): boolean => {
  const volume = world.list(persistentVolumes).find(({ metadata }) => metadata.name === name);
  const isForgotten = !world.sim.volumes.get(volume?.spec.csi?.volumeHandle ?? '');
  return (
    volume?.metadata.deletionTimestamp !== undefined ||
    volume === undefined ||
    (volume.status?.phase !== 'Bound' && isForgotten)
  );
};

const attachmentsAreServed: Invariant = (world, truth) => {
  const found = world.list(volumeAttachments);
  return [
    ...differs(
      'attachment',
      found.map(nameOf),
      truth.attachments().map(({ name }) => name),
    ),
    ...found
      .filter(({ status, spec }) => !status?.attached && !isGoing(world, spec.source.persistentVolumeName))
      .map((one) => `attachment not served: ${nameOf(one)}: ${one.status?.attachError?.message ?? 'no reason'}`),
  ];
};

const snapshotsAreServed: Invariant = (world, truth) => {
  const found = world.list(volumeSnapshots);
  const contents = world.list(volumeSnapshotContents);
  const onDisks = world.sim.volumes.list().flatMap(({ id, snapshots }) => snapshots.map((one) => `${id}+${one.id}`));
  const uids = new Set(found.map(({ metadata }) => metadata.uid));
  return [
    ...differs(
      'snapshot',
      found.map(nameOf),
      truth.snapshots().map(({ name }) => name),
    ),
    ...found.filter(({ status }) => !status?.readyToUse).map((one) => `snapshot not served: ${nameOf(one)}`),
    ...differs(
      'snapshot of a disk',
      onDisks,
      contents.map(({ status }) => status?.snapshotHandle ?? ''),
    ),
    ...contents
      .filter(({ spec }) => !uids.has(spec.volumeSnapshotRef.uid))
      .map((one) => `content without its snapshot: ${nameOf(one)}`),
  ];
};

interface Intent extends KubeObject {
  readonly spec: { readonly volumeId?: string; readonly claim?: { readonly uid: string } };
}

/** A disk whose hand-over is noted, which neither claim nor PersistentVolume has, and of which an administrator is told. */
const isReported = (world: World, id: string): boolean => {
  const intents = world.list(volumeIntentResource) as readonly Intent[];
  const uid = intents.find(({ spec }) => spec.volumeId === id)?.spec.claim?.uid;
  const isClaimed = world.list(persistentVolumeClaims).some(({ metadata }) => metadata.uid === uid);
  const report = world.list(configMaps).find(({ metadata }) => metadata.name === names.csiSyncReport);
  const isListed = report?.data?.['orphans']?.includes(id) ?? false;
  return uid !== undefined && !isClaimed && isListed;
};

/**
 * A disk whose hand-over was noted, and whose claim went before a PersistentVolume could be written: nobody can tell any more whether
 * one was, so that the disk and its note stay. Nothing else may be left like this.
 */
const isReportedOrphan = (world: World, truth: Truth, id: string): boolean =>
  isReported(world, id) && truth.fatesOf(id).length === 0;

const isKept = (truth: Truth, id: string): boolean =>
  truth.fatesOf(id).some(({ state, forced }) => forced || state === 'kept');

/** Exactly the disks there should be: of volumes, and those that their users kept. Also of those that vCenter has forgotten. */
const noDiskWithoutOwner: Invariant = (world, truth) => {
  const recorded = new Set(world.list(persistentVolumes).map(({ spec }) => spec.csi?.volumeHandle));
  return [...world.sim.volumes.list(), ...world.sim.volumes.disks()]
    .filter(({ id }) => !recorded.has(id) && !world.foreignDisks.has(id))
    .filter(({ id }) => !isKept(truth, id))
    .filter(({ id }) => !isReportedOrphan(world, truth, id))
    .map(({ id, name }) => `disk without owner: ${id} (${name})`);
};

/** A released volume goes if its policy or an administrator says so, unless snapshots or an attachment hold its disk. */
const releasedVolumesGo: Invariant = (world, truth) =>
  world.list(persistentVolumes).flatMap(({ metadata, spec }) => {
    const state = truth.fates().find(({ uid }) => uid === metadata.uid)?.state;
    const snapshots = world.sim.volumes.get(spec.csi?.volumeHandle ?? '')?.snapshots ?? [];
    const isAttached = truth.attachments().some(({ volume }) => volume === metadata.name);
    const isDeleted = metadata.deletionTimestamp !== undefined && state === 'kept';
    const isShared = truth.fatesOf(spec.csi?.volumeHandle ?? '').length > 1;
    const mustGo = (state === 'may go' && snapshots.length === 0) || isDeleted;
    return mustGo && !isAttached && !isShared
      ? [`volume left: ${metadata.name}, ${state}${isDeleted ? ', deleted by hand' : ''}`]
      : [];
  });

const mib = 1024n ** 2n;
const gibibyte = /^(\d+)Gi$/;
const bytesOf = (quantity: string | undefined): bigint => {
  const [, gi] = gibibyte.exec(quantity ?? '') ?? [];
  return gi === undefined ? BigInt(quantity ?? 0) : BigInt(gi) * 1024n * mib;
};

const capacityIsTrue: Invariant = (world, truth) =>
  truth.claims().flatMap((claim) => {
    const volume = truth.volumeOf(claim);
    const disk = world.sim.volumes.get(volume?.spec.csi?.volumeHandle ?? '');
    if (!volume || !disk) return [];
    const [said, has, asked] = [
      bytesOf(volume.spec.capacity?.storage),
      disk.capacityMb * mib,
      BigInt(claim.sizeGi) * 1024n * mib,
    ];
    const held = truth.snapshotsOf(claim).length > 0;
    // What a disk was grown by is said when it has been grown to what is asked for, which its snapshots forbid.
    const isOnItsWay = held && said < has && has < asked;
    return [
      ...(said === has || isOnItsWay ? [] : [`capacity: ${volume.metadata.name} says ${said}, its disk has ${has}`]),
      ...(has === asked || held ? [] : [`capacity: ${claim.name} asks for ${asked}, its disk has ${has}`]),
    ];
  });

/** vCenter's view of each volume names its PersistentVolume and its claim, and nothing else. */
const entitiesAreTrue: Invariant = (world) =>
  world.list(persistentVolumes).flatMap(({ metadata, spec }) => {
    const disk = world.sim.volumes.get(spec.csi?.volumeHandle ?? '');
    // Of two volumes with one disk vCenter can show either.
    if (!disk || world.list(persistentVolumes).filter((one) => one.spec.csi?.volumeHandle === disk.id).length > 1)
      return [];
    const claim = world.list(persistentVolumeClaims).find((one) => one.metadata.uid === spec.claimRef?.uid);
    const shown = (disk.metadata?.entityMetadata ?? []).map((entity) => {
      const { entityType, entityName } = entity as { readonly entityType?: string; readonly entityName?: string };
      return `${entityType} ${entityName}`;
    });
    const expected = [
      `PERSISTENT_VOLUME ${metadata.name}`,
      ...(claim ? [`PERSISTENT_VOLUME_CLAIM ${nameOf(claim)}`] : []),
    ];
    return differs(`entity of ${disk.id}`, shown, expected);
  });

/** How long a full sync itself may take. */
const syncingMs = 60_000;

const fullSyncRuns: Invariant = (world) => {
  const lastMs = world.fullSyncMs();
  const agoMs = world.nowMs() - (lastMs ?? 0);
  return agoMs <= world.fullSyncEveryMs + syncingMs ? [] : [`full sync: none has ended for ${agoMs / 1000} s`];
};

/** CNS has every disk of a volume, also those that it had forgotten. */
const volumesAreKnown: Invariant = (world, truth) =>
  truth
    .claims()
    .flatMap((claim) => truth.volumeOf(claim)?.spec.csi?.volumeHandle ?? [])
    .filter((handle) => !world.sim.volumes.get(handle))
    .map((handle) => `not registered: CNS does not know disk ${handle} of a claim in use`);

/** The note of a disk that its users kept before anybody could take it away says what the report says, and no more. */
const mayStay = (world: World, truth: Truth, id: string): boolean =>
  isReportedOrphan(world, truth, id) || (isReported(world, id) && isKept(truth, id));

const nothingIsOpen: Invariant = (world, truth) =>
  (world.list(volumeIntentResource) as readonly Intent[])
    .filter(({ spec }) => spec.volumeId === undefined || !mayStay(world, truth, spec.volumeId))
    .map((one) => `intent left: ${nameOf(one)}`);

const invariants: readonly Invariant[] = [
  claimsAreServed,
  attachmentsAreServed,
  snapshotsAreServed,
  noDiskWithoutOwner,
  releasedVolumesGo,
  capacityIsTrue,
  entitiesAreTrue,
  nothingIsOpen,
  nodeProblems,
  shareAddresses,
  volumesAreKnown,
  fullSyncRuns,
];

/** What must hold once everything has come to rest. */
export const restProblems = (world: World, truth: Truth): readonly string[] =>
  invariants.flatMap((invariant) => invariant(world, truth));
