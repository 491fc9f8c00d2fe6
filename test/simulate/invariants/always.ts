import { violationsOf } from '@vdo/acts/act-log';
import { persistentVolumes } from '@vdo/kube/types/core';
import { type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { byHand } from '../steps/by-hand.ts';
import type { Truth } from '../truth.ts';
import type { World } from '../world.ts';
import { watchNodes } from './nodes.ts';
import { idOfNode, idsOf, sharesLetInNobodyElse, sharesLetInTheirNodes } from './shares.ts';

type Invariant = (world: World, truth: Truth) => readonly string[];

/** The VM of a node, by the id under which the driver has registered there. */
const vmOf = (world: World, node: string): string | undefined => {
  const id = idOfNode(world, node);
  return id === undefined ? undefined : world.vmWithUuid(id);
};

/** The VMs that an attachment may have to do with: that of the node now, and that of the time it was begun. */
const vmsOf = (world: World, attachment: VolumeAttachment): readonly (string | undefined)[] =>
  idsOf(world, attachment).map((id) => world.vmWithUuid(id));

/** Disks that are wanted or kept exist for ever. */
const disksExist: Invariant = (world, truth) =>
  truth.fates().flatMap((fate) => {
    const { state, handle, name, sinceMs } = fate;
    if (state === 'may go' || world.hasDisk(handle)) return [];
    if (state === 'kept' && truth.wasTooLate(fate)) return [];
    return [`disk lost: ${handle} of ${name}, which is ${state} since ${sinceMs} ms`];
  });

const foreignDisksExist: Invariant = (world) =>
  [...world.foreignDisks]
    .filter((id) => !world.sim.volumes.get(id))
    .map((id) => `disk lost: ${id}, which another cluster made`);

/** The PersistentVolume of a claim in use stays. */
const volumesStay: Invariant = (world, truth) => {
  const present = new Set(world.list(persistentVolumes).map(({ metadata }) => metadata.uid));
  return truth
    .fates()
    .filter(({ state, forced, uid }) => state === 'wanted' && !forced && !present.has(uid))
    .map(({ name }) => `PersistentVolume lost: ${name}, whose claim is in use`);
};

/** Unless an administrator made the second one. */
const oneVolumePerHandle: Invariant = (world) => {
  const first = new Map<string, string>();
  return world.list(persistentVolumes).flatMap(({ metadata: { name = '' }, spec }) => {
    const handle = spec.csi?.volumeHandle ?? '';
    const other = first.get(handle);
    if (name.startsWith(byHand)) return [];
    first.set(handle, name);
    return other === undefined ? [] : [`one disk, two volumes: ${handle} is of ${other} and ${name}`];
  });
};

const attachedIsTrue: Invariant = (world, truth) =>
  world.list(volumeAttachments).flatMap(({ metadata, spec, status }) => {
    if (!status?.attached || metadata.deletionTimestamp !== undefined) return [];
    const handle = truth.fates().find(({ name }) => name === spec.source.persistentVolumeName)?.handle ?? '';
    const disk = world.sim.volumes.get(handle);
    if (disk?.type === 'FILE') return [];
    const holder = disk?.attachedTo?.vm.value;
    const wanted = vmOf(world, spec.nodeName);
    return holder === wanted
      ? []
      : [`not attached: ${metadata.name} says so, but ${handle} is on ${holder ?? 'no VM'}, not on ${wanted}`];
  });

const nothingLoose: Invariant = (world, truth) => {
  const attachments = world.list(volumeAttachments);
  return world.sim.volumes.list().flatMap(({ id, attachedTo }) => {
    if (!attachedTo) return [];
    const names = new Set(truth.fatesOf(id).map(({ name }) => name));
    const isAsked = attachments.some(
      (one) => names.has(one.spec.source.persistentVolumeName ?? '') && vmsOf(world, one).includes(attachedTo.vm.value),
    );
    return isAsked ? [] : [`loose: disk ${id} is on ${attachedTo.vm.value} without a VolumeAttachment`];
  });
};

const copiesAreKept: Invariant = (world, truth) => {
  const copies = new Set(truth.all.claims.filter(({ from }) => from !== undefined).map(({ uid }) => uid));
  return world
    .list(persistentVolumes)
    .filter(
      ({ spec }) =>
        copies.has(spec.claimRef?.uid ?? '') && spec.csi?.volumeAttributes?.['vdo.vmware.com/blank'] === 'true',
    )
    .map(({ metadata }) => `copy would be formatted: ${metadata.name}`);
};

const snapshotsExist: Invariant = (world, truth) =>
  truth.snapshots().flatMap(({ name, handle }) => {
    const [volumeId = '', snapshotId] = handle?.split('+') ?? [];
    const isThere = world.sim.volumes.get(volumeId)?.snapshots.some(({ id }) => id === snapshotId);
    return handle === undefined || isThere ? [] : [`snapshot lost: ${handle} of ${name}`];
  });

const invariants: readonly Invariant[] = [
  disksExist,
  foreignDisksExist,
  volumesStay,
  oneVolumePerHandle,
  attachedIsTrue,
  nothingLoose,
  sharesLetInTheirNodes,
  sharesLetInNobodyElse,
  copiesAreKept,
  snapshotsExist,
  (_world, truth) => truth.violations,
];

/** What must hold at every moment, whatever is under way. */
export const createAlways = (world: World, truth: Truth) => {
  let judged = 0;
  const lostNodes = watchNodes(world);
  const actsOnFreshEvidence = (): readonly string[] => {
    const fresh = world.acts.slice(judged);
    judged = world.acts.length;
    return fresh.flatMap(({ identity, record }) =>
      violationsOf([record]).map((text) => `old evidence: ${identity}: ${text}`),
    );
  };
  return (): readonly string[] => [
    ...invariants.flatMap((invariant) => invariant(world, truth)),
    ...lostNodes,
    ...actsOnFreshEvidence(),
  ];
};
