import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { printResult } from '../../output/print-result.ts';
import { renderTable } from '../../output/table.ts';
import { confirm } from '../../progress/confirm.ts';
import { createProgress } from '../../progress/progress.ts';
import { findVms } from '../../vsphere/vms/find-vms.ts';
import { prepareVm } from '../../vsphere/vms/prepare-vm.ts';
import { changesOf, planVm, type VmPlan, verdictOf } from '../../vsphere/vms/vm-plan.ts';
import { withVCenter } from '../../vsphere/with-vcenter.ts';
import type { VmsListFlags, VmsPrepareFlags } from './vms-commands.ts';

const words = {
  ready: 'ready',
  change: 'change',
  'power-cycle': 'needs --power-cycle',
  'by-hand': 'needs a person',
} as const;

const print = (
  context: CliContext,
  { output }: Pick<VmsListFlags, 'output'>,
  plans: readonly VmPlan[],
  powerCycle: boolean,
): void => {
  const rows = plans.map((plan) => ({
    name: plan.vm.name,
    power: plan.vm.powerState,
    toolsRunning: plan.vm.toolsRunning,
    diskUuid: plan.vm.diskUuidEnabled,
    hardwareVersion: plan.vm.hardwareVersion,
    verdict: verdictOf(plan, { powerCycle }),
    changes: changesOf(plan),
    byHand: plan.byHand,
  }));
  printResult(context, output, {
    data: rows,
    lines: (options) =>
      renderTable(
        [
          { title: 'vm', value: ({ name }: (typeof rows)[number]) => name },
          { title: 'power', value: ({ power }) => power },
          { title: 'tools', value: ({ toolsRunning }) => (toolsRunning ? 'running' : 'not running') },
          { title: 'disk uuid', value: ({ diskUuid }) => (diskUuid ? 'yes' : 'no') },
          { title: 'hardware', value: ({ hardwareVersion }) => String(hardwareVersion) },
          { title: 'verdict', value: ({ verdict }) => words[verdict] },
          { title: 'what', value: ({ changes, byHand }) => [...changes, ...byHand].join('; ') },
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
    print(context, flags, plans, false);
    const isReady = (plan: VmPlan): boolean => verdictOf(plan, { powerCycle: false }) === 'ready';
    return plans.every(isReady) ? exitCodes.done : exitCodes.unhealthy;
  });

/** vdoctl vsphere vms prepare */
export const prepareVms: CommandRun<VmsPrepareFlags> = (context, flags, names) =>
  withVCenter(context, flags, async (vcenter) => {
    const vms = await findVms(context, flags, vcenter, names);
    const plans = vms.map((vm) => planVm(vm, flags.hardwareVersion));
    print(context, flags, plans, flags.powerCycle);
    const due = plans.filter((plan) => verdictOf(plan, flags) === 'change');
    const left = plans.filter((plan) => ['power-cycle', 'by-hand'].includes(verdictOf(plan, flags)));
    const exitCode = left.length > 0 ? exitCodes.unhealthy : exitCodes.done;
    if (flags.dryRun || due.length === 0) return exitCode;
    const running = due.filter(({ powerCycle }) => powerCycle).length;
    const cycled = running > 0 ? `, ${running} of them shut down and started, one at a time` : '';
    if (!(await confirm(context, flags, `Change ${due.length} VMs on ${vcenter.server}${cycled}?`))) {
      context.terminal.err('Nothing was changed.\n');
      return exitCodes.failed;
    }
    const progress = createProgress(context);
    const { clock, signal } = context;
    try {
      for (const plan of due) {
        signal.throwIfAborted();
        await prepareVm(vcenter, plan, { clock, signal, timeout: flags.timeout, onStep: progress.update });
        progress.done(`${plan.vm.name}: ${changesOf(plan).join(', ')}`);
      }
    } finally {
      progress.end();
    }
    return exitCode;
  });
