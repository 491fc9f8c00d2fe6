import type { ClusterFacts } from '@vdo/checks/facts';
import type { NodeCycle } from '../../shared/nodes/cycle-node.ts';
import { changesOf, planVm } from '../../shared/nodes/vm-plan.ts';

export interface PlannedCycle extends NodeCycle {
  readonly server: string;
  readonly what: string;
}

/** The settings that the checks node/disk-enable-uuid and node/hardware-version require. */
const minHardware = 15;

/** The nodes whose VMs need changes while they are off, without nodes that cannot be shut down. */
export const planCycles = ({ nodes: all }: ClusterFacts): readonly PlannedCycle[] =>
  all.flatMap(({ node, vm }) => {
    const plan = vm && planVm(vm, minHardware);
    const changes = plan ? changesOf(plan) : [];
    if (!plan || changes.length === 0 || plan.byHand.length > 0) return [];
    const name = node.metadata.name ?? '';
    const what = plan.powerCycle
      ? `cordon and drain node ${name}, shut down VM ${plan.vm.name}, ${changes.join(', ')}, start it, uncordon`
      : `${changes.join(', ')} on VM ${plan.vm.name} (powered off)`;
    return [{ node: name, server: plan.vm.server, plan, what }];
  });
