import { sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { Scene } from './scene.ts';

const pollMs = 1_000;

/** Polls until `ask` gives true; DeadlineExceeded with its last answer. The operation continues in the cluster. */
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
        message: `waited ${timeoutMs / 1000} s for ${what}: ${answer}`,
        remedy:
          'Run vdoctl status for details. To continue, run the same command again. To undo, run vdoctl migrate undo.',
      });
    say(answer);
    await sleep(clock, pollMs, { signal });
  }
};
