import { accountSteps } from './account-steps.ts';
import type { Migration, Station } from './migration.ts';
import { operatorStep } from './operator-steps.ts';
import { driversStep, resourceStep } from './resource-steps.ts';
import type { Scene } from './scene.ts';
import type { Phase } from './step.ts';

/** The steps of a migration, built from the state of the cluster. Building them changes nothing. */
export const phasesOf = (scene: Scene, { source: from }: Migration, station: Station): readonly Phase[] => {
  const { facts, source, record, back } = station;
  const before = record?.before;
  const ways = back ? { back } : {};
  return [
    ...source.first(scene, facts, before),
    [operatorStep(scene, facts, before)],
    accountSteps(scene, facts, source.accounts, before),
    [resourceStep(scene, facts, { record, source: from, ...ways })],
    [
      driversStep(scene, facts, {
        what: 'wait until the operator has taken over the drivers',
        ...ways,
        ...(before ? { hadResource: before.hadResource } : {}),
      }),
    ],
    ...source.last(scene, facts, before),
  ];
};
