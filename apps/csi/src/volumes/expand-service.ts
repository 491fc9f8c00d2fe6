import { createKeyedLock } from '@vdo/base/async/keyed-lock';
import type { VolumeKind } from '../driver.ts';
import type { CallContext } from './call-context.ts';
import { type CsiVCenter, vcenterOf } from './csi-vcenter.ts';
import type { VolumeService } from './volume.ts';
import { volumeNotFound } from './volume-not-found.ts';
import { chooseSizeMb, type SizeRange } from './volume-size.ts';
import { explainingSnapshots } from './with-snapshots.ts';

export interface ExpandServiceDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly volumes: Pick<VolumeService, 'find'>;
}

export interface Grown {
  readonly sizeMb: bigint;
  readonly kind: VolumeKind;
}

/** Grows a volume to at least the required size, in use or not; tells its size. A volume that is large enough is left alone. */
export type ExpandVolume = (volumeId: string, size: SizeRange, context: CallContext) => Promise<Grown>;

export const createExpandVolume = ({ vcenters, volumes }: ExpandServiceDeps): ExpandVolume => {
  const locks = createKeyedLock();
  return (volumeId, size, context) =>
    locks.join(volumeId, `${size.requiredBytes}-${size.limitBytes}`, async () => {
      const { lifetime: signal, fence } = context;
      const volume = await volumes.find(volumeId, context);
      if (!volume) throw volumeNotFound(volumeId);
      const wantedMb = chooseSizeMb(size);
      const { kind } = volume;
      if (volume.sizeMb >= wantedMb) return { sizeMb: volume.sizeMb, kind };
      const vcenter = vcenterOf(vcenters, volume);
      const extending = vcenter.cns.extend(volumeId, wantedMb, { signal, fence });
      await explainingSnapshots(extending, { vcenter, volumeId, what: 'grown', signal });
      return { sizeMb: wantedMb, kind };
    });
};
