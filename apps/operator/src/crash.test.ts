import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps } from '@vdo/kube/types/core';
import { csiDrivers } from '@vdo/kube/types/storage';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { both } from './testing/native-releases.ts';
import { namespace, type SimTestbed } from './testing/sim-testbed.ts';
import { runs, type Scenario, survivesEveryKill } from './testing/survive-kills.ts';

const spec = { updates: { matrix: { configMap: { name: 'matrix' } } } };

const installed = async (testbed: SimTestbed) => {
  await testbed.describe(spec);
  await runs(testbed, '1.0.0');
};

const scenarios: Readonly<Record<string, Scenario>> = {
  installing: {
    before: async () => undefined,
    begin: (testbed) => testbed.describe(spec),
    ends: async (testbed) => {
      await runs(testbed, '1.0.0');
      expect((await testbed.kube.list(deployments, { namespace })).items).toHaveLength(2);
      expect((await testbed.kube.list(daemonSets, { namespace })).items).toHaveLength(1);
    },
  },
  upgrading: {
    before: installed,
    begin: (testbed) => testbed.publish(2, both('1.0.0', '1.0.1')),
    ends: async (testbed) => {
      await runs(testbed, '1.0.1');
    },
  },
  uninstalling: {
    before: installed,
    begin: (testbed) => testbed.kube.delete(vsphereDrivers, { name: 'cluster' }),
    ends: async (testbed) => {
      await testbed.until('the resource to go', async () => (await testbed.drivers()) === undefined);
      for (const resource of [deployments, daemonSets])
        expect((await testbed.kube.list(resource, { namespace })).items).toEqual([]);
      expect((await testbed.kube.list(csiDrivers)).items).toEqual([]);
      const maps = (await testbed.kube.list(configMaps, { namespace })).items.map(({ metadata }) => metadata.name);
      expect(maps.filter((name) => name?.startsWith('vdo-'))).toEqual([]);
    },
  },
};

describe.each(Object.entries(scenarios))('an operator that is killed while %s', (_name, scenario) => {
  it('is followed by one that finishes the work, at every call', { timeout: 600_000 }, async () => {
    await survivesEveryKill(scenario);
  });
});
