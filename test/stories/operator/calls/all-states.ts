import { checkStates } from './check-states.ts';
import type { State } from './measure.ts';
import { rareStates } from './more-states.ts';
import { type CallsRow, shorten } from './page.ts';
import { rolloutStates } from './rollout-states.ts';
import { serverStates } from './server-states.ts';
import { commonStates } from './states.ts';

/** Every state that is measured. */
export const allStates: readonly State[] = [
  ...commonStates,
  ...rareStates,
  ...rolloutStates,
  ...serverStates,
  ...checkStates,
];

/** The rows that the page has of them. */
export const reportedRows: readonly Pick<CallsRow, 'state' | 'bound'>[] = shorten(
  allStates.map(([state, bound]) => ({ state, bound, perMinute: 0 })),
).map(({ state, bound }) => ({ state, bound }));
