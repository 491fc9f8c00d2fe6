import { VdoError } from '@vdo/base/vdo-error';
import { type Phase, type Turn, turnsOf, type Way } from './step.ts';

export interface Journey {
  readonly way: Way;
  /** Reads the cluster, and makes the steps of what it shows. */
  readonly observe: () => Promise<{ readonly phases: readonly Phase[]; readonly confirmed: readonly string[] }>;
  readonly say: (text: string) => void;
}

/**
 * Carries out what is due, one step after the other, and looks at the cluster anew before each: whoever was interrupted, or
 * goes on from another workstation, is where the cluster is. Ends where a person has to act, or at the end.
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
        message: `the step "${next.what}" was carried out, and the cluster does not show it: somebody undoes it`,
        remedy:
          'Find out who else changes these objects: their managedFields name who. Then run the same command again.',
      });
    say(next.what);
    await next.perform(say);
    last = next;
  }
};
