import { waitUntil } from '@vdo/base/async/wait-until';
import type { Clock } from '@vdo/base/clock';
import { openFence } from '@vdo/base/fence';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { VmHealth } from '@vdo/vsphere/health/health-reader';
import { morefKey } from '@vdo/vsphere/wire/moref';
import type { VmPlan } from './vm-plan.ts';

export interface PrepareOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Timeout in seconds for each wait for the guest. */
  readonly timeout: number;
  readonly onStep: (text: string) => void;
}

type Hands = Pick<FullVCenter, 'vms' | 'health'>;

const pollMs = 2_000;

const waitFor = async (
  { health }: Hands,
  vm: VmHealth,
  what: { readonly text: string; readonly holds: (now: VmHealth) => boolean },
  { clock, signal, timeout }: Pick<PrepareOptions, 'clock' | 'timeout'> & { readonly signal?: AbortSignal },
): Promise<void> => {
  const call = signal ? { signal } : {};
  const holds = async (): Promise<boolean> => {
    const now = (await health.vms([vm.ref], call)).get(morefKey(vm.ref));
    return now !== undefined && what.holds(now);
  };
  await waitUntil(holds, {
    what: `VM ${vm.name} to ${what.text}`,
    remedy: 'Check the console of the VM, then run the command again. No further VM was changed.',
    timeoutMs: timeout * 1000,
    everyMs: pollMs,
    clock,
    ...call,
  });
};

/** Changes one VM. A running VM is shut down, changed, started, and waited for. */
export const prepareVm = async (hands: Hands, plan: VmPlan, options: PrepareOptions): Promise<void> => {
  const { vm, enableUuid, upgradeTo, powerCycle } = plan;
  const call = { signal: options.signal, fence: openFence };
  if (powerCycle) {
    options.onStep(`${vm.name}: shutting down the guest`);
    await hands.vms.shutDownGuest(vm.ref, call);
    // Ctrl-C does not interrupt this: a VM that is shut down must be started again.
    const { clock, timeout } = options;
    const off = { text: 'power off', holds: ({ powerState }: VmHealth) => powerState === 'poweredOff' };
    await waitFor(hands, vm, off, { clock, timeout });
  }
  try {
    options.signal.throwIfAborted();
    if (enableUuid) {
      options.onStep(`${vm.name}: setting disk.EnableUUID`);
      await hands.vms.setExtraConfig(vm.ref, { 'disk.EnableUUID': 'TRUE' }, call);
    }
    if (upgradeTo !== undefined) {
      options.onStep(`${vm.name}: upgrading hardware to ${upgradeTo}`);
      await hands.vms.upgradeHardware(vm.ref, upgradeTo, call);
    }
  } finally {
    // After every failure, and even after Ctrl-C: start the VM again.
    if (powerCycle) await hands.vms.powerOn(vm.ref, { fence: openFence });
  }
  if (!powerCycle) return;
  options.onStep(`${vm.name}: waiting for VMware Tools`);
  await waitFor(hands, vm, { text: 'start its VMware Tools', holds: ({ toolsRunning }) => toolsRunning }, options);
};
