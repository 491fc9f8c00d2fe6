import type { VmFacts } from '../inventory/node-inventory.ts';
import { toVmFacts } from '../inventory/vm-properties.ts';
import { defineProperties, type PropertySet } from '../property/properties.ts';
import type { MoRef } from '../wire/moref.ts';
import { array, boolean, ref, string, type Value } from '../wire/schema.ts';
import { GuestNicInfo } from '../wire/types/guest.ts';
import { VirtualMachineSnapshotInfo, type VirtualMachineSnapshotTree } from '../wire/types/vm.ts';
import type { VirtualDevice } from '../wire/types/vm-device.ts';
import { ParaVirtualSCSIController, VirtualDisk, VirtualSCSIController } from '../wire/types/vm-device.ts';
import { wireTypes } from '../wire/wire-types.ts';
import type { ScsiSlots, VmHealth } from './health-reader.ts';

/** Without `extraConfig`, which is the largest part of a VM's properties. */
export const vmHealthProperties = defineProperties('VirtualMachine', {
  name: string,
  parent: ref,
  resourcePool: ref,
  'config.uuid': string,
  'config.instanceUuid': string,
  'config.version': string,
  'config.flags.diskUuidEnabled': boolean,
  'runtime.host': ref,
  'runtime.powerState': string,
  'runtime.consolidationNeeded': boolean,
  'guest.toolsRunningStatus': string,
  'guest.hostName': string,
  'guest.net': array(GuestNicInfo),
  snapshot: VirtualMachineSnapshotInfo,
});

type Values = typeof vmHealthProperties extends PropertySet<infer V> ? V : never;
type Snapshot = Value<typeof VirtualMachineSnapshotTree>;

const namesOf = (snapshots: readonly Snapshot[]): readonly string[] =>
  snapshots.flatMap(({ name, childSnapshotList }) => [name, ...namesOf(childSnapshotList as readonly Snapshot[])]);

/** 19 of `vmx-19`; 0 if it is not known. */
const hardwareVersionOf = (text = ''): number => Number(/^vmx-(\d+)$/.exec(text)?.[1] ?? 0);

export const toVmHealth = (server: string, vm: MoRef, values: Values): VmHealth => {
  const facts: VmFacts = toVmFacts(server, vm, values);
  return {
    ...facts,
    hardwareVersion: hardwareVersionOf(values['config.version']),
    diskUuidEnabled: values['config.flags.diskUuidEnabled'] ?? false,
    snapshots: namesOf(values.snapshot?.rootSnapshotList ?? []),
    consolidationNeeded: values['runtime.consolidationNeeded'] ?? false,
  };
};

// CNS attaches 15 disks to a controller, independent of the hardware version; more only after a change in the appliance that no API
// // reports (ADR 12).
const placesPerController = 15;

export const toScsiSlots = (devices: readonly Value<typeof VirtualDevice>[]): ScsiSlots => {
  const controllers = devices.filter((device) => wireTypes.is(device, VirtualSCSIController));
  const keys = new Set(controllers.map(({ key }) => key));
  const paravirtual = controllers.filter((device) => wireTypes.is(device, ParaVirtualSCSIController));
  return {
    controllers: controllers.length,
    paravirtual: paravirtual.length,
    total: controllers.length * placesPerController,
    used: devices.filter((device) => wireTypes.is(device, VirtualDisk) && keys.has(device.controllerKey ?? -1)).length,
  };
};
