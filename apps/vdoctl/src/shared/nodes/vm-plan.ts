import type { VmHealth } from '@vdo/vsphere/health/health-reader';

/** The changes that a node VM needs before the drivers can work with it. */
export interface VmPlan {
  readonly vm: VmHealth;
  readonly enableUuid: boolean;
  /** The target version of the virtual hardware. */
  readonly upgradeTo?: number;
  /** The VM is running, and the changes take effect only while it is off. */
  readonly powerCycle: boolean;
  /** What the user has to do manually. */
  readonly byHand: readonly string[];
}

/** The settings of a VM that are wrong, and which of them can be fixed. */
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
      ...(needsTools ? ['VMware Tools are not running: start open-vm-tools in the guest'] : []),
      ...(needsTools && powerCycle
        ? ['without VMware Tools, it cannot be shut down cleanly: power it off yourself']
        : []),
      ...(vm.powerState === 'suspended' ? ['it is suspended: resume it'] : []),
    ],
  };
};

/** The changes as text. */
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
