import { toVdoError } from '@vdo/base/vdo-error';
import type { CheckOutcome } from '@vdo/checks/check';
import type { ClusterFacts } from '@vdo/checks/facts';
import type { KubeClient } from '@vdo/kube/client';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { CliContext } from '../../cli/context.ts';
import { confirm } from '../../output/confirm.ts';
import { createProgress } from '../../output/progress.ts';
import { askForChecks } from '../../shared/checkup/ask-for-checks.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { cycleNode } from '../../shared/nodes/cycle-node.ts';
import { changesOf } from '../../shared/nodes/vm-plan.ts';
import { withVCenter } from '../../shared/vsphere/with-vcenter.ts';
import { applyFix } from './apply-fix.ts';
import type { DoctorFlags } from './command.ts';
import type { Fix, FixPlan } from './fixes.ts';
import type { PlannedCycle } from './power-cycle.ts';

const handLines = (outcome: CheckOutcome): readonly string[] => [
  `  ${outcome.id}  ${outcome.object.kind} ${outcome.object.name}: ${outcome.remedy}`,
  ...(outcome.commands ?? []).map((command) => `    ${command}`),
];

/** Shows what would be fixed, and what has to be fixed manually. */
export const fixLines = ({ fixes, cycles, byHand }: FixPlan): readonly string[] => [
  '',
  ...(fixes.length + cycles.length === 0
    ? ['Nothing can be fixed automatically.']
    : [
        'Automatic fixes:',
        ...fixes.map(({ check, what }) => `  ${check}  ${what}`),
        ...cycles.map(({ what }) => `  ${what}`),
      ]),
  ...(byHand.length === 0 ? [] : ['Fix manually:', ...byHand.flatMap(handLines)]),
];

/** A failed fix does not prevent the others. */
const applyAll = async ({ terminal, signal }: CliContext, kube: KubeClient, fixes: readonly Fix[]): Promise<number> => {
  let failed = 0;
  for (const fix of fixes) {
    try {
      await applyFix(kube, fix, signal);
      terminal.err(`Done: ${fix.what}\n`);
    } catch (error) {
      signal.throwIfAborted();
      failed += 1;
      terminal.err(`Failed: ${fix.what}: ${toVdoError(error).message}\n`);
    }
  }
  return failed;
};

/** Stops at the first node that fails, so that no other node goes down as well. */
const cycleAll = async (
  context: CliContext,
  flags: DoctorFlags,
  input: { readonly kube: KubeClient; readonly cycles: readonly PlannedCycle[]; readonly facts: ClusterFacts },
): Promise<void> => {
  const { clock, signal } = context;
  const progress = createProgress(context);
  try {
    for (const { server, spec } of input.facts.vcenters) {
      const here = input.cycles.filter((cycle) => cycle.server === server);
      if (here.length === 0) continue;
      const work = async (vcenter: FullVCenter): Promise<void> => {
        for (const cycle of here) {
          signal.throwIfAborted();
          const options = { clock, signal, timeout: flags.timeout, onStep: progress.update };
          await cycleNode({ kube: input.kube, vcenter }, cycle, options);
          progress.done(`${cycle.node}: ${changesOf(cycle.plan).join(', ')}`);
        }
      };
      // Name the cluster, so that a running sandbox is not mistaken for it.
      const target = { ...flags, server: spec.server, port: spec.port, insecure: false };
      await withVCenter(context, target, work, { spec });
    }
  } finally {
    progress.end();
  }
};

/** Asks, then applies all fixes. Undefined if nothing was done. */
export const runFixes = async (
  context: CliContext,
  flags: DoctorFlags,
  { fixes, cycles }: FixPlan,
  facts: ClusterFacts,
): Promise<{ readonly failed: number } | undefined> => {
  const count = fixes.length + cycles.length;
  if (flags.dryRun || count === 0) return undefined;
  return withCluster(context, flags, async ({ kube, server }) => {
    const nodes = cycles.filter(({ plan }) => plan.powerCycle).length;
    const restarts =
      nodes === 0 ? '' : `, shutting down and starting ${nodes} node VM${nodes === 1 ? '' : 's'} one at a time`;
    if (!(await confirm(context, flags, `Fix ${count === 1 ? 'this' : `these ${count}`} on ${server}${restarts}?`))) {
      context.terminal.err('Nothing was changed.\n');
      return undefined;
    }
    const failed = await applyAll(context, kube, fixes);
    await cycleAll(context, flags, { kube, cycles, facts });
    // The operator updates the status soon. Without permission to request a run, wait for its next regular run.
    await askForChecks(kube, context).catch(() => undefined);
    return { failed };
  });
};
