import { destructiveCalls, type HasDestructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import type { Attempt } from '../attempt.ts';
import type { Answer } from '../evidence.ts';
import { perform } from '../internal/perform.ts';
import { actRefused } from '../internal/refusals.ts';
import { isTrialName, trialDescription } from './trial-marks.ts';

/** Deletes a tag category that was created to test a vCenter, with its tags. False if there is none. */
export const deleteTrialCategory = (
  attempt: Attempt,
  tags: {
    readonly vcenter: HasDestructiveCalls;
    readonly id: string;
    readonly category: Answer<{ readonly name: string; readonly description: string } | undefined>;
  },
): Promise<boolean> => {
  const { vcenter, id, category } = tags;
  if (!category.value) throw actRefused('delete tag category', id, 'vCenter does not list it');
  const { name, description } = category.value;
  if (!isTrialName(name) || description !== trialDescription)
    throw actRefused(
      'delete tag category',
      id,
      `its name is ${name}, and its description does not mark it as made for a trial`,
    );
  return perform(attempt, [category], ({ beforeSend: assertHeld, signal }) =>
    destructiveCalls(vcenter).deleteTagCategory(id, { fence: { assertHeld }, ...(signal ? { signal } : {}) }),
  );
};
