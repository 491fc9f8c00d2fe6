import { expect } from 'vitest';
import type { Crossing } from './kill-points.ts';
import type { ProcessTestbed, Release } from './process-testbed.ts';
import type { createWishes } from './storage-wishes.ts';

const other = (release: Release): Release => (release === 'today' ? 'v0.1.0' : 'today');

/**
 * Everything is under way at once; the program dies at the chosen request, the other release takes over and must bring all of it to its
 * end, and then the first one comes back.
 */
export const crossOver = async (
  testbed: ProcessTestbed,
  wishes: ReturnType<typeof createWishes>,
  { point, dies, round }: Crossing & { readonly round: number },
): Promise<void> => {
  const name = (what: string) => `${what}-${round}`;
  const settled = async (who: string) =>
    expect(await wishes.lasting(), `${point.name}: ${dies} died, then ${who}\n${testbed.logs()}`).toEqual([]);
  // What is there before: a volume in use, one to be detached, one to be deleted, one to be kept.
  const first = testbed.start(dies);
  for (const what of ['used', 'leaving', 'doomed']) await wishes.claim(name(what), 'delete');
  await wishes.claim(name('kept'), 'retain');
  const used = await wishes.bound(name('used'));
  const leaving = await wishes.bound(name('leaving'));
  const doomed = await wishes.bound(name('doomed'));
  await wishes.attach(name('leaving'), leaving.metadata.name ?? '', round);
  await wishes.attached(name('leaving'));
  await wishes.retain(name('kept'));

  testbed.through(async (to, request, forward) => {
    const body = request.body === undefined ? '' : Buffer.from(request.body).toString();
    const isIt = first.exitCode() === undefined && to === point.to && point.matches({ ...request, body });
    if (!isIt) return forward(request);
    if (point.when === 'after') await forward(request);
    first.kill('SIGKILL');
    return new Promise<never>(() => {});
  });
  await Promise.all([
    wishes.claim(name('new'), 'delete'),
    wishes.attach(name('used'), used.metadata.name ?? '', round + 1),
    wishes.snapshot(name('used'), name('used')),
    wishes.remove(name('doomed')),
    wishes.detach(name('leaving')),
  ]);
  await testbed.until(`${first.name} to die at: ${point.name}`, async () => first.exitCode() !== undefined);
  testbed.through(undefined);
  await testbed.freeLeases();

  const second = testbed.start(other(dies));
  await wishes.bound(name('new'));
  await wishes.attached(name('used'));
  await wishes.taken(name('used'));
  await wishes.gone(doomed.metadata.name ?? '');
  await wishes.detached(name('leaving'));
  await settled(other(dies));
  second.kill('SIGKILL');
  await second.exited;
  await testbed.freeLeases();

  const third = testbed.start(dies);
  await wishes.claim(name('after'), 'delete');
  await wishes.bound(name('after'));
  await settled(`${dies} again`);
  third.kill('SIGKILL');
  await third.exited;
  await testbed.freeLeases();
};
