import { alignRows } from '../../../output/table.ts';
import type { AccountPlan, Step } from './account-plan.ts';

const rowOf = (step: Step): readonly string[] => {
  switch (step.action) {
    case 'create-user':
    case 'delete-user':
      return [step.action, step.user, '', step.reason];
    case 'create-role':
    case 'update-role':
      return [step.action, step.role, step.privileges.join(', '), step.reason];
    case 'remove-role':
      return [step.action, step.role, '', step.reason];
    case 'set-permission':
      return [step.action, step.object, `${step.role}${step.propagate ? ', propagating' : ''}`, step.reason];
    case 'remove-permission':
      return [step.action, step.object, step.role, step.reason];
  }
};

/** What a step does, in a few words. */
export const stepText = (step: Step): string => {
  const [action = '', object = '', what = ''] = rowOf(step);
  return `${action.replace('-', ' ')} ${object}${what === '' ? '' : ` (${what})`}`;
};

/** The plan for people. */
export const planLines = ({ account, steps, unchanged, notes }: AccountPlan): readonly string[] => [
  ...(steps.length === 0
    ? [`${account} has all it needs: nothing to do.`]
    : alignRows([
        ['ACTION', 'OBJECT', 'WHAT', 'WHY'],
        ...steps.map(rowOf).map((row) => row.map((cell) => cell || '-')),
      ])),
  ...(unchanged > 0 ? [`${unchanged} roles and permissions are right already.`] : []),
  ...notes.map((note) => `Note: ${note}.`),
];

/** The plan for programs. */
export const planData = ({ account, steps, unchanged, notes }: AccountPlan) => ({
  account,
  steps: steps.map((step) => ('ref' in step ? { ...step, ref: `${step.ref.type}:${step.ref.value}` } : step)),
  unchanged,
  notes,
});
