import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import { annotationKeys } from '@vdo/config/names';
import { timestamp } from '@vdo/kube/conditions';
import type { VCenterObservation, VolumeCount } from '../observation.ts';

export type VolumesStatus = NonNullable<VSphereDriversStatus['volumes']>;

/** A new time of the count alone is not worth writing the status. */
const restampMs = 3_600_000;

interface VolumesInput {
  readonly count: Pick<VolumeCount, 'total' | 'attachments' | 'byInstance'>;
  /** The vCenters of the spec. */
  readonly vcenters: readonly Pick<VCenterObservation, 'server' | 'about'>[];
  readonly last: VolumesStatus | undefined;
  readonly nowMs: number;
}

/** The vCenters of the spec and of the last status, matched by instance UUID. */
const knownVCenters = ({ vcenters, last }: VolumesInput) => {
  const before = new Map(last?.vcenters.map(({ server, instanceUuid }) => [server, instanceUuid]));
  const now = vcenters.map(({ server, about }) => [server, about?.instanceUuid ?? before.get(server)] as const);
  const named = new Set(now.map(([, instance]) => instance));
  // A vCenter under a new name is the same vCenter.
  const gone = [...before].filter(
    ([server, instance]) => !now.some(([one]) => one === server) && (instance === undefined || !named.has(instance)),
  );
  return [
    ...now.map(([server, instance]) => ({ server, instance, isGone: false })),
    ...gone.map(([server, instance]) => ({ server, instance, isGone: true })),
  ];
};

/** How many volumes need the driver and on which vCenter they are, as reported in the status. */
export const decideVolumes = (input: VolumesInput): VolumesStatus => {
  const { count, last, nowMs } = input;
  const known = knownVCenters(input);
  const alone = known.length === 1;
  const volumesOn = (instance: string | undefined): number =>
    alone ? count.total : instance === undefined ? 0 : (count.byInstance[instance] ?? 0);
  const { total, attachments } = count;
  const placed = known.reduce((sum, { instance }) => sum + volumesOn(instance), 0);
  const unplaced = Math.max(0, total - placed);
  const vcenters = known
    // A removed vCenter is remembered while it has volumes, or may have some.
    .filter(({ instance, isGone }) => !isGone || volumesOn(instance) + unplaced > 0)
    .map(({ server, instance }) => ({
      server,
      ...(instance ? { instanceUuid: instance } : {}),
      volumes: volumesOn(instance),
    }));
  const next = { total, attachments, unplaced, vcenters };
  const { countedAt, ...before } = last ?? { countedAt: undefined };
  const isSame = JSON.stringify(sorted(next)) === JSON.stringify(sorted(before));
  const isOld = total + attachments > 0 && nowMs - Date.parse(countedAt ?? '') >= restampMs;
  return { ...next, countedAt: isSame && countedAt !== undefined && !isOld ? countedAt : timestamp(nowMs) };
};

/** The API server may return fields in another order. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
};

/**
 * Why nothing is changed: a vCenter that was removed from the spec has volumes of this cluster, which the drivers reach only with their
 * current settings. Undefined if there is none, or if the removal was confirmed by an annotation.
 */
export const lostVCenter = (
  { metadata, spec }: VSphereDrivers,
  { vcenters, unplaced }: Pick<VolumesStatus, 'vcenters' | 'unplaced'>,
): VdoError | undefined => {
  const isAllowed = metadata.annotations?.[annotationKeys.allowRemoval] !== undefined;
  if (isAllowed || spec.deletionPolicy === 'Orphan') return undefined;
  const lost = vcenters.find(
    ({ server, volumes }) => volumes + unplaced > 0 && !spec.vcenters.some((one) => one.server === server),
  );
  if (!lost) return undefined;
  const held =
    lost.volumes > 0
      ? `${lost.volumes} PersistentVolumes of this cluster are on it`
      : `the vCenter of ${unplaced} PersistentVolumes of this cluster is unknown`;
  return new VdoError({
    code: 'VolumesInUse',
    message: `${lost.server} is missing from spec.vcenters, but ${held}; VDO changes nothing, and the drivers keep their current settings`,
    remedy: `Add it to spec.vcenters again, or confirm that this cluster no longer needs its volumes: kubectl annotate vspheredrivers ${metadata.name} ${annotationKeys.allowRemoval}=true`,
    retry: 'backoff',
    details: { server: lost.server, volumes: lost.volumes, unplaced },
  });
};
