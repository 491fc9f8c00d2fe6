import type { Fence } from '@vdo/base/fence';
import { VdoError } from '@vdo/base/vdo-error';
import type { EventRecorder } from '@vdo/kube/events';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { CallContext } from '../../volumes/call-context.ts';
import { isForeign } from '../../volumes/own-volumes.ts';
import type { Volume, VolumeService } from '../../volumes/volume.ts';
import { parseVolumeId } from '../../volumes/volume-id.ts';
import { eventMessage } from '../event-message.ts';
import type { MetadataSender } from './metadata-sender.ts';
import type { VolumeView } from './volume-view.ts';

/** Registers an existing disk or file share as a container volume. Throws VolumeNotFound if no vCenter has it. */
export type RegisterDisk = (diskId: string, name: string, context: CallContext) => Promise<Volume>;

export interface StaticVolumesDeps {
  readonly volumes: Pick<VolumeService, 'find'>;
  readonly registerDisk: RegisterDisk;
  readonly sender: MetadataSender;
  readonly view: VolumeView;
  readonly clusterId: string;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly fence: Fence;
}

const foreign = (volume: Volume, clusterId: string): VdoError =>
  new VdoError({
    code: 'VolumeForeign',
    message: `volume ${volume.id} belongs to cluster ${volume.clusterIds.join(', ')}, but this is cluster ${clusterId}`,
    remedy: 'Delete its PersistentVolume in the other cluster first, or correct the volume handle.',
  });

// vCenter still lists a disk for a while after its volume was deleted. If it were registered again then, it would stay forever. A
// // PersistentVolume that is deleted by hand remains while its claim is in use.
const isLeaving = ({ metadata, spec, status }: PersistentVolume): boolean =>
  (metadata.deletionTimestamp !== undefined && status?.phase !== 'Bound') ||
  (status?.phase === 'Released' && spec.persistentVolumeReclaimPolicy === 'Delete');

/** Static provisioning: registers the disk or share of a PersistentVolume that a person created as a volume of this cluster, with its metadata. */
export const createStaticVolumes = (deps: StaticVolumesDeps) => {
  const { volumes, registerDisk, sender, view, clusterId, events, fence } = deps;
  const take = async (object: PersistentVolume, signal: AbortSignal): Promise<void> => {
    const id = object.spec.csi?.volumeHandle ?? '';
    const kind = parseVolumeId(id)?.kind;
    if (kind !== 'block' && kind !== 'file') return;
    const context = { signal, lifetime: signal, fence };
    const found = await volumes.find(id, context);
    if (found && isForeign(found, clusterId)) throw foreign(found, clusterId);
    const volume = found ?? (await registerDisk(id, object.metadata.name ?? '', context));
    sender.learn(id, volume.server, []);
    const item = { server: volume.server, volumeId: id, wanted: view.entities(object) };
    const [failure] = (await sender.send([item], signal)).values();
    if (failure) throw failure;
  };
  return async (object: PersistentVolume, signal: AbortSignal): Promise<void> => {
    if (isLeaving(object)) return;
    try {
      await take(object, signal);
    } catch (error) {
      if (!signal.aborted && error instanceof VdoError)
        events.record(object, { type: 'Warning', reason: 'VolumeNotRegistered', message: eventMessage(error) });
      throw error;
    }
  };
};
