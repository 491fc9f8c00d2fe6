import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { nodes } from '@vdo/kube/types/core';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { createProgress } from '../../output/progress.ts';
import { renderTable } from '../../output/table.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { cycleNode } from '../../shared/nodes/cycle-node.ts';
import { prepareVm } from '../../shared/nodes/prepare-vm.ts';
import { changesOf, planVm, type VmPlan, verdictOf } from '../../shared/nodes/vm-plan.ts';
import { withVCenter } from '../../shared/vsphere/with-vcenter.ts';
import { findVms } from './vms/find-vms.ts';
import { nodeOfVm } from './vms/node-of-vm.ts';
import type { VmsListFlags, VmsPrepareFlags } from './vms-commands.ts';

const words = {
  ready: 'ready',
  change: 'change',
  'power-cycle': 'needs --power-cycle',
  'by-hand': 'manual action',
} as const;

const print = (
  context: CliContext,
  { output }: Pick<VmsListFlags, 'output'>,
  plans: readonly VmPlan[],
  { powerCycle, nodeNames }: { readonly powerCycle: boolean; readonly nodeNames: ReadonlyMap<VmPlan, string> },
): void => {
  const rows = plans.map((plan) => ({
    name: plan.vm.name,
    power: plan.vm.powerState,
    toolsRunning: plan.vm.toolsRunning,
    diskUuid: plan.vm.diskUuidEnabled,
    hardwareVersion: plan.vm.hardwareVersion,
    verdict: verdictOf(plan, { powerCycle }),
    changes: [
      ...(nodeNames.has(plan) ? [`cordon and drain node ${nodeNames.get(plan)}`] : []),
      ...changesOf(plan),
      ...(nodeNames.has(plan) ? ['uncordon'] : []),
    ],
    byHand: plan.byHand,
  }));
  printResult(context, output, {
    data: rows,
    names: rows.map(({ name }) => `vm/${name}`),
    lines: (options) =>
      renderTable(
        [
          { title: 'vm', value: ({ name }: (typeof rows)[number]) => name },
          { title: 'power', value: ({ power }) => power },
          { title: 'tools', value: ({ toolsRunning }) => (toolsRunning ? 'running' : 'not running') },
          { title: 'disk uuid', value: ({ diskUuid }) => (diskUuid ? 'yes' : 'no') },
          { title: 'hardware', value: ({ hardwareVersion }) => String(hardwareVersion) },
          { title: 'result', value: ({ verdict }) => words[verdict] },
          { title: 'changes', value: ({ changes, byHand }) => [...changes, ...byHand].join('; ') },
        ],
        rows,
        options,
      ),
  });
};

/** vdoctl vsphere vms list */
export const listVms: CommandRun<VmsListFlags> = (context, flags, names) =>
  withVCenter(context, flags, async (vcenter) => {
    const vms = await findVms(context, flags, vcenter, names);
    const plans = vms.map((vm) => planVm(vm, flags.hardwareVersion));
    print(context, flags, plans, { powerCycle: false, nodeNames: new Map() });
    const isReady = (plan: VmPlan): boolean => verdictOf(plan, { powerCycle: false }) === 'ready';
    return plans.every(isReady) ? exitCodes.done : exitCodes.unhealthy;
  });

/** The Node of each VM that has to be shut down; reads the cluster of the flags. */
const nodesOf = async (
  context: CliContext,
  flags: VmsPrepareFlags,
  plans: readonly VmPlan[],
): Promise<ReadonlyMap<VmPlan, string>> => {
  const cycled = plans.filter((plan) => plan.powerCycle && verdictOf(plan, flags) === 'change');
  if (!flags.drain || cycled.length === 0) return new Map();
  return withCluster(context, flags, async ({ kube, server }) => {
    const { items } = await kube.list(nodes, { signal: context.signal });
    return new Map(cycled.map((plan) => [plan, nodeOfVm(plan.vm, items, server)]));
  }).catch((error: unknown) => {
    if (!isVdoError(error) || !error.code.startsWith('Kube')) throw error;
    const { code, message, remedy } = error;
    throw new VdoError({
      code,
      message: `cannot drain the nodes before their VMs are shut down: ${message}`,
      remedy: `${remedy} If the VMs are not nodes of a cluster yet, add --no-drain.`,
      cause: error,
    });
  });
};

/** Stops at the first VM that fails, so that no other VM goes down as well. */
const prepareAll = async (
  context: CliContext,
  flags: VmsPrepareFlags,
  input: {
    readonly vcenter: FullVCenter;
    readonly due: readonly VmPlan[];
    readonly nodeNames: ReadonlyMap<VmPlan, string>;
  },
): Promise<void> => {
  const { vcenter, due, nodeNames } = input;
  const progress = createProgress(context);
  const { clock, signal } = context;
  const options = { clock, signal, timeout: flags.timeout, onStep: progress.update };
  const work = async (kube?: KubeClient): Promise<void> => {
    for (const plan of due) {
      signal.throwIfAborted();
      const node = nodeNames.get(plan);
      if (kube && node !== undefined) await cycleNode({ kube, vcenter }, { node, plan }, options);
      else await prepareVm(vcenter, plan, options);
      progress.done(`${plan.vm.name}: ${changesOf(plan).join(', ')}`);
    }
  };
  try {
    await (nodeNames.size === 0 ? work() : withCluster(context, flags, ({ kube }) => work(kube)));
  } finally {
    progress.end();
  }
};

/** vdoctl vsphere vms prepare */
export const prepareVms: CommandRun<VmsPrepareFlags> = (context, flags, names) =>
  withVCenter(context, flags, async (vcenter) => {
    const vms = await findVms(context, flags, vcenter, names);
    const plans = vms.map((vm) => planVm(vm, flags.hardwareVersion));
    const nodeNames = await nodesOf(context, flags, plans);
    print(context, flags, plans, { powerCycle: flags.powerCycle, nodeNames });
    const due = plans.filter((plan) => verdictOf(plan, flags) === 'change');
    const left = plans.filter((plan) => ['power-cycle', 'by-hand'].includes(verdictOf(plan, flags)));
    const exitCode = left.length > 0 ? exitCodes.unhealthy : exitCodes.done;
    if (flags.dryRun || due.length === 0) return exitCode;
    const running = due.filter(({ powerCycle }) => powerCycle).length;
    const how = flags.drain ? 'drained, shut down and started' : 'shut down and started';
    const cycled = running > 0 ? `, ${running} of them ${how}, one at a time` : '';
    if (!(await confirm(context, flags, `Change ${due.length} VMs on ${vcenter.server}${cycled}?`))) {
      context.terminal.err('Nothing was changed.\n');
      return exitCodes.failed;
    }
    await prepareAll(context, flags, { vcenter, due, nodeNames });
    return exitCode;
  });
