import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { persistentVolumes } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { namespace, type SimHouse } from '@vdo/operator/testing/sim-house';
import { runs, type Scenario, survivesEveryKill } from '@vdo/operator/testing/survive-kills';
import { describe, expect, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';

const native = { name: 'vsphere-csi-controller', namespace };
const upstream = { name: 'vsphere-csi-controller', namespace: 'vmware-system-csi' };
const images = { registry: 'registry.example' };
const readable = both('1.1.0').map((one) => ({ ...one, downgradeTo: { min: '1.0.0' } }));

const isReady = (house: SimHouse) => house.becomes('Ready', 'True', 'AllReady', 6_000);
const storage = async (house: SimHouse) =>
  (await house.drivers())?.status?.drivers?.find(({ kind }) => kind === 'CSI')?.distribution;
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
const installedNative = async (house: SimHouse) => {
  await house.describe({ images });
  await isReady(house);
};

const scenarios: Readonly<Record<string, Scenario>> = {
  'rolling back': {
    before: async (house) => {
      await house.describe({ updates: fromConfigMap });
      await runs(house, '1.0.0');
      await house.publish(2, [...both('1.0.0'), ...readable]);
      await runs(house, '1.1.0');
    },
    begin: (house) =>
      house.describe({ updates: { ...fromConfigMap, policy: 'Pinned', versions: { cpi: '1.0.0', csi: '1.0.0' } } }),
    ends: async (house) => {
      await runs(house, '1.0.0');
      expect(await house.condition('Stalled')).toMatchObject({ status: 'False' });
    },
  },
  'switching the distribution': {
    before: installedNative,
    begin: (house) => house.describe({ distribution: 'Upstream', images }),
    ends: async (house) => {
      await house.until('the switch', async () => (await storage(house)) === 'Upstream', 6_000);
      await isReady(house);
      expect(await house.kube.find(deployments, native)).toBeUndefined();
      expect(await house.kube.find(deployments, upstream)).toBeDefined();
    },
  },
  'a switch fails': {
    behave: (house) => house.stubs.behave('csi-vsphere/driver', 'unready'),
    before: installedNative,
    begin: (house) => house.describe({ distribution: 'Upstream', images, updates: { progressDeadline: '1m' } }),
    ends: async (house) => {
      await house.becomes('Ready', 'False', 'ReleaseRolledBack', 24_000);
      await house.until('the failed one to go', async () => !(await house.kube.find(deployments, upstream)), 6_000);
      expect(await storage(house)).toBe('Native');
      expect((await house.kube.get(deployments, native)).status?.readyReplicas).toBe(1);
      expect(await house.condition('Available')).toMatchObject({ status: 'True' });
    },
  },
  'leaving volumes behind': {
    before: async (house) => {
      await installedNative(house);
      await house.kube.create(persistentVolumes, volume);
      await house.describe({ images, deletionPolicy: 'Orphan' });
      await isReady(house);
    },
    begin: (house) => house.kube.delete(vsphereDrivers, { name: 'cluster' }),
    ends: async (house) => {
      await house.until('the resource to go', async () => (await house.drivers()) === undefined);
      expect((await house.kube.list(persistentVolumes)).items).toHaveLength(1);
      expect((await house.kube.list(deployments, { namespace })).items).toEqual([]);
    },
  },
};

// Issue 19: interrupted anywhere, the way back has one end.
describe.each(Object.entries(scenarios))('an operator that is killed while %s', (name, scenario) => {
  it('is followed by one that comes to the same end, at every call', { timeout: 3_600_000 }, async () => {
    console.log(`${name}: ${await survivesEveryKill(scenario)} states`);
  });
});
