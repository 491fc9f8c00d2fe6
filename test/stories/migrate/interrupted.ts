import { isReady } from '@vdo/config/api/health';
import { persistentVolumes } from '@vdo/kube/types/core';
import { createKillPoints, type KillPoint } from '@vdo/operator/testing/kill-points';
import type { Migration } from '@vdo/vdoctl/commands/migrate/engine/migration';
import { readRecord } from '@vdo/vdoctl/commands/migrate/engine/record';
import { expect } from 'vitest';
import { createMigrationHouse, goForward, type MigrationHouse, wantedState } from './migration-house.ts';

export interface Crossing {
  readonly migration: Migration;
  readonly seed: (house: MigrationHouse) => Promise<void>;
}

type State = ReturnType<typeof wantedState>;
const never = new AbortController().signal;
const noWord = () => {};
const isWrite = (moment: string): boolean => /, (POST|PUT|PATCH|DELETE) /.test(moment);

const reachesTheEnd = async (house: MigrationHouse, migration: Migration): Promise<void> => {
  const left = await house.settle(goForward(house, migration));
  expect(left.filter(({ state }) => state !== 'done').map(({ id }) => id)).toEqual([]);
  expect(isReady(await house.drivers())).toBe(true);
  expect((await house.kube.list(persistentVolumes)).items).toHaveLength(2);
};

const returns = async (house: MigrationHouse, migration: Migration, before: State): Promise<void> => {
  // Whoever was interrupted before the record was written has changed nothing but the Secret of the backup.
  const begun = await readRecord(house.kube, never);
  if (!begun) await house.settle(goForward(house, migration));
  const left = await house.settle(house.vdoctl(migration).back(noWord));
  expect(left.filter(({ state }) => state !== 'done').map(({ id }) => id)).toEqual([]);
  expect(wantedState(house)).toEqual(before);
};

/** Every state that an interrupted vdoctl may leave behind on the way there, or on the way back. */
const enumerate = async ({ migration, seed }: Crossing, way: 'forward' | 'back') => {
  const killPoints = createKillPoints('vdoctl');
  const house = await createMigrationHouse();
  await seed(house);
  const before = wantedState(house);
  if (way === 'back') await house.settle(goForward(house, migration));
  killPoints.watch(house);
  const { wire } = killPoints;
  if (way === 'forward') await house.settle(goForward(house, migration, { wire }));
  else await house.settle(house.vdoctl(migration, { wire }).back(noWord));
  const { points } = killPoints.finish();
  await house.stop();
  return { before, points: points.filter(({ moments }) => moments.some(isWrite)) };
};

const tryFrom = async ({ state, moments }: KillPoint, what: string, work: (house: MigrationHouse) => Promise<void>) => {
  const house = await createMigrationHouse(state);
  try {
    await work(house);
  } catch (error) {
    throw new Error(`${what}, interrupted ${moments.filter(isWrite).join('; or ')}`, { cause: error });
  } finally {
    await house.stop();
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
    await tryFrom(point, 'goes on', (house) => reachesTheEnd(house, migration));
    await tryFrom(point, 'turns round', (house) => returns(house, migration, there.before));
  }
  for (const [index, point] of back.points.entries()) {
    if (!take(index, 'back')) continue;
    await tryFrom(point, 'goes on back', async (house) => {
      // The very last writes forget the migration: then there is nothing left to do.
      if (await readRecord(house.kube, never)) await house.settle(house.vdoctl(migration).back(noWord));
      const { ['/secrets kube-system/vdo-migration']: _, ...rest } = wantedState(house);
      expect(rest).toEqual(back.before);
    });
  }
  return { there: there.points.length, back: back.points.length };
};
