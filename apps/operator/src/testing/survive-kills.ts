import { expect } from 'vitest';
import { createKillPoints } from './kill-points.ts';
import { both } from './native-releases.ts';
import { account, createSimHouse, type SimHouse } from './sim-house.ts';

/** Until both drivers run in this release, and the status says so. */
export const runs = (house: SimHouse, version: string): Promise<unknown> =>
  house.until(`both drivers at ${version}`, async () => {
    const status = (await house.drivers())?.status;
    const isReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
    const drivers = (status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
    return isReady && drivers.length === 2 && drivers.every((driver) => driver.version === version && !driver.target);
  });

export interface Scenario {
  /** How the pods of both houses behave; they are no part of the state. */
  readonly behave?: (house: SimHouse) => void;
  /** Before anything counts. */
  readonly before: (house: SimHouse) => Promise<void>;
  /** What starts the work that is interrupted. */
  readonly begin: (house: SimHouse) => Promise<unknown>;
  /** Waits for the end of the work, and looks at it. */
  readonly ends: (house: SimHouse) => Promise<void>;
}

const enumerate = async ({ behave, before, begin, ends }: Scenario) => {
  const killPoints = createKillPoints('operator-1');
  const house = await createSimHouse({ wire: killPoints.wire, start: false });
  await house.joinNode('node-1');
  await house.putSecret(account);
  await house.publish(1, both('1.0.0'));
  house.start('operator-1');
  await before(house);
  behave?.(house);
  await begin(house);
  killPoints.watch(house);
  await ends(house);
  const found = killPoints.finish();
  await house.stop();
  return found;
};

/** The states hold the cluster alone: a vCenter that were changed would have to be in them. What a watch makes ends with its session. */
const changesNoVCenter =
  /^(GET|POST|PUT|PATCH|DELETE) |^(Login|Logout|CurrentTime|Retrieve\w+|FindAll\w+|HasPrivilege\w+|(Create|Modify|Destroy)(ListView|View|PropertyCollector|Filter)|WaitForUpdatesEx)$/;

/** Kills the operator before and after each of its calls: each time a successor must come to the same end. */
export const survivesEveryKill = async (scenario: Scenario): Promise<number> => {
  const { calls, points } = await enumerate(scenario);
  expect(calls.length).toBeGreaterThan(100);
  expect(calls.filter((call) => !changesNoVCenter.test(call))).toEqual([]);
  // Before and after each call; the long poll of the inventory may still be open at the end.
  expect([2 * calls.length, 2 * calls.length - 1]).toContain(points.flatMap(({ moments }) => moments).length);
  expect(points.length).toBeGreaterThan(20);
  for (const { state, moments } of points) {
    const house = await createSimHouse({ resume: state, start: false });
    scenario.behave?.(house);
    house.start('operator-2');
    await scenario.ends(house).catch((error) => {
      throw new Error(`killed ${moments.join('; or ')}`, { cause: error });
    });
    await house.stop();
  }
  return points.length;
};
