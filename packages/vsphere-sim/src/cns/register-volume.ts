import { morefKey } from '@vdo/vsphere/wire/moref';
import type { Value } from '@vdo/vsphere/wire/schema';
import type {
  CnsBlockBackingDetails,
  CnsVolumeCreateSpec,
  CnsVsanFileShareBackingDetails,
} from '@vdo/vsphere/wire/types/cns';
import { authorize } from '../access/authorize.ts';
import type { Core } from '../core.ts';
import { faults } from '../sim-fault.ts';
import type { CnsContext } from './cns-context.ts';
import { diskAtUrl } from './disk-files.ts';
import type { Volume } from './volume-store.ts';

type Spec = Value<typeof CnsVolumeCreateSpec>;

const backingOf = (spec: Spec) =>
  spec.backingObjectDetails as Partial<Value<typeof CnsBlockBackingDetails>> &
    Partial<Pick<Value<typeof CnsVsanFileShareBackingDetails>, 'backingFileId'>>;

/** The specification refers to an existing disk or share. */
export const isRegistration = (spec: Spec): boolean => {
  const { backingDiskId, backingDiskUrlPath, backingFileId } = backingOf(spec);
  return Boolean(backingDiskId ?? backingDiskUrlPath ?? backingFileId);
};

/** An ID refers to a first-class disk, a path to any vmdk, and the ID of a share, which has a prefix, to a share. */
const meaning = (core: Core, spec: Spec): ((disk: Volume) => boolean) => {
  const { backingDiskId, backingDiskUrlPath, backingFileId } = backingOf(spec);
  if ((spec.volumeType === 'FILE') !== (backingFileId !== undefined)) throw faults.invalidArgument('volumeType');
  if (backingFileId !== undefined) return (share) => share.type === 'FILE' && share.id === backingFileId;
  if (!backingDiskUrlPath) return (disk) => disk.firstClass && disk.id === backingDiskId;
  const { datastore, path } = diskAtUrl(core, backingDiskUrlPath, 'backingDiskUrlPath');
  return (disk) => disk.path === path && morefKey(disk.datastore) === morefKey(datastore);
};

/** The volume for an existing disk. From then on, the disk is kept when a VM to which it is attached is deleted. */
export const registeredVolume = ({ core, volumes, principal }: CnsContext, spec: Spec): Volume => {
  const isMeant = meaning(core, spec);
  const known = volumes.list().find(isMeant);
  if (known) throw faults.cnsAlreadyRegistered(known.id);
  const disk = volumes.disks().find(isMeant);
  if (!disk) throw faults.invalidArgument(backingOf(spec).backingDiskUrlPath ? 'backingDiskUrlPath' : 'VolumeId');
  authorize(core, principal, 'Datastore.FileManagement', disk.datastore);
  return { ...disk, name: spec.name, metadata: spec.metadata, firstClass: true, keepAfterDeleteVm: true };
};
