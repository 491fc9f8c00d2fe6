import type { VmHealth } from '@vdo/vsphere/health/health-reader';

/** What a node VM needs before the drivers can work with it. */
export interface VmPlan {
  readonly vm: VmHealth;
  readonly enableUuid: boolean;
  /** The version to bring the virtual hardware to. */
  readonly upgradeTo?: number;
  /** Changes take effect while the VM is off, and it is on. */
  readonly powerCycle: boolean;
  /** What nobody but a person can do. */
  readonly byHand: readonly string[];
}

/** What is wrong with a VM, and what of it can be put right. */
export const planVm = (vm: VmHealth, hardwareVersion: number): VmPlan => {
  const enableUuid = !vm.diskUuidEnabled;
  const old = vm.hardwareVersion > 0 && vm.hardwareVersion < hardwareVersion;
  const isOn = vm.powerState !== 'poweredOff';
  const powerCycle = (enableUuid || old) && isOn;
  const needsTools = isOn && !vm.toolsRunning;
  return {
    vm,
    enableUuid,
    ...(old ? { upgradeTo: hardwareVersion } : {}),
    powerCycle,
    byHand: [
      ...(needsTools ? ['VMware Tools do not run: start open-vm-tools in the guest'] : []),
      ...(needsTools && powerCycle ? ['without Tools it cannot be shut down cleanly: power it off yourself'] : []),
      ...(vm.powerState === 'suspended' ? ['it is suspended: resume it'] : []),
    ],
  };
};

/** For people: what is to be changed. */
export const changesOf = ({ enableUuid, upgradeTo, vm }: VmPlan): readonly string[] => [
  ...(enableUuid ? ['set disk.EnableUUID=TRUE'] : []),
  ...(upgradeTo === undefined ? [] : [`upgrade hardware ${vm.hardwareVersion} to ${upgradeTo}`]),
];

/** Whether it can be changed now. */
export const verdictOf = (
  plan: VmPlan,
  options: { readonly powerCycle: boolean },
): 'ready' | 'change' | 'power-cycle' | 'by-hand' => {
  if (changesOf(plan).length === 0) return plan.byHand.length > 0 ? 'by-hand' : 'ready';
  if (!plan.powerCycle) return 'change';
  return options.powerCycle && plan.byHand.length > 0 ? 'by-hand' : options.powerCycle ? 'change' : 'power-cycle';
};
