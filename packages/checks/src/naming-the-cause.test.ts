import { expect, it } from 'vitest';
import type { CheckOutcome } from './check.ts';
import { namingTheCause } from './naming-the-cause.ts';

const outcome = (id: CheckOutcome['id'], more: Partial<CheckOutcome> = {}): CheckOutcome => ({
  id,
  result: 'Pass',
  reason: 'AsExpected',
  message: '',
  remedy: '',
  object: { kind: 'VCenter', name: 'vc' },
  action: 'None',
  ...more,
});
const unable = (id: CheckOutcome['id'], remedy: string) =>
  outcome(id, { result: 'Unknown', reason: 'DependsOnFailure', remedy });
const remediesOf = (outcomes: readonly CheckOutcome[]) => namingTheCause(outcomes).map(({ remedy }) => remedy);

it('follows the names to the check that fails, and leaves out those that passed', () => {
  const outcomes = [
    outcome('vcenter/answers'),
    outcome('credentials/login', { result: 'Fail', reason: 'VCenterLoginRejected', remedy: 'Correct the password.' }),
    unable('node/vm-found', 'See vcenter/answers and credentials/login.'),
    unable('node/addresses', 'See node/vm-found.'),
  ];
  expect(remediesOf(outcomes)).toEqual([
    '',
    'Correct the password.',
    'See credentials/login.',
    'See credentials/login.',
  ]);
});

it('keeps the text where no check fails, also of checks that name each other', () => {
  const outcomes = [
    unable('node/vm-found', 'See node/taint-stuck.'),
    unable('node/taint-stuck', 'See node/vm-found.'),
    unable('versions/cpi-skew', 'See the condition Ready.'),
  ];
  expect(remediesOf(outcomes)).toEqual(outcomes.map(({ remedy }) => remedy));
});

it('names every cause', () => {
  const failing = (id: CheckOutcome['id']) => outcome(id, { result: 'Fail', reason: 'X', remedy: 'do' });
  const outcomes = [
    failing('vcenter/answers'),
    failing('privileges/root'),
    unable('storage/volume-health', 'See vcenter/answers, credentials/login and privileges/root.'),
  ];
  expect(remediesOf(outcomes).at(-1)).toBe('See vcenter/answers and privileges/root.');
});
