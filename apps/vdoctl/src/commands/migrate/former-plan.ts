import type { FormerFacts } from './former-facts.ts';
import {
  driversStep,
  inOrder,
  type MigratedAccount,
  type MigrationPlan,
  operatorStep,
  resourceStep,
  type StepDraft,
  secretSteps,
} from './migration-step.ts';

const kinds = ['vdoconfigs', 'vspherecloudconfigs', 'compatibilityconfigs'].map((kind) => `${kind}.vdo.vmware.com`);

const stopStep = ({ operatorIn }: FormerFacts): StepDraft => ({
  what: 'stop upstream VDO, which would undo what its successor does; the drivers run on',
  where: operatorIn ?? 'cluster',
  who: 'you',
  isDone: operatorIn === undefined,
  commands: [`kubectl -n ${operatorIn} delete deployment vdo-controller-manager`],
});

const tidyStep: StepDraft = {
  what: 'remove the kinds of upstream VDO, which nobody reads any more',
  where: 'cluster',
  who: 'you',
  // Without them there is nothing to migrate.
  isDone: false,
  commands: [`kubectl delete crd ${kinds.join(' ')} --ignore-not-found`],
};

/** The way from upstream VDO, in order, and how far it is. Pure. */
export const planFormer = (input: {
  readonly facts: FormerFacts;
  readonly namespace: string;
  readonly secretName: string;
  readonly accounts: readonly MigratedAccount[];
}): MigrationPlan => {
  const { facts } = input;
  return {
    steps: inOrder([
      [stopStep(facts)],
      [operatorStep(facts.hasDefinition)],
      [...secretSteps({ ...input, source: 'upstream VDO' }), resourceStep(facts.resource, 'the VDOConfig')],
      [driversStep(facts.resource, 'wait until the operator has taken the drivers over')],
      [tidyStep],
    ]),
    blockers: [],
  };
};
