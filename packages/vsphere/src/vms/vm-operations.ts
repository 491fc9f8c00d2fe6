import type { Fence } from '@vdo/base/fence';
import type { VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import { powerOffVMTask, powerOnVMTask, reconfigVMTask, shutdownGuest, upgradeVMTask } from '../wire/methods/vm.ts';
import type { MoRef } from '../wire/moref.ts';

export interface VmMutationOptions extends CallOptions {
  /** Checked right before the call is sent. */
  readonly fence: Fence;
}

/** Changes to VMs that preparing and repairing nodes needs. Each waits until vCenter is done. */
export interface VmOperations {
  powerOn(vm: MoRef, options: VmMutationOptions): Promise<void>;
  /** Pulls the plug. */
  powerOff(vm: MoRef, options: VmMutationOptions): Promise<void>;
  /** Asks the guest to shut down; returns when it was asked. Needs VMware Tools. */
  shutDownGuest(vm: MoRef, options: VmMutationOptions): Promise<void>;
  /** Sets options such as `disk.EnableUUID`; an empty value removes one. */
  setExtraConfig(vm: MoRef, values: Readonly<Record<string, string>>, options: VmMutationOptions): Promise<void>;
  /** Brings the virtual hardware to a version, such as 15. The VM must be off. */
  upgradeHardware(vm: MoRef, version: number, options: VmMutationOptions): Promise<void>;
}

export const createVmOperations = (session: VimSession, tasks: TaskWaiter): VmOperations => {
  const { vim } = session;
  const run = async (send: () => Promise<MoRef>, options: VmMutationOptions): Promise<void> => {
    options.fence.assertHeld();
    await tasks.wait(await send(), options);
  };

  return {
    powerOn: (_this, options) => run(() => vim.call(powerOnVMTask, { _this }, options), options),
    powerOff: (_this, options) => run(() => vim.call(powerOffVMTask, { _this }, options), options),
    shutDownGuest: async (_this, options) => {
      options.fence.assertHeld();
      await vim.call(shutdownGuest, { _this }, options);
    },
    upgradeHardware: (_this, version, options) =>
      run(() => vim.call(upgradeVMTask, { _this, version: `vmx-${version}` }, options), options),
    setExtraConfig: (_this, values, options) => {
      const extraConfig = Object.entries(values).map(([key, value]) => ({ key, value }));
      return run(() => vim.call(reconfigVMTask, { _this, spec: { extraConfig } }, options), options);
    },
  };
};
