import type { Fence } from '@vdo/base/fence';
import type { VimSession } from '../session/vim-session.ts';
import { fenced } from '../soap/fenced.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import { powerOffVMTask, powerOnVMTask, reconfigVMTask, shutdownGuest, upgradeVMTask } from '../wire/methods/vm.ts';
import type { MoRef } from '../wire/moref.ts';

export interface VmMutationOptions extends CallOptions {
  /** Asserted right before each sending. */
  readonly fence: Fence;
}

/** Changes of VMs that are needed to prepare and repair nodes. Each waits until vCenter has finished. */
export interface VmOperations {
  powerOn(vm: MoRef, options: VmMutationOptions): Promise<void>;
  /** Powers the VM off without a shutdown of the guest. */
  powerOff(vm: MoRef, options: VmMutationOptions): Promise<void>;
  /** Requests a shutdown of the guest, and does not wait for it. Needs VMware Tools. */
  shutDownGuest(vm: MoRef, options: VmMutationOptions): Promise<void>;
  /** Sets options such as `disk.EnableUUID`; an empty value removes one. */
  setExtraConfig(vm: MoRef, values: Readonly<Record<string, string>>, options: VmMutationOptions): Promise<void>;
  /** Upgrades the virtual hardware to a version, such as 15. The VM must be powered off. */
  upgradeHardware(vm: MoRef, version: number, options: VmMutationOptions): Promise<void>;
}

export const createVmOperations = (session: VimSession, tasks: TaskWaiter): VmOperations => {
  const { vim } = session;
  const run = async (send: (call: CallOptions) => Promise<MoRef>, options: VmMutationOptions): Promise<void> => {
    await tasks.wait(await send(fenced(options)), options);
  };

  return {
    powerOn: (_this, options) => run((call) => vim.call(powerOnVMTask, { _this }, call), options),
    powerOff: (_this, options) => run((call) => vim.call(powerOffVMTask, { _this }, call), options),
    shutDownGuest: async (_this, options) => {
      await vim.call(shutdownGuest, { _this }, fenced(options));
    },
    upgradeHardware: (_this, version, options) =>
      run((call) => vim.call(upgradeVMTask, { _this, version: `vmx-${version}` }, call), options),
    setExtraConfig: (_this, values, options) => {
      const extraConfig = Object.entries(values).map(([key, value]) => ({ key, value }));
      return run((call) => vim.call(reconfigVMTask, { _this, spec: { extraConfig } }, call), options);
    },
  };
};
