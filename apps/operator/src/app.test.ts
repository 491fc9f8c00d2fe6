import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps, type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { csiDrivers } from '@vdo/kube/types/storage';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimTestbed, namespace, type SimTestbed } from './testing/sim-testbed.ts';

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
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await createSimTestbed();
    await testbed.joinNode('node-1');
  });
  afterEach(() => testbed.stop());

  const installed = async () => {
    await testbed.putSecret(account);
    await testbed.describe();
    return testbed.becomes('Ready', 'True', 'AllReady');
  };
  const logins = (result: string) =>
    testbed.vsphere.recorder.calls().filter((call) => call.method === 'Login' && call.result === result).length;

  it('installs both drivers from the minimal resource, with one login and a status that says so', async () => {
    await installed();
    expect(logins('ok')).toBe(1);
    const status = (await testbed.drivers())?.status;
    expect(status?.drivers).toMatchObject([
      { kind: 'CPI', version: '0.1.0', controllers: { desired: 1, ready: 1 } },
      { kind: 'CSI', version: '0.1.0', controllers: { desired: 1, ready: 1 }, nodes: { desired: 1, ready: 1 } },
      { kind: 'CNI', distribution: 'unknown', nodes: { desired: 1, ready: 1 } },
    ]);
    expect(status?.versions).toMatchObject({ kubernetes: 'v1.34.4', operator: '0.1.0' });
    const config = await testbed.kube.get(configMaps, { name: 'vsphere-config', namespace });
    expect(JSON.stringify(config)).not.toContain(account.password);
  });

  it('runs storage alone if spec.cpi is absent', async () => {
    await testbed.putSecret(account);
    await testbed.describe({ cpi: undefined });
    await testbed.becomes('Ready', 'True', 'AllReady');
    expect(
      await testbed.kube.find(deployments, { name: 'vsphere-cloud-controller-manager', namespace }),
    ).toBeUndefined();
  });

  it('shows a missing Secret and goes on by itself when it is there', async () => {
    await testbed.describe();
    const shown = await testbed.becomes('CredentialsValid', 'False', 'SecretMissing');
    expect(shown.message).toContain('kubectl -n vmware-system-vdo create secret generic vcenter');
    expect(await testbed.condition('VCenterReachable')).toMatchObject({ status: 'True' });
    expect(await testbed.warnings()).toMatchObject([{ reason: 'SecretMissing', message: shown.message }]);
    await testbed.putSecret(account);
    await testbed.becomes('Ready', 'True', 'AllReady');
  });

  it('tries a wrong password once, however long it stays, and the right one at once', async () => {
    await testbed.putSecret({ ...account, password: 'also-obviously-fake' });
    await testbed.describe();
    await testbed.until('the rejection to be told', async () =>
      (await testbed.warnings()).some(({ reason }) => reason === 'VCenterLoginRejected'),
    );
    await testbed.clock.advance(10 * 60_000);
    expect(logins('ok')).toBe(0);
    expect(logins('InvalidLogin')).toBe(1);
    expect(await testbed.condition('Stalled')).toMatchObject({ status: 'True' });
    expect(await testbed.kube.find(deployments, csiController)).toBeUndefined();
    await testbed.putSecret(account);
    await testbed.becomes('Ready', 'True', 'AllReady');
  });

  it('shows an unreachable vCenter, touches nothing that runs, and recovers by itself', async () => {
    await installed();
    const before = await testbed.kube.get(deployments, csiController);
    testbed.network.up = false;
    await testbed.clock.advance(6 * 60_000);
    expect(await testbed.condition('VCenterReachable')).toMatchObject({
      status: 'False',
      reason: 'VCenterUnreachable',
    });
    expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
    expect((await testbed.kube.get(deployments, csiController)).metadata.resourceVersion).toBe(
      before.metadata.resourceVersion,
    );
    testbed.network.up = true;
    await testbed.becomes('Ready', 'True', 'AllReady');
  });

  it('shows missing RBAC with the rule to add, and goes on when it is granted', async () => {
    const grant = testbed.kubeSim.faults.add({
      match: { resource: 'csidrivers', verb: 'patch' },
      effect: { kind: 'deny' },
    });
    await testbed.putSecret(account);
    await testbed.describe();
    const shown = await testbed.becomes('Ready', 'False', 'KubeForbidden');
    expect(shown.message).toContain('csidrivers');
    expect(await testbed.warnings()).toMatchObject([{ reason: 'KubeForbidden' }]);
    grant();
    await testbed.becomes('Ready', 'True', 'AllReady');
  });

  it('says why no release fits', async () => {
    await testbed.putSecret(account);
    await testbed.describe({ updates: { policy: 'Pinned', versions: { cpi: '9.9.9', csi: '9.9.9' } } });
    expect((await testbed.becomes('Stalled', 'True', 'NoCompatibleRelease')).message).toContain('9.9.9');
  });

  it('repairs what somebody deletes or changes, and says what it was', async () => {
    await installed();
    await testbed.kube.delete(daemonSets, { name: 'vsphere-csi-node', namespace });
    await testbed.until('the DaemonSet to be back', () =>
      testbed.kube.find(daemonSets, { name: 'vsphere-csi-node', namespace }),
    );
    await testbed.kube.patch(deployments, csiController, { type: 'merge', body: { spec: { replicas: 5 } } });
    await testbed.until(
      'the Deployment to be as specified',
      async () => (await testbed.kube.get(deployments, csiController)).spec.replicas === 1,
    );
    const reported = await testbed.until('both events', async () => {
      const repairs = (await testbed.events()).filter(({ reason }) => reason === 'DriftRepaired');
      return repairs.length === 2 && repairs.map(({ message }) => message);
    });
    expect(reported).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^DaemonSet .*vsphere-csi-node was deleted; VDO recreated it\.$/),
        expect.stringMatching(
          /^Deployment .*vsphere-csi-controller was changed by \S+; VDO restored: \.spec\.replicas\.$/,
        ),
      ]),
    );
  });

  it('stays while volumes exist, goes with all it made when they are gone, and logs out', async () => {
    await installed();
    await testbed.kube.create(persistentVolumes, ourVolume);
    await testbed.kube.delete(vsphereDrivers, { name: 'cluster' });
    expect((await testbed.becomes('Ready', 'False', 'VolumesInUse')).message).toContain('pv-1');
    await testbed.kube.delete(persistentVolumes, { name: 'pv-1' });
    await testbed.until('the resource to go', async () => (await testbed.drivers()) === undefined);
    expect((await testbed.kube.list(deployments, { namespace })).items).toEqual([]);
    expect((await testbed.kube.list(csiDrivers)).items).toEqual([]);
    expect(testbed.vsphere.recorder.count('Logout')).toBe(1);
  });

  it('does not take storage away from volumes if spec.csi is removed', async () => {
    await installed();
    await testbed.kube.create(persistentVolumes, ourVolume);
    await testbed.describe({ csi: undefined });
    const shown = await testbed.becomes('Stalled', 'True', 'VolumesInUse');
    expect(shown.message).toContain('Add spec.csi again');
    expect((await testbed.drivers())?.status?.drivers?.map(({ kind }) => kind)).toContain('CSI');
    expect(await testbed.condition('StorageReady')).toMatchObject({ status: 'True' });
    expect(await testbed.kube.find(deployments, csiController)).toBeDefined();
    await testbed.kube.delete(persistentVolumes, { name: 'pv-1' });
    await testbed.until(
      'storage to go',
      async () => (await testbed.kube.find(deployments, csiController)) === undefined,
      3_600,
    );
  });

  it('goes on keeping the drivers while volumes hold up a deletion, and says the one thing to do', async () => {
    await installed();
    await testbed.kube.create(persistentVolumes, ourVolume);
    await testbed.kube.delete(vsphereDrivers, { name: 'cluster' });
    const shown = await testbed.becomes('Stalled', 'True', 'VolumesInUse');
    expect(shown.message).toContain('"deletionPolicy":"Orphan"');
    await testbed.kube.delete(deployments, csiController);
    await testbed.until('the repair', () => testbed.kube.find(deployments, csiController), 3_600);
    expect(await testbed.condition('VCenterReachable')).toMatchObject({ status: 'True' });
    expect((await testbed.drivers())?.status?.drivers?.map(({ kind }) => kind)).toContain('CSI');
  });

  it('says which right is missing even if it cannot watch', async () => {
    testbed.kubeSim.faults.add({ match: { resource: 'clusterroles' }, effect: { kind: 'deny' } });
    testbed.operators[0]?.kill();
    await testbed.clock.advance(30_000);
    testbed.start('operator-2');
    await testbed.putSecret(account);
    await testbed.describe();
    expect((await testbed.becomes('Ready', 'False', 'KubeForbidden')).message).toContain('clusterroles');
  });

  it('leaves volumes behind if told to orphan them', async () => {
    await installed();
    await testbed.kube.create(persistentVolumes, ourVolume);
    await testbed.describe({ deletionPolicy: 'Orphan' });
    await testbed.kube.delete(vsphereDrivers, { name: 'cluster' });
    await testbed.until('the resource to go', async () => (await testbed.drivers()) === undefined);
    expect((await testbed.kube.list(persistentVolumes)).items).toHaveLength(1);
  });
});
