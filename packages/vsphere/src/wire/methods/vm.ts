import { defineMethod, optional, ref, string } from '../schema.ts';
import { VirtualMachineConfigSpec } from '../types/vm.ts';

export const powerOnVMTask = defineMethod('PowerOnVM_Task', {
  namespace: 'urn:vim25',
  request: { _this: ref, host: optional(ref) },
  response: ref,
});

export const powerOffVMTask = defineMethod('PowerOffVM_Task', {
  namespace: 'urn:vim25',
  request: { _this: ref },
  response: ref,
});

export const resetVMTask = defineMethod('ResetVM_Task', {
  namespace: 'urn:vim25',
  request: { _this: ref },
  response: ref,
});

export const suspendVMTask = defineMethod('SuspendVM_Task', {
  namespace: 'urn:vim25',
  request: { _this: ref },
  response: ref,
});

export const shutdownGuest = defineMethod('ShutdownGuest', {
  namespace: 'urn:vim25',
  request: { _this: ref },
});

export const rebootGuest = defineMethod('RebootGuest', {
  namespace: 'urn:vim25',
  request: { _this: ref },
});

export const reconfigVMTask = defineMethod('ReconfigVM_Task', {
  namespace: 'urn:vim25',
  request: { _this: ref, spec: VirtualMachineConfigSpec },
  response: ref,
});

/** Virtual hardware to a newer version; the VM must be off. */
export const upgradeVMTask = defineMethod('UpgradeVM_Task', {
  namespace: 'urn:vim25',
  request: { _this: ref, version: optional(string) },
  response: ref,
});

export const destroyTask = defineMethod('Destroy_Task', {
  namespace: 'urn:vim25',
  request: { _this: ref },
  response: ref,
});

export const renameTask = defineMethod('Rename_Task', {
  namespace: 'urn:vim25',
  request: { _this: ref, newName: string },
  response: ref,
});
