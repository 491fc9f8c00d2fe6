import { taintKeys } from '@vdo/config/names';
import type { VmHealth } from '@vdo/vsphere/health/health-reader';
import { administrator } from './administrator.ts';
import { type CheckObject, unknown, type Verdict } from './check.ts';
import type { ClusterFacts, NodeFacts } from './facts.ts';

export const uninitializedTaint = taintKeys.uninitialized;

export const nodeObject = ({ node }: NodeFacts): CheckObject => ({ kind: 'Node', name: node.metadata.name ?? '' });

export const isTainted = ({ node }: NodeFacts): boolean =>
  (node.spec.taints ?? []).some(({ key }) => key === uninitializedTaint);

/** One verdict per node whose VM is known; node/vm-found reports the others. */
export const perVm =
  (judge: (vm: VmHealth, facts: NodeFacts, cluster: ClusterFacts) => Verdict) =>
  (cluster: ClusterFacts): readonly Verdict[] =>
    cluster.nodes.map((facts) =>
      facts.vm
        ? judge(facts.vm, facts, cluster)
        : unknown(nodeObject(facts), 'the VM of the node is unknown', 'node/vm-found'),
    );

/** Selects a VM for govc by UUID, because names may not be unique. */
export const govcVm = ({ uuid }: Pick<VmHealth, 'uuid'>): string => `-vm.uuid=${uuid}`;

const canShutDown = ({ powerState, toolsRunning }: VmHealth): boolean => toolsRunning || powerState === 'poweredOff';

/** A setting that can only be changed while the VM is off. vdoctl changes it and takes the node out of service meanwhile. */
export const byPowerCycle = (name: string, vm: VmHealth, check: string) => ({
  remedy: `${canShutDown(vm) ? '' : 'First see node/tools-running: without VMware Tools the VM cannot be shut down. '}VM ${vm.name} must be off for this change. The following command cordons and drains node ${name} (data of emptyDir volumes is lost), shuts its VM down, changes it, starts it and uncordons the node; other nodes with the same problem follow, one at a time:`,
  commands: [`vdoctl doctor --only ${check} --fix --power-cycle --user ${administrator} --yes`],
});

/** A change that needs the VM to be off, with the steps before and after it. `after`: its UUID after the change. */
export const whileOff = (name: string, vm: VmHealth, change: string, after = vm.uuid) => ({
  remedy: `Drain node ${name}, shut VM ${vm.name} down, change it and start it again:`,
  commands: [
    `kubectl drain ${name} --ignore-daemonsets --delete-emptydir-data`,
    `govc vm.power -s -wait ${govcVm(vm)}`,
    change,
    `govc vm.power -on ${govcVm({ uuid: after })}`,
    `kubectl uncordon ${name}`,
  ],
});
