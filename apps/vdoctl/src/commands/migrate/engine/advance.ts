import { VdoError } from '@vdo/base/vdo-error';
import { type Phase, type Turn, turnsOf, type Way } from './step.ts';

export interface Journey {
  readonly way: Way;
  /** Reads the cluster and builds the steps from it. */
  readonly observe: () => Promise<{ readonly phases: readonly Phase[]; readonly confirmed: readonly string[] }>;
  readonly say: (text: string) => void;
}

/**
 * Runs the next steps of vdoctl, one after the other, and reads the cluster again before each step. So a migration can be
 * interrupted and continued from another machine. Stops where the user has to act, or at the end.
 */
export const advance = async ({ way, observe, say }: Journey): Promise<readonly Turn[]> => {
  let last: Turn | undefined;
  for (;;) {
    const { phases, confirmed } = await observe();
    const turns = turnsOf(phases, way, confirmed);
    const next = turns.find(({ state, perform }) => state === 'due' && perform !== undefined);
    if (!next?.perform) return turns;
    if (next.id === last?.id)
      throw new VdoError({
        code: 'ActRefused',
        message: `the step "${next.what}" ran, but its result is not visible in the cluster: another program seems to revert it`,
        remedy:
          'Find out which program changes these objects; see their managedFields. Then run the same command again.',
      });
    say(next.what);
    await next.perform(say);
    last = next;
  }
};
