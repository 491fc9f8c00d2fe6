import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Input, Value } from '@vdo/vsphere/wire/schema';
import type { VirtualMachineSummary } from '@vdo/vsphere/wire/types/vm';
import type { VmModel } from '../model.ts';
import type { VirtualMachine } from '../state/managed-types.ts';
import { entityTree } from './entity-tree.ts';
import { type Guest, guestFullName, guestTree } from './guest-tree.ts';
import { controllerDevices, deviceKeys, diskDevice, nicDevice } from './vm-devices.ts';

export interface VmPlace {
  readonly ref: MoRef;
  /** Undefined for a VM in a vApp. */
  readonly folder: MoRef | undefined;
  readonly vApp: MoRef | undefined;
  readonly host: MoRef;
  readonly resourcePool: MoRef;
  readonly datastore: { readonly ref: MoRef; readonly name: string };
  readonly uuid: string;
  readonly instanceUuid: string;
  readonly diskUuid: string;
  readonly guest: Guest;
  readonly network: (name: string) => MoRef;
  readonly now: Date;
}

type VmTree = Omit<Input<Value<typeof VirtualMachine>>, '$type'>;

/** A VM's property tree without its `summary`, which is derived from the rest. */
export const vmTree = (model: VmModel, place: VmPlace) => {
  const { guest, datastore } = place;
  const guestId = model.guestId ?? 'ubuntu64Guest';
  const cards = guest.nics.filter((nic) => !nic.insideGuest);
  const powerState = model.power ?? 'poweredOn';
  const extraConfig = Object.entries(model.extraConfig ?? {}).map(([key, value]) => ({ key, value }));
  return {
    ...entityTree(model.name, place.folder),
    ...(place.vApp ? { parentVApp: place.vApp } : {}),
    config: {
      changeVersion: place.now.toISOString(),
      modified: place.now,
      name: model.name,
      guestFullName: guestFullName(guestId),
      version: 'vmx-19',
      uuid: place.uuid,
      createDate: place.now,
      instanceUuid: place.instanceUuid,
      template: model.template ?? false,
      guestId,
      annotation: '',
      files: {
        vmPathName: `[${datastore.name}] ${model.name}/${model.name}.vmx`,
        logDirectory: `[${datastore.name}] ${model.name}/`,
      },
      flags: { diskUuidEnabled: isTrue(model.extraConfig?.['disk.EnableUUID']) },
      hardware: {
        numCPU: model.numCpu ?? 2,
        numCoresPerSocket: 1,
        memoryMB: model.memoryMb ?? 4096,
        device: [
          ...controllerDevices,
          diskDevice({
            key: deviceKeys.disk,
            controllerKey: deviceKeys.scsi,
            unitNumber: 0,
            uuid: place.diskUuid,
            fileName: `[${datastore.name}] ${model.name}/${model.name}.vmdk`,
            datastore: datastore.ref,
            capacityBytes: 40n * 1024n ** 3n,
          }),
          ...cards.map((nic, index) =>
            nicDevice(index, nic.mac, { ref: place.network(nic.network), name: nic.network }),
          ),
        ],
      },
      extraConfig,
    },
    resourcePool: place.resourcePool,
    runtime: {
      host: place.host,
      connectionState: 'connected',
      powerState,
      toolsInstallerMounted: false,
      ...(powerState === 'poweredOn' ? { bootTime: place.now } : {}),
      consolidationNeeded: false,
    },
    guest: guestTree(guest, powerState === 'poweredOn'),
    datastore: [datastore.ref],
    network: [...new Set(cards.map((nic) => nic.network))].map(place.network),
    rootSnapshot: [],
    guestHeartbeatStatus: powerState === 'poweredOn' && guest.tools ? 'green' : 'gray',
  } satisfies Omit<VmTree, 'summary'>;
};

/** Accepted values of `disk.EnableUUID`: TRUE, true or 1. */
export const isTrue = (value: unknown): boolean => /^(true|1)$/i.test(String(value ?? ''));

/** The summary, in which vCenter repeats other properties. */
export const vmSummary = (ref: MoRef, tree: Omit<VmTree, 'summary'>): Input<Value<typeof VirtualMachineSummary>> => {
  const { config, guest, runtime } = tree;
  const devices = config?.hardware.device ?? [];
  return {
    vm: ref,
    runtime,
    guest: {
      guestId: guest?.guestId,
      guestFullName: guest?.guestFullName,
      toolsStatus: guest?.toolsStatus,
      toolsVersionStatus: guest?.toolsVersionStatus,
      toolsVersionStatus2: guest?.toolsVersionStatus2,
      toolsRunningStatus: guest?.toolsRunningStatus,
      hostName: guest?.hostName,
      ipAddress: guest?.ipAddress,
    },
    config: {
      name: tree.name,
      template: config?.template ?? false,
      vmPathName: config?.files.vmPathName ?? '',
      memorySizeMB: config?.hardware.memoryMB,
      numCpu: config?.hardware.numCPU,
      numEthernetCards: devices.filter((device) => device.key >= deviceKeys.nic).length,
      numVirtualDisks: devices.filter((device) => device.$type === 'VirtualDisk').length,
      uuid: config?.uuid,
      instanceUuid: config?.instanceUuid,
      guestId: config?.guestId,
      guestFullName: config?.guestFullName,
      annotation: config?.annotation,
    },
    quickStats: {
      overallCpuUsage: 0,
      guestMemoryUsage: 0,
      hostMemoryUsage: 0,
      guestHeartbeatStatus: tree.guestHeartbeatStatus,
    },
    overallStatus: 'green',
  };
};
