import { expect } from 'vitest';
import { createKillPoints } from './kill-points.ts';
import { both } from './native-releases.ts';
import { account, createSimTestbed, type SimTestbed } from './sim-testbed.ts';

/** Until both drivers run in this release, and the status says so. */
export const runs = (testbed: SimTestbed, version: string): Promise<unknown> =>
  testbed.until(`both drivers at ${version}`, async () => {
    const status = (await testbed.drivers())?.status;
    const isReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
    const drivers = (status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
    return isReady && drivers.length === 2 && drivers.every((driver) => driver.version === version && !driver.target);
  });

export interface Scenario {
  /** How the pods of both testbeds behave; they are no part of the state. */
  readonly behave?: (testbed: SimTestbed) => void;
  /** Before anything counts. */
  readonly before: (testbed: SimTestbed) => Promise<void>;
  /** What starts the work that is interrupted. */
  readonly begin: (testbed: SimTestbed) => Promise<unknown>;
  /** Waits for the end of the work, and looks at it. */
  readonly ends: (testbed: SimTestbed) => Promise<void>;
}

const enumerate = async ({ behave, before, begin, ends }: Scenario) => {
  const killPoints = createKillPoints('operator-1');
  const testbed = await createSimTestbed({ wire: killPoints.wire, start: false });
  await testbed.joinNode('node-1');
  await testbed.putSecret(account);
  await testbed.publish(1, both('1.0.0'));
  testbed.start('operator-1');
  await before(testbed);
  behave?.(testbed);
  await begin(testbed);
  killPoints.watch(testbed);
  await ends(testbed);
  const found = killPoints.finish();
  await testbed.stop();
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
    const testbed = await createSimTestbed({ resume: state, start: false });
    scenario.behave?.(testbed);
    testbed.start('operator-2');
    await scenario.ends(testbed).catch((error) => {
      throw new Error(`killed ${moments.join('; or ')}`, { cause: error });
    });
    await testbed.stop();
  }
  return points.length;
};
