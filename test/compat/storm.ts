import { setTimeout as sleep } from 'node:timers/promises';
import { createSeededRandom } from '@vdo/base/random';
import { expect } from 'vitest';
import type { LoggedProcess } from '../harness/process.ts';
import { openProcessTestbed } from './process-testbed.ts';
import { createWishes } from './storage-wishes.ts';

export interface StormOptions {
  readonly rounds: number;
  readonly claims: number;
  readonly seed: number;
  /** Told after each round. */
  readonly onRound?: (round: number) => void;
}

/**
 * Two controllers over sockets, on a real API server and a simulated vCenter. In each round some claims are made and others deleted, while
 * the controllers are stopped for a while (as a host that hangs does) and killed, as the seed says. Nothing may be lost, and in the end
 * everything is as wished.
 */
export const weatherStorm = async ({ rounds, claims, seed, onRound }: StormOptions): Promise<void> => {
  const testbed = await openProcessTestbed({ cluster: 'real', taskLatencyMs: 50 });
  const wishes = createWishes(testbed);
  const random = createSeededRandom(seed);
  const between = (from: number, to: number) => from + Math.floor(random.next() * (to - from));
  const replicas: LoggedProcess[] = [testbed.start('today'), testbed.start('today')];
  const alive = new Set<string>();
  const perRound = Math.max(1, Math.ceil(claims / rounds));
  let made = 0;

  const strike = async (): Promise<void> => {
    const index = between(0, replicas.length);
    const victim = replicas[index];
    if (!victim) return;
    if (random.next() < 0.5) {
      victim.kill('SIGSTOP');
      // Longer or shorter than the Lease lives.
      await sleep(between(200, 18_000));
      victim.kill('SIGCONT');
    } else {
      victim.kill('SIGKILL');
      await victim.exited;
      replicas[index] = testbed.start('today');
    }
  };

  try {
    for (let round = 1; round <= rounds; round++) {
      const due = Array.from({ length: Math.min(perRound, claims - made) }, () => {
        made += 1;
        return `storm-${made}`;
      });
      const striking = strike();
      for (const name of due) {
        await wishes.claim(name, made % 5 === 0 ? 'retain' : 'delete');
        alive.add(name);
      }
      const leaving = [...alive].filter((name) => !due.includes(name) && random.next() < 0.3);
      for (const name of leaving) {
        alive.delete(name);
        await wishes.remove(name);
      }
      await striking;
      expect(await wishes.lasting(), `round ${round} of seed ${seed}\n${testbed.logs()}`).toEqual([]);
      onRound?.(round);
    }
    for (const name of alive) await wishes.bound(name);
    await testbed.until('no disk without an owner', async () => (await wishes.strays()).length === 0, 300_000);
    expect(await wishes.lasting()).toEqual([]);
  } finally {
    await testbed.close();
  }
};
