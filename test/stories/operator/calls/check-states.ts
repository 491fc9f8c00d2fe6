import { allChecks } from '@vdo/checks/all-checks';
import type { Check } from '@vdo/checks/check';
import { account, openOperatorStory } from '../operator-world.ts';
import { broken, type State } from './measure.ts';

/** All checks, of which one finds fault with the cluster. */
const withFailing = (failing: Check, when: () => boolean): readonly Check[] =>
  allChecks.map((check) =>
    check.id === failing.id
      ? {
          ...check,
          judge: (facts) =>
            when()
              ? [
                  {
                    result: check.action === 'None' ? 'Warn' : 'Fail',
                    reason: 'Internal',
                    message: 'made to fail',
                    remedy: 'Do not.',
                    object: { kind: 'VSphereDrivers', name: 'cluster' },
                  },
                ]
              : check.judge(facts),
        }
      : check,
  );

const failingBefore = (check: Check): State => [
  `${check.id} fails before the first installation`,
  broken,
  async () => {
    const story = await openOperatorStory({ checks: withFailing(check, () => true) });
    story.start();
    await story.putSecret(account);
    await story.describe();
    return story;
  },
];

const failingAfter = (check: Check): State => [
  `${check.id} fails while the drivers run`,
  broken,
  async () => {
    let fails = false;
    const story = await openOperatorStory({ checks: withFailing(check, () => fails) });
    story.start();
    await story.install();
    fails = true;
    await story.describe({}, { 'vdo.vmware.com/run-checks': 'now' });
    return story;
  },
];

/** Each check of packages/checks, before and after an installation. */
export const checkStates: readonly State[] = allChecks.flatMap((check) => [failingBefore(check), failingAfter(check)]);
