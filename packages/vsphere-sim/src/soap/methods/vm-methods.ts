import {
  destroyTask,
  powerOffVMTask,
  powerOnVMTask,
  rebootGuest,
  reconfigVMTask,
  renameTask,
  resetVMTask,
  shutdownGuest,
  suspendVMTask,
  upgradeVMTask,
} from '@vdo/vsphere/wire/methods/vm';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import { type PowerState, powerOf, removeVm, rename, setExtraConfig, setPower } from '../../inventory/vm-operations.ts';
import { faults } from '../../sim-fault.ts';
import { type Call, handle, type MethodHandler } from '../method-handler.ts';

/** Methods of a VM do not exist on other objects. */
const vmOnly = (ref: MoRef): void => {
  if (ref.type !== 'VirtualMachine') throw faults.invalidRequest(`${ref.type} has no such method`);
};

/** A task that changes the power state of a VM from one of some states to another. */
const power = (
  call: Call,
  vm: MoRef,
  change: { readonly from: readonly PowerState[]; readonly to: PowerState },
): MoRef => {
  vmOnly(vm);
  return call.startTask(vm, () => {
    if (!call.core.store.get(vm)) throw faults.managedObjectNotFound(vm);
    const state = powerOf(call.core, vm);
    if (!change.from.includes(state)) throw faults.invalidPowerState(state, change.to);
    setPower(call.core, vm, change.to);
  });
};

const toolsNeeded = (call: Call, vm: MoRef): void => {
  vmOnly(vm);
  if (!call.core.guests.get(vm.value)?.tools) throw faults.toolsUnavailable();
};

export const vmMethods: readonly MethodHandler[] = [
  handle(powerOnVMTask, ({ _this }, call) =>
    power(call, _this, { from: ['poweredOff', 'suspended'], to: 'poweredOn' }),
  ),
  handle(powerOffVMTask, ({ _this }, call) =>
    power(call, _this, { from: ['poweredOn', 'suspended'], to: 'poweredOff' }),
  ),
  handle(suspendVMTask, ({ _this }, call) => power(call, _this, { from: ['poweredOn'], to: 'suspended' })),
  handle(resetVMTask, ({ _this }, call) => power(call, _this, { from: ['poweredOn'], to: 'poweredOn' })),

  handle(shutdownGuest, ({ _this }, call) => {
    toolsNeeded(call, _this);
    setPower(call.core, _this, 'poweredOff');
    return undefined;
  }),

  handle(rebootGuest, ({ _this }, call) => {
    toolsNeeded(call, _this);
    setPower(call.core, _this, 'poweredOn');
    return undefined;
  }),

  handle(reconfigVMTask, ({ _this, spec }, call) => {
    vmOnly(_this);
    if (spec.deviceChange.length > 0) throw faults.notSupported();
    if (spec.extraConfig.length > 0) call.authorize('VirtualMachine.Config.AdvancedConfig', _this);
    if (spec.name !== undefined) call.authorize('VirtualMachine.Config.Rename', _this);
    return call.startTask(_this, () => {
      setExtraConfig(call.core, _this, Object.fromEntries(spec.extraConfig.map(({ key, value }) => [key, value])));
      if (spec.name !== undefined) rename(call.core, _this, spec.name);
    });
  }),

  handle(upgradeVMTask, ({ _this, version = 'vmx-19' }, call) => {
    vmOnly(_this);
    return call.startTask(_this, () => {
      const state = powerOf(call.core, _this);
      if (state !== 'poweredOff') throw faults.invalidPowerState(state, 'poweredOff');
      call.core.store.update(_this, { 'config.version': version });
    });
  }),

  handle(renameTask, ({ _this, newName }, call) => {
    call.authorize(renamePrivileges[_this.type] ?? 'Folder.Rename', _this);
    return call.startTask(_this, () => rename(call.core, _this, newName));
  }),

  handle(destroyTask, ({ _this }, call) => {
    if (_this.type !== 'VirtualMachine') throw faults.notSupported();
    call.authorize('VirtualMachine.Inventory.Delete', _this);
    return call.startTask(_this, () => {
      const state = powerOf(call.core, _this);
      if (state === 'poweredOn') throw faults.invalidPowerState(state, 'poweredOff');
      removeVm(call.core, _this);
    });
  }),
];

const renamePrivileges: Readonly<Record<string, string>> = {
  VirtualMachine: 'VirtualMachine.Config.Rename',
  Datacenter: 'Datacenter.Rename',
  Datastore: 'Datastore.Rename',
  ClusterComputeResource: 'Host.Inventory.RenameCluster',
};
