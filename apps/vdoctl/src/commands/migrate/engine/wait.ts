import { sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { Scene } from './scene.ts';

const pollMs = 1_000;

/** Looks until `ask` gives true; DeadlineExceeded with what it said last. What was begun goes on in the cluster. */
export const waitUntil = async (
  { clock, signal, timeoutMs }: Pick<Scene, 'clock' | 'signal' | 'timeoutMs'>,
  what: string,
  ask: () => Promise<true | string>,
  say: (text: string) => void,
): Promise<void> => {
  const giveUpMs = clock.monotonicMs() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer === true) return;
    if (clock.monotonicMs() >= giveUpMs)
      throw new VdoError({
        code: 'DeadlineExceeded',
        message: `${what} was not reached within ${timeoutMs / 1000} s: ${answer}`,
        remedy: 'vdoctl status says more. Run the same command again to go on, or vdoctl migrate undo to go back.',
      });
    say(answer);
    await sleep(clock, pollMs, { signal });
  }
};
