import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { persistentVolumes } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { namespace, type SimTestbed } from '@vdo/operator/testing/sim-testbed';
import { runs, type Scenario, survivesEveryKill } from '@vdo/operator/testing/survive-kills';
import { describe, expect, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';

const native = { name: 'vsphere-csi-controller', namespace };
const upstream = { name: 'vsphere-csi-controller', namespace: 'vmware-system-csi' };
const images = { registry: 'registry.example' };
const readable = both('1.1.0').map((one) => ({ ...one, downgradeTo: { min: '1.0.0' } }));

const isReady = (testbed: SimTestbed) => testbed.becomes('Ready', 'True', 'AllReady', 6_000);
const storage = async (testbed: SimTestbed) =>
  (await testbed.drivers())?.status?.drivers?.find(({ kind }) => kind === 'CSI')?.distribution;
const volume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv-1' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: 'volume-1' },
  },
};
const installedNative = async (testbed: SimTestbed) => {
  await testbed.describe({ images });
  await isReady(testbed);
};

const scenarios: Readonly<Record<string, Scenario>> = {
  'rolling back': {
    before: async (testbed) => {
      await testbed.describe({ updates: fromConfigMap });
      await runs(testbed, '1.0.0');
      await testbed.publish(2, [...both('1.0.0'), ...readable]);
      await runs(testbed, '1.1.0');
    },
    begin: (testbed) =>
      testbed.describe({ updates: { ...fromConfigMap, policy: 'Pinned', versions: { cpi: '1.0.0', csi: '1.0.0' } } }),
    ends: async (testbed) => {
      await runs(testbed, '1.0.0');
      expect(await testbed.condition('Stalled')).toMatchObject({ status: 'False' });
    },
  },
  'switching the distribution': {
    before: installedNative,
    begin: (testbed) => testbed.describe({ distribution: 'Upstream', images }),
    ends: async (testbed) => {
      await testbed.until('the switch', async () => (await storage(testbed)) === 'Upstream', 6_000);
      await isReady(testbed);
      expect(await testbed.kube.find(deployments, native)).toBeUndefined();
      expect(await testbed.kube.find(deployments, upstream)).toBeDefined();
    },
  },
  'a switch fails': {
    behave: (testbed) => testbed.stubs.behave('csi-vsphere/driver', 'unready'),
    before: installedNative,
    begin: (testbed) => testbed.describe({ distribution: 'Upstream', images, updates: { progressDeadline: '1m' } }),
    ends: async (testbed) => {
      await testbed.becomes('Ready', 'False', 'ReleaseRolledBack', 24_000);
      await testbed.until('the failed one to go', async () => !(await testbed.kube.find(deployments, upstream)), 6_000);
      expect(await storage(testbed)).toBe('Native');
      expect((await testbed.kube.get(deployments, native)).status?.readyReplicas).toBe(1);
      expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
    },
  },
  'leaving volumes behind': {
    before: async (testbed) => {
      await installedNative(testbed);
      await testbed.kube.create(persistentVolumes, volume);
      await testbed.describe({ images, deletionPolicy: 'Orphan' });
      await isReady(testbed);
    },
    begin: (testbed) => testbed.kube.delete(vsphereDrivers, { name: 'cluster' }),
    ends: async (testbed) => {
      await testbed.until('the resource to go', async () => (await testbed.drivers()) === undefined);
      expect((await testbed.kube.list(persistentVolumes)).items).toHaveLength(1);
      expect((await testbed.kube.list(deployments, { namespace })).items).toEqual([]);
    },
  },
};

// Issue 19: interrupted anywhere, the way back has one end.
describe.each(Object.entries(scenarios))('an operator that is killed while %s', (name, scenario) => {
  it('is followed by one that comes to the same end, at every call', { timeout: 3_600_000 }, async () => {
    console.log(`${name}: ${await survivesEveryKill(scenario)} states`);
  });
});
