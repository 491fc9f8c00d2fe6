import { createKeyedLock } from '@vdo/base/async/keyed-lock';
import { VdoError } from '@vdo/base/vdo-error';
import type { VolumeKind } from '../driver.ts';
import { assertOffers, lackOn } from '../placement/offered.ts';
import type { CallContext } from './call-context.ts';
import { type CsiVCenter, vcenterOf } from './csi-vcenter.ts';
import type { PublishedNodes } from './published-nodes.ts';
import type { VolumeService } from './volume.ts';
import { volumeNotFound } from './volume-not-found.ts';
import { chooseSizeMb, type SizeRange } from './volume-size.ts';
import { explainingSnapshots } from './with-snapshots.ts';

export interface ExpandServiceDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly volumes: Pick<VolumeService, 'find'>;
  readonly publishedNodes: PublishedNodes;
}

export interface Grown {
  readonly sizeMb: bigint;
  readonly kind: VolumeKind;
}

/** Expands a volume to at least the required size, whether it is in use or not, and returns its size. A volume that is large enough is not changed. */
export type ExpandVolume = (volumeId: string, size: SizeRange, context: CallContext) => Promise<Grown>;

const inUse = (volumeId: string, lack: string): VdoError =>
  new VdoError({
    code: 'VCenterVersionUnsupported',
    message: `volume ${volumeId} is attached to a node: ${lack}`,
    remedy:
      'Scale the workload down until the volume is detached; it is then expanded. Or upgrade vCenter and its hosts.',
    effect: 'none',
    retry: 'backoff',
  });

export const createExpandVolume = ({ vcenters, volumes, publishedNodes }: ExpandServiceDeps): ExpandVolume => {
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
      await assertOffers(vcenter, 'growth', { signal });
      // To find out whether it is in use costs a read of the node VMs, which is not needed for newer vCenters.
      const lack = kind === 'block' ? await lackOn(vcenter, ['growth-in-use'], { signal }) : undefined;
      if (lack !== undefined && (await publishedNodes(context)).has(volumeId)) throw inUse(volumeId, lack);
      const extending = vcenter.cns.extend(volumeId, wantedMb, { signal, fence });
      await explainingSnapshots(extending, { vcenter, volumeId, what: 'grown', signal });
      return { sizeMb: wantedMb, kind };
    });
};
