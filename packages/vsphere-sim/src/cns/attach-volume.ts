import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import type { Value } from '@vdo/vsphere/wire/schema';
import type { CnsVolumeAttachDetachSpec } from '@vdo/vsphere/wire/types/cns';
import { authorize } from '../access/authorize.ts';
import { type Device, deviceKeys, diskDevice, scsiController } from '../inventory/vm-devices.ts';
import { faults } from '../sim-fault.ts';
import { readPath } from '../state/property-path.ts';
import type { CnsContext } from './cns-context.ts';
import type { Volume } from './volume-store.ts';

type Spec = Value<typeof CnsVolumeAttachDetachSpec>;

/** The privileges on a node's VM that are needed to add or remove a disk. */
const privileges = ['VirtualMachine.Config.AddExistingDisk', 'VirtualMachine.Config.AddRemoveDevice'];

/** Unit 7 of a SCSI bus is the adapter itself. */
const scsiUnits = Array.from({ length: 16 }, (_, unit) => unit).filter((unit) => unit !== 7);

const devicesOf = ({ core }: CnsContext, vm: MoRef): readonly Device[] => {
  const object = core.store.get(vm);
  if (!object) throw faults.managedObjectNotFound(vm);
  return (readPath(object.properties, 'config.hardware.device') ?? []) as readonly Device[];
};

/** Maximum number of SCSI adapters of a VM. */
const maxControllers = 4;

/** The slot for the disk. If all adapters are full, CNS adds a paravirtual one, up to the maximum. */
const freeSlot = (
  devices: readonly Device[],
): { readonly controllerKey: number; readonly unitNumber: number; readonly added?: Device } => {
  const controllers = devices.filter(({ $type }) => $type?.endsWith('SCSIController'));
  for (const controller of controllers)
    for (const unitNumber of scsiUnits) {
      const taken = devices.some(
        (device) => device.controllerKey === controller.key && device.unitNumber === unitNumber,
      );
      if (!taken) return { controllerKey: controller.key, unitNumber };
    }
  if (controllers.length >= maxControllers)
    throw faults.cns('CNS: Failed to attach disk because missing SCSI controller');
  const added = scsiController(controllers.length);
  return { controllerKey: added.key, unitNumber: 0, added };
};

const freeKey = (devices: readonly Device[]): number => {
  const taken = new Set(devices.map(({ key }) => key));
  let key: number = deviceKeys.disk;
  while (taken.has(key)) key += 1;
  return key;
};

const isMounted = ({ core }: CnsContext, vm: MoRef, datastore: MoRef): boolean => {
  const host = readPath(core.store.get(vm)?.properties ?? {}, 'runtime.host') as MoRef | undefined;
  const mounts = (core.store.get(datastore)?.properties['host'] ?? []) as readonly { readonly key: MoRef }[];
  return host !== undefined && mounts.some(({ key }) => morefKey(key) === morefKey(host));
};

const volumeOf = ({ volumes }: CnsContext, id: string): Volume => {
  const volume = volumes.get(id);
  if (!volume) throw faults.notFound();
  return volume;
};

/** Adds the volume to a VM as a disk of its own UUID, which it returns. */
export const attachVolume = (context: CnsContext, spec: Spec): string => {
  const { core, volumes, principal } = context;
  const { vm } = spec;
  const volume = volumeOf(context, spec.volumeId.id);
  const devices = devicesOf(context, vm);
  for (const privilege of privileges) authorize(core, principal, privilege, vm);
  if (volume.type === 'FILE') throw faults.notSupported();
  if (volume.attachedTo && core.store.get(volume.attachedTo.vm))
    throw faults.resourceInUse('VStorageObject', volume.id);
  if (!isMounted(context, vm, volume.datastore)) throw faults.inaccessibleDatastore(volume.datastore);
  const key = freeKey(devices);
  const { added, ...slot } = freeSlot(devices);
  const disk = diskDevice({
    key,
    ...slot,
    uuid: volume.diskUuid,
    fileName: volume.path,
    datastore: volume.datastore,
    capacityBytes: volume.capacityMb * 1024n ** 2n,
    volumeId: volume.id,
    diskMode: spec.diskMode ?? 'independent_persistent',
  });
  core.store.update(vm, { 'config.hardware.device': [...devices, ...(added ? [added] : []), disk] });
  volumes.put({ ...volume, attachedTo: { vm, deviceKey: key } });
  return volume.diskUuid;
};

/** Detaches the disk. */
export const detachVolume = (context: CnsContext, spec: Spec): void => {
  const { core, volumes, principal } = context;
  const volume = volumeOf(context, spec.volumeId.id);
  const devices = devicesOf(context, spec.vm);
  authorize(core, principal, 'VirtualMachine.Config.AddRemoveDevice', spec.vm);
  if (!volume.attachedTo || morefKey(volume.attachedTo.vm) !== morefKey(spec.vm)) throw faults.notFound();
  const { deviceKey } = volume.attachedTo;
  core.store.update(spec.vm, { 'config.hardware.device': devices.filter(({ key }) => key !== deviceKey) });
  volumes.put({ ...volume, attachedTo: undefined });
};
