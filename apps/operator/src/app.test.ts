import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps, type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { csiDrivers } from '@vdo/kube/types/storage';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimHouse, namespace, type SimHouse } from './testing/sim-house.ts';

const ourVolume: PersistentVolume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv-1' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: 'h' },
  },
};
const csiController = { name: 'vsphere-csi-controller', namespace };

describe('the operator on a simulated cluster and vCenter', () => {
  let house: SimHouse;
  beforeEach(async () => {
    house = await createSimHouse();
    await house.joinNode('node-1');
  });
  afterEach(() => house.stop());

  const installed = async () => {
    await house.putSecret(account);
    await house.describe();
    return house.becomes('Ready', 'True', 'AllReady');
  };
  const logins = (result: string) =>
    house.vsphere.recorder.calls().filter((call) => call.method === 'Login' && call.result === result).length;

  it('installs both drivers from the minimal resource, with one login and a status that says so', async () => {
    await installed();
    expect(logins('ok')).toBe(1);
    const status = (await house.drivers())?.status;
    expect(status?.drivers).toMatchObject([
      { kind: 'CPI', version: '0.1.0', controllers: { desired: 1, ready: 1 } },
      { kind: 'CSI', version: '0.1.0', controllers: { desired: 1, ready: 1 }, nodes: { desired: 1, ready: 1 } },
      { kind: 'CNI', distribution: 'unknown', nodes: { desired: 1, ready: 1 } },
    ]);
    expect(status?.versions).toMatchObject({ kubernetes: 'v1.34.4', operator: '0.1.0' });
    const config = await house.kube.get(configMaps, { name: 'vsphere-config', namespace });
    expect(JSON.stringify(config)).not.toContain(account.password);
  });

  it('runs storage alone if spec.cpi is absent', async () => {
    await house.putSecret(account);
    await house.describe({ cpi: undefined });
    await house.becomes('Ready', 'True', 'AllReady');
    expect(await house.kube.find(deployments, { name: 'vsphere-cloud-controller-manager', namespace })).toBeUndefined();
  });

  it('shows a missing Secret and goes on by itself when it is there', async () => {
    await house.describe();
    const shown = await house.becomes('CredentialsValid', 'False', 'SecretMissing');
    expect(shown.message).toContain('kubectl -n vmware-system-vdo create secret generic vcenter');
    expect(await house.condition('VCenterReachable')).toMatchObject({ status: 'True' });
    expect(await house.warnings()).toMatchObject([{ reason: 'SecretMissing', message: shown.message }]);
    await house.putSecret(account);
    await house.becomes('Ready', 'True', 'AllReady');
  });

  it('tries a wrong password once, however long it stays, and the right one at once', async () => {
    await house.putSecret({ ...account, password: 'also-obviously-fake' });
    await house.describe();
    await house.until('the rejection to be told', async () =>
      (await house.warnings()).some(({ reason }) => reason === 'VCenterLoginRejected'),
    );
    await house.clock.advance(10 * 60_000);
    expect(logins('ok')).toBe(0);
    expect(logins('InvalidLogin')).toBe(1);
    expect(await house.condition('Stalled')).toMatchObject({ status: 'True' });
    expect(await house.kube.find(deployments, csiController)).toBeUndefined();
    await house.putSecret(account);
    await house.becomes('Ready', 'True', 'AllReady');
  });

  it('shows an unreachable vCenter, touches nothing that runs, and recovers by itself', async () => {
    await installed();
    const before = await house.kube.get(deployments, csiController);
    house.network.up = false;
    await house.clock.advance(6 * 60_000);
    expect(await house.condition('VCenterReachable')).toMatchObject({ status: 'False', reason: 'VCenterUnreachable' });
    expect(await house.condition('Available')).toMatchObject({ status: 'True' });
    expect((await house.kube.get(deployments, csiController)).metadata.resourceVersion).toBe(
      before.metadata.resourceVersion,
    );
    house.network.up = true;
    await house.becomes('Ready', 'True', 'AllReady');
  });

  it('shows missing RBAC with the rule to add, and goes on when it is granted', async () => {
    const grant = house.kubeSim.faults.add({
      match: { resource: 'csidrivers', verb: 'patch' },
      effect: { kind: 'deny' },
    });
    await house.putSecret(account);
    await house.describe();
    const shown = await house.becomes('Ready', 'False', 'KubeForbidden');
    expect(shown.message).toContain('csidrivers');
    expect(await house.warnings()).toMatchObject([{ reason: 'KubeForbidden' }]);
    grant();
    await house.becomes('Ready', 'True', 'AllReady');
  });

  it('says why no release fits', async () => {
    await house.putSecret(account);
    await house.describe({ updates: { policy: 'Pinned', versions: { cpi: '9.9.9', csi: '9.9.9' } } });
    expect((await house.becomes('Stalled', 'True', 'NoCompatibleRelease')).message).toContain('9.9.9');
  });

  it('repairs what somebody deletes or changes, and says what it was', async () => {
    await installed();
    await house.kube.delete(daemonSets, { name: 'vsphere-csi-node', namespace });
    await house.until('the DaemonSet to be back', () =>
      house.kube.find(daemonSets, { name: 'vsphere-csi-node', namespace }),
    );
    await house.kube.patch(deployments, csiController, { type: 'merge', body: { spec: { replicas: 5 } } });
    await house.until(
      'the Deployment to be as specified',
      async () => (await house.kube.get(deployments, csiController)).spec.replicas === 1,
    );
    const told = await house.until('both events', async () => {
      const repairs = (await house.events()).filter(({ reason }) => reason === 'DriftRepaired');
      return repairs.length === 2 && repairs.map(({ message }) => message);
    });
    expect(told).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^DaemonSet .*vsphere-csi-node had been deleted and was created again\.$/),
        expect.stringMatching(
          /^Deployment .*vsphere-csi-controller had been changed by \S+ and was put back: \.spec\.replicas\.$/,
        ),
      ]),
    );
  });

  it('stays while volumes exist, goes with all it made when they are gone, and logs out', async () => {
    await installed();
    await house.kube.create(persistentVolumes, ourVolume);
    await house.kube.delete(vsphereDrivers, { name: 'cluster' });
    expect((await house.becomes('Ready', 'False', 'VolumesInUse')).message).toContain('pv-1');
    await house.kube.delete(persistentVolumes, { name: 'pv-1' });
    await house.until('the resource to go', async () => (await house.drivers()) === undefined);
    expect((await house.kube.list(deployments, { namespace })).items).toEqual([]);
    expect((await house.kube.list(csiDrivers)).items).toEqual([]);
    expect(house.vsphere.recorder.count('Logout')).toBe(1);
  });

  it('does not take storage away from volumes if spec.csi is removed', async () => {
    await installed();
    await house.kube.create(persistentVolumes, ourVolume);
    await house.describe({ csi: undefined });
    const shown = await house.becomes('Stalled', 'True', 'VolumesInUse');
    expect(shown.message).toContain('Put spec.csi back');
    expect((await house.drivers())?.status?.drivers?.map(({ kind }) => kind)).toContain('CSI');
    expect(await house.condition('StorageReady')).toMatchObject({ status: 'True' });
    expect(await house.kube.find(deployments, csiController)).toBeDefined();
    await house.kube.delete(persistentVolumes, { name: 'pv-1' });
    await house.until(
      'storage to go',
      async () => (await house.kube.find(deployments, csiController)) === undefined,
      3_600,
    );
  });

  it('goes on keeping the drivers while volumes hold up a deletion, and says the one thing to do', async () => {
    await installed();
    await house.kube.create(persistentVolumes, ourVolume);
    await house.kube.delete(vsphereDrivers, { name: 'cluster' });
    const shown = await house.becomes('Stalled', 'True', 'VolumesInUse');
    expect(shown.message).toContain('"deletionPolicy":"Orphan"');
    await house.kube.delete(deployments, csiController);
    await house.until('the repair', () => house.kube.find(deployments, csiController), 3_600);
    expect(await house.condition('VCenterReachable')).toMatchObject({ status: 'True' });
    expect((await house.drivers())?.status?.drivers?.map(({ kind }) => kind)).toContain('CSI');
  });

  it('says which right is missing even if it cannot watch', async () => {
    house.kubeSim.faults.add({ match: { resource: 'clusterroles' }, effect: { kind: 'deny' } });
    house.operators[0]?.kill();
    await house.clock.advance(30_000);
    house.start('operator-2');
    await house.putSecret(account);
    await house.describe();
    expect((await house.becomes('Ready', 'False', 'KubeForbidden')).message).toContain('clusterroles');
  });

  it('leaves volumes behind if told to orphan them', async () => {
    await installed();
    await house.kube.create(persistentVolumes, ourVolume);
    await house.describe({ deletionPolicy: 'Orphan' });
    await house.kube.delete(vsphereDrivers, { name: 'cluster' });
    await house.until('the resource to go', async () => (await house.drivers()) === undefined);
    expect((await house.kube.list(persistentVolumes)).items).toHaveLength(1);
  });
});
