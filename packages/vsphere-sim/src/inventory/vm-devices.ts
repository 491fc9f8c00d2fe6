import type { MoRef } from '@vdo/vsphere/wire/moref';
import { make, type Value } from '@vdo/vsphere/wire/schema';
import {
  ParaVirtualSCSIController,
  type VirtualDevice,
  VirtualDisk,
  VirtualDiskFlatVer2BackingInfo,
  VirtualEthernetCardNetworkBackingInfo,
  VirtualIDEController,
  VirtualPCIController,
  VirtualVmxnet3,
} from '@vdo/vsphere/wire/types/vm-device';

export type Device = Value<typeof VirtualDevice>;

/** vCenter numbers devices by kind: the first SCSI controller is 1000, its disks start at 2000, network cards at 4000. */
export const deviceKeys = { ide: 200, pci: 100, scsi: 1000, disk: 2000, nic: 4000 } as const;

export interface DiskPlace {
  readonly key: number;
  readonly controllerKey: number;
  readonly unitNumber: number;
  /** With or without hyphens: kept as given. */
  readonly uuid: string;
  readonly fileName: string;
  readonly datastore: MoRef;
  readonly capacityBytes: bigint;
  /** The ID of the first-class disk, for container volumes. */
  readonly volumeId?: string;
  readonly diskMode?: string;
}

export const diskDevice = (disk: DiskPlace) =>
  make(VirtualDisk, {
    key: disk.key,
    deviceInfo: { label: `Hard disk ${disk.key - deviceKeys.disk + 1}`, summary: `${disk.capacityBytes / 1024n} KB` },
    backing: make(VirtualDiskFlatVer2BackingInfo, {
      fileName: disk.fileName,
      datastore: disk.datastore,
      diskMode: disk.diskMode ?? 'persistent',
      thinProvisioned: true,
      uuid: disk.uuid,
    }),
    controllerKey: disk.controllerKey,
    unitNumber: disk.unitNumber,
    capacityInKB: disk.capacityBytes / 1024n,
    capacityInBytes: disk.capacityBytes,
    ...(disk.volumeId === undefined ? {} : { vDiskId: { id: disk.volumeId } }),
  });

export const nicDevice = (index: number, mac: string, network: { readonly ref: MoRef; readonly name: string }) =>
  make(VirtualVmxnet3, {
    key: deviceKeys.nic + index,
    deviceInfo: { label: `Network adapter ${index + 1}`, summary: network.name },
    backing: make(VirtualEthernetCardNetworkBackingInfo, { deviceName: network.name, network: network.ref }),
    connectable: { startConnected: true, allowGuestControl: true, connected: true, status: 'ok' },
    controllerKey: deviceKeys.pci,
    unitNumber: 7 + index,
    addressType: 'assigned',
    macAddress: mac,
  });

/** A paravirtual SCSI adapter; the first one of a VM has bus number 0. */
export const scsiController = (busNumber: number): Device =>
  make(ParaVirtualSCSIController, {
    key: deviceKeys.scsi + busNumber,
    deviceInfo: { label: `SCSI controller ${busNumber}`, summary: 'VMware paravirtual SCSI' },
    controllerKey: deviceKeys.pci,
    unitNumber: 3 + busNumber,
    busNumber,
    device: [],
    hotAddRemove: true,
    sharedBus: 'noSharing',
    scsiCtlrUnitNumber: 7,
  });

/** The controllers of every simulated VM: PCI, IDE and one paravirtual SCSI adapter. */
export const controllerDevices: readonly Device[] = [
  make(VirtualPCIController, {
    key: deviceKeys.pci,
    deviceInfo: { label: 'PCI controller 0', summary: 'PCI controller 0' },
    busNumber: 0,
    device: [],
  }),
  make(VirtualIDEController, {
    key: deviceKeys.ide,
    deviceInfo: { label: 'IDE 0', summary: 'IDE 0' },
    busNumber: 0,
    device: [],
  }),
  scsiController(0),
];
