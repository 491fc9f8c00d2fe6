import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { CsiVCenter } from './csi-vcenter.ts';

const hasSnapshots = (id: string, count: number, what: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'VolumeHasSnapshots',
    message: `volume ${id} cannot be ${what} while it has ${count === 1 ? 'a snapshot' : `${count} snapshots`}`,
    remedy: 'Delete the VolumeSnapshots of its claim. The driver then retries automatically.',
    cause,
  });

/** Runs an operation that vCenter refuses for volumes with snapshots. If it is refused, searches for snapshots and reports them as the reason. */
export const explainingSnapshots = async <T>(
  work: Promise<T>,
  options: {
    readonly vcenter: CsiVCenter;
    readonly volumeId: string;
    readonly what: 'grown' | 'deleted';
    readonly signal: AbortSignal;
  },
): Promise<T> => {
  const { vcenter, volumeId, what, signal } = options;
  try {
    return await work;
  } catch (error) {
    if (!isVdoError(error, 'VCenterTaskFailed', 'VCenterFault')) throw error;
    const snapshots = await vcenter.cns.querySnapshots({ volumeId }, { signal }).catch(() => undefined);
    const count = snapshots?.length ?? 0;
    throw count > 0 ? hasSnapshots(volumeId, count, what, error) : error;
  }
};
