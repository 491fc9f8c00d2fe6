import { VdoError } from '@vdo/base/vdo-error';
import type { CheckOutcome } from '@vdo/checks/check';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { ComponentObservation, VolumeCount } from '../observation.ts';
import { ofDriver } from './drivers.ts';

export interface SwitchInput {
  readonly spec: Pick<VSphereDriversSpec, 'distribution' | 'csi' | 'vcenters'>;
  readonly running: readonly ComponentObservation[];
  /** Undefined if the volumes were not counted. */
  readonly count: Pick<VolumeCount, 'unplaceable'> | undefined;
  /** Failed checks of Nodes. */
  readonly nodes: readonly Pick<CheckOutcome, 'id' | 'result' | 'object'>[];
}

const namedAtMost = 5;
const list = (all: readonly string[], count = all.length): string =>
  all.slice(0, namedAtMost).join(', ') + (count > namedAtMost ? ` and ${count - namedAtMost} more` : '');

const blocked = (why: string, remedy: string): VdoError =>
  new VdoError({
    code: 'InstallBlocked',
    message: why,
    remedy: `${remedy} Or set spec.distribution back to Native.`,
  });

/**
 * Why a switch to the upstream storage driver would fail, reported before the first object changes: its controller exits when the VM of a
 * node is missing, and with several vCenters it serves only volumes that have node affinity.
 */
export const switchObstacle = ({ spec, running, count, nodes }: SwitchInput): VdoError | undefined => {
  const storage = ofDriver(running, 'csi').filter(({ ours }) => ours);
  const isDue = spec.csi && spec.distribution === 'Upstream' && storage.length > 0;
  // A switch that has begun is completed, or rolled back by its health gate.
  if (!isDue || storage.some(({ distribution }) => distribution === 'Upstream')) return undefined;
  const missing = nodes.filter(({ id, result }) => id === 'node/vm-found' && result === 'Fail');
  if (missing.length > 0)
    return blocked(
      `the upstream storage driver does not start while a node has no VM; no VM was found for ${list(missing.map(({ object }) => object.name))}.`,
      `Delete the Nodes whose VMs no longer exist, or fix what vdoctl doctor reports for node/vm-found.`,
    );
  const { total = 0, first = [] } = count?.unplaceable ?? {};
  if (spec.vcenters.length > 1 && total > 0)
    return blocked(
      `with several vCenters the upstream storage driver needs node affinity on each PersistentVolume; ${total} have none (${list(first, total)}).`,
      'Node affinity cannot be added to an existing volume: keep the native driver for these volumes.',
    );
  return undefined;
};
