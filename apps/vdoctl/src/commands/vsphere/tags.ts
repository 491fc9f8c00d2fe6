import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { createProgress } from '../../output/progress.ts';
import { renderTable } from '../../output/table.ts';
import { withVCenter } from '../../shared/vsphere/with-vcenter.ts';
import { applyTags } from './tags/apply-tags.ts';
import { readTagFacts, readTagTree, wantedTags } from './tags/find-tags.ts';
import { planTags, type TagPlan, type TagStep } from './tags/tag-plan.ts';
import type { TagsApplyFlags, TagsPlanFlags } from './tags-commands.ts';

const objectOf = (step: TagStep): string => ('object' in step ? step.object : '');
const tagOf = (step: TagStep): string => ('tag' in step ? step.tag : '');
const insteadOf = (step: TagStep): string => ('instead' in step ? `instead of ${step.instead}` : '');

const columns = [
  { title: 'action', value: ({ action }: TagStep) => action },
  { title: 'category', value: ({ category }: TagStep) => category },
  { title: 'tag', value: tagOf },
  {
    title: 'object',
    value: (step: TagStep) => [objectOf(step), insteadOf(step)].filter((text) => text !== '').join(' '),
  },
];

const linesOf = ({ steps, unchanged, notes }: TagPlan): readonly string[] => [
  ...(steps.length > 0 ? renderTable(columns, steps) : ['All objects have their tags. No changes.']),
  ...(unchanged > 0 ? [`${unchanged} tags are already correct.`] : []),
  ...notes.map((note) => `Note: ${note}.`),
];

const show = async (context: CliContext, vcenter: FullVCenter, flags: TagsPlanFlags): Promise<TagPlan> => {
  const { signal } = context;
  const wanted = wantedTags(await readTagTree(vcenter, signal), flags);
  const plan = planTags(wanted, await readTagFacts(vcenter, wanted, signal), flags);
  const steps = plan.steps.map((step) =>
    'ref' in step ? { ...step, ref: `${step.ref.type}:${step.ref.value}` } : step,
  );
  printResult(context, flags.output, { data: { ...plan, steps }, lines: () => linesOf(plan) });
  return plan;
};

/** vdoctl vsphere tags plan */
export const planTagsCommand: CommandRun<TagsPlanFlags> = (context, flags) =>
  withVCenter(context, flags, async (vcenter) => {
    await show(context, vcenter, flags);
    return exitCodes.done;
  });

/** vdoctl vsphere tags apply */
export const applyTagsCommand: CommandRun<TagsApplyFlags> = (context, flags) =>
  withVCenter(context, flags, async (vcenter) => {
    const plan = await show(context, vcenter, flags);
    if (flags.dryRun || plan.steps.length === 0) return exitCodes.done;
    if (!(await confirm(context, flags, `Make these ${plan.steps.length} changes on ${vcenter.server}?`))) {
      context.terminal.err('Nothing was changed.\n');
      return exitCodes.failed;
    }
    const progress = createProgress(context);
    try {
      const onStep = (step: TagStep) =>
        progress.update([step.action.replace('-', ' '), step.category, tagOf(step), objectOf(step)].join(' ').trim());
      await applyTags(vcenter, plan, { signal: context.signal, onStep });
      progress.done(`${plan.steps.length} changes made`);
    } finally {
      progress.end();
    }
    return exitCodes.done;
  });
