import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps } from '@vdo/kube/types/core';
import { csiDrivers } from '@vdo/kube/types/storage';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import type { Release } from '@vdo/releases/matrix';
import { describe, expect, it } from 'vitest';
import { createKillPoints } from './testing/kill-points.ts';
import { account, createSimHouse, namespace, type SimHouse } from './testing/sim-house.ts';

const release = (driver: 'cpi' | 'csi', version: string): Release => ({
  driver,
  distribution: 'Native',
  version,
  kubernetes: { min: '1.28', max: '1.37' },
  vsphere: { min: '6.7.3', max: '9.0' },
  layout: `native-${driver}-1`,
  images: { vdo: { repository: 'vdo/vdo', tag: version } },
});
const both = (...versions: readonly string[]) =>
  versions.flatMap((version) => [release('cpi', version), release('csi', version)]);
const spec = { updates: { matrix: { configMap: { name: 'matrix' } } } };

const runs = (house: SimHouse, version: string) =>
  house.until(`both drivers at ${version}`, async () => {
    const status = (await house.drivers())?.status;
    const isReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
    const drivers = (status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
    return isReady && drivers.length === 2 && drivers.every((driver) => driver.version === version && !driver.target);
  });

const installed = async (house: SimHouse) => {
  await house.describe(spec);
  await runs(house, '1.0.0');
};

interface Scenario {
  /** Before anything counts. */
  readonly before: (house: SimHouse) => Promise<void>;
  /** What starts the work that is interrupted. */
  readonly begin: (house: SimHouse) => Promise<unknown>;
  /** Waits for the end of the work, and looks at it. */
  readonly ends: (house: SimHouse) => Promise<void>;
}

const scenarios: Readonly<Record<string, Scenario>> = {
  installing: {
    before: async () => undefined,
    begin: (house) => house.describe(spec),
    ends: async (house) => {
      await runs(house, '1.0.0');
      expect((await house.kube.list(deployments, { namespace })).items).toHaveLength(2);
      expect((await house.kube.list(daemonSets, { namespace })).items).toHaveLength(1);
    },
  },
  upgrading: {
    before: installed,
    begin: (house) => house.publish(2, both('1.0.0', '1.0.1')),
    ends: async (house) => {
      await runs(house, '1.0.1');
    },
  },
  uninstalling: {
    before: installed,
    begin: (house) => house.kube.delete(vsphereDrivers, { name: 'cluster' }),
    ends: async (house) => {
      await house.until('the resource to go', async () => (await house.drivers()) === undefined);
      for (const resource of [deployments, daemonSets])
        expect((await house.kube.list(resource, { namespace })).items).toEqual([]);
      expect((await house.kube.list(csiDrivers)).items).toEqual([]);
      const maps = (await house.kube.list(configMaps, { namespace })).items.map(({ metadata }) => metadata.name);
      expect(maps.filter((name) => name?.startsWith('vdo-'))).toEqual([]);
    },
  },
};

const enumerate = async ({ before, begin, ends }: Scenario) => {
  const killPoints = createKillPoints('operator-1');
  const house = await createSimHouse({ wire: killPoints.wire, start: false });
  await house.joinNode('node-1');
  await house.putSecret(account);
  await house.publish(1, both('1.0.0'));
  house.start('operator-1');
  await before(house);
  await begin(house);
  killPoints.watch(house);
  await ends(house);
  const found = killPoints.finish();
  await house.stop();
  return found;
};

/** The states hold the cluster alone: a vCenter that were changed would have to be in them. */
const changesNoVCenter =
  /^(GET|POST|PUT|PATCH|DELETE) |^(Login|Logout|CurrentTime|Retrieve\w+|FindAll\w+|HasPrivilege\w+)$/;

describe.each(Object.entries(scenarios))('an operator that is killed while %s', (_name, scenario) => {
  it('is followed by one that finishes the work, at every call', { timeout: 600_000 }, async () => {
    const { calls, points } = await enumerate(scenario);
    expect(calls.length).toBeGreaterThan(100);
    expect(calls.filter((call) => !changesNoVCenter.test(call))).toEqual([]);
    expect(points.flatMap(({ moments }) => moments)).toHaveLength(2 * calls.length);
    expect(points.length).toBeGreaterThan(30);
    for (const { state, moments } of points) {
      const house = await createSimHouse({ resume: state, start: false });
      house.start('operator-2');
      await scenario.ends(house).catch((error) => {
        throw new Error(`killed ${moments.join('; or ')}`, { cause: error });
      });
      await house.stop();
    }
  });
});
