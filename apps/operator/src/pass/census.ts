import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys } from '@vdo/config/names';
import { switchObstacle } from '../decisions/switch-obstacle.ts';
import { decideVolumes, lostVCenter, type VolumesStatus } from '../decisions/volumes.ts';
import type { VolumeCount } from '../observation.ts';
import type { Call, PassDeps } from './deps.ts';
import type { Survey } from './survey.ts';

const holdsVolumes = (volumes: VolumesStatus | undefined): boolean =>
  volumes !== undefined && volumes.total + volumes.attachments > 0;

/** Whether there may be volumes of ours: storage is in the spec, or could not be removed yet. */
export const needsCount = (resource: VSphereDrivers | undefined): boolean =>
  resource !== undefined && (resource.spec?.csi !== undefined || holdsVolumes(resource.status?.volumes));

export interface Census {
  readonly volumes?: VolumesStatus;
  /** The count behind the last status, unless it is from before this process. */
  readonly count?: VolumeCount;
}

/** How many volumes need the driver, and on which vCenter. If they cannot be read, the last count is reported and the pass continues. */
export const census = async (
  deps: PassDeps,
  { resource, spec, vcenters: observed }: Survey,
  { signal }: Call,
): Promise<Census> => {
  if (!needsCount(resource)) return {};
  const last = resource.status?.volumes;
  // A removed vCenter or a request for checks needs a new count.
  const request = [
    resource.metadata.annotations?.[annotationKeys.runChecks],
    ...spec.vcenters.map(({ server }) => server),
  ].join(' ');
  // The server in the spec, not the display name.
  const vcenters = spec.vcenters.map(({ server }, index) => {
    const about = observed[index]?.about;
    return { server, ...(about ? { about } : {}) };
  });
  try {
    const count = await deps.census.current({ request, signal });
    return { count, volumes: decideVolumes({ count, vcenters, last, nowMs: deps.clock.now() }) };
  } catch (error) {
    signal.throwIfAborted();
    if (isVdoError(error, 'LeaseLost')) throw error;
    return last ? { volumes: last } : {};
  }
};

/** Throws VolumesInUse before anything is changed if a vCenter with volumes was removed from the spec. */
export const requireVCenters = (resource: VSphereDrivers, volumes: VolumesStatus | undefined): void => {
  const lost = volumes && lostVCenter(resource, volumes);
  if (lost) throw lost;
};

/** Why a switch of the distribution would fail. */
export const obstacleOf = (deps: PassDeps, { spec, running }: Survey, { count }: Census): VdoError | undefined =>
  switchObstacle({ spec, running, count, nodes: deps.checks.last()?.nodes ?? [] });
