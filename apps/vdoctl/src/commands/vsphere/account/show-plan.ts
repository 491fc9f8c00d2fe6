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
      return [
        step.action,
        step.object,
        `${step.role}, ${step.propagate ? 'propagating' : 'not propagating'}`,
        step.reason,
      ];
    case 'remove-permission':
      return [step.action, step.object, step.role, step.reason];
  }
};

/** Describes a step in a few words. */
export const stepText = (step: Step): string => {
  const [action = '', object = '', what = ''] = rowOf(step);
  return `${action.replace('-', ' ')} ${object}${what === '' ? '' : ` (${what})`}`;
};

/** The plan as text. */
export const planLines = ({ account, steps, unchanged, notes }: AccountPlan): readonly string[] => [
  ...(steps.length === 0
    ? [`${account} has all required permissions. No changes.`]
    : alignRows([
        ['ACTION', 'OBJECT', 'WHAT', 'WHY'],
        ...steps.map(rowOf).map((row) => row.map((cell) => cell || '-')),
      ])),
  ...(unchanged > 0 ? [`${unchanged} roles and permissions are already correct.`] : []),
  ...notes.map((note) => `Note: ${note}.`),
];

/** The plan for JSON and YAML. */
export const planData = ({ account, steps, unchanged, notes }: AccountPlan) => ({
  account,
  steps: steps.map((step) => ('ref' in step ? { ...step, ref: `${step.ref.type}:${step.ref.value}` } : step)),
  unchanged,
  notes,
});
