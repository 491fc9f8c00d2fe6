import { isReady } from '@vdo/config/api/health';
import { persistentVolumes } from '@vdo/kube/types/core';
import { createKillPoints, type KillPoint } from '@vdo/operator/testing/kill-points';
import type { Migration } from '@vdo/vdoctl/commands/migrate/engine/migration';
import { readRecord } from '@vdo/vdoctl/commands/migrate/engine/record';
import { expect } from 'vitest';
import { createMigrationTestbed, goForward, type MigrationTestbed, wantedState } from './migration-testbed.ts';

export interface Crossing {
  readonly migration: Migration;
  readonly seed: (testbed: MigrationTestbed) => Promise<void>;
}

type State = ReturnType<typeof wantedState>;
const never = new AbortController().signal;
const noWord = () => {};
const isWrite = (moment: string): boolean => /, (POST|PUT|PATCH|DELETE) /.test(moment);

const reachesTheEnd = async (testbed: MigrationTestbed, migration: Migration): Promise<void> => {
  const left = await testbed.settle(goForward(testbed, migration));
  expect(left.filter(({ state }) => state !== 'done').map(({ id }) => id)).toEqual([]);
  expect(isReady(await testbed.drivers())).toBe(true);
  expect((await testbed.kube.list(persistentVolumes)).items).toHaveLength(2);
};

const returns = async (testbed: MigrationTestbed, migration: Migration, before: State): Promise<void> => {
  // Whoever was interrupted before the record was written has changed nothing but the Secret of the backup.
  const begun = await readRecord(testbed.kube, never);
  if (!begun) await testbed.settle(goForward(testbed, migration));
  const left = await testbed.settle(testbed.vdoctl(migration).back(noWord));
  expect(left.filter(({ state }) => state !== 'done').map(({ id }) => id)).toEqual([]);
  expect(wantedState(testbed)).toEqual(before);
};

/** Every state that an interrupted vdoctl may leave behind on the way there, or on the way back. */
const enumerate = async ({ migration, seed }: Crossing, way: 'forward' | 'back') => {
  const killPoints = createKillPoints('vdoctl');
  const testbed = await createMigrationTestbed();
  await seed(testbed);
  const before = wantedState(testbed);
  if (way === 'back') await testbed.settle(goForward(testbed, migration));
  killPoints.watch(testbed);
  const { wire } = killPoints;
  if (way === 'forward') await testbed.settle(goForward(testbed, migration, { wire }));
  else await testbed.settle(testbed.vdoctl(migration, { wire }).back(noWord));
  const { points } = killPoints.finish();
  await testbed.stop();
  return { before, points: points.filter(({ moments }) => moments.some(isWrite)) };
};

const tryFrom = async (
  { state, moments }: KillPoint,
  what: string,
  work: (testbed: MigrationTestbed) => Promise<void>,
) => {
  const testbed = await createMigrationTestbed(state);
  try {
    await work(testbed);
  } catch (error) {
    throw new Error(`${what}, interrupted ${moments.filter(isWrite).join('; or ')}`, { cause: error });
  } finally {
    await testbed.stop();
  }
};

/** Interrupts vdoctl before and after each of its writes. On the way there it may go on or turn round; on the way back it goes on. */
export const survivesInterruption = async (
  crossing: Crossing,
  take: (index: number, way: 'there' | 'back') => boolean = () => true,
) => {
  const { migration } = crossing;
  const there = await enumerate(crossing, 'forward');
  const back = await enumerate(crossing, 'back');
  for (const [index, point] of there.points.entries()) {
    if (!take(index, 'there')) continue;
    await tryFrom(point, 'goes on', (testbed) => reachesTheEnd(testbed, migration));
    await tryFrom(point, 'turns round', (testbed) => returns(testbed, migration, there.before));
  }
  for (const [index, point] of back.points.entries()) {
    if (!take(index, 'back')) continue;
    await tryFrom(point, 'goes on back', async (testbed) => {
      // The very last writes forget the migration: then there is nothing left to do.
      if (await readRecord(testbed.kube, never)) await testbed.settle(testbed.vdoctl(migration).back(noWord));
      const { ['/secrets kube-system/vdo-migration']: _, ...rest } = wantedState(testbed);
      expect(rest).toEqual(back.before);
    });
  }
  return { there: there.points.length, back: back.points.length };
};
