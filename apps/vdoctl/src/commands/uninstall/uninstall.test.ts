import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps, namespaces, persistentVolumes } from '@vdo/kube/types/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { type SimCluster, startSimCluster } from '../../testing/sim-cluster.ts';

const key = { name: 'cluster' };
const refusal = {
  type: 'Ready',
  status: 'False' as const,
  reason: 'VolumesInUse',
  message: 'the drivers stay installed because 1 PersistentVolumes (pv-1) exist',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

// The operator is not there: what it said before stays until the test acts for it.
describe('vdoctl uninstall after it was refused', () => {
  let cluster: SimCluster;
  beforeEach(async () => {
    cluster = await startSimCluster();
    await runVdoctl(['install', '--yes', '--no-wait', '--kubeconfig', cluster.kubeconfig]);
    await cluster.kube.create(vsphereDrivers, {
      apiVersion: 'vdo.vmware.com/v1beta1',
      kind: 'VSphereDrivers',
      metadata: { ...key, finalizers: ['vdo.vmware.com/drivers'] },
      spec: { distribution: 'Native', vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter' }], csi: {} },
    } as never);
    await cluster.kube.create(persistentVolumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-1' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: 'volume-1' },
      },
    } as never);
    const body = { status: { conditions: [refusal] } };
    await cluster.kube.patch(vsphereDrivers, key, { type: 'merge', body }, { subresource: 'status' });
  });
  afterEach(() => cluster.stop());

  const uninstall = (...argv: readonly string[]) =>
    runVdoctl(['uninstall', '--yes', '--timeout', '30s', ...argv, '--kubeconfig', cluster.kubeconfig]);
  const finish = async (): Promise<void> => {
    await expect
      .poll(async () => (await cluster.kube.get(vsphereDrivers, key)).metadata.deletionTimestamp)
      .toBeDefined();
    await cluster.kube.patch(vsphereDrivers, key, { type: 'merge', body: { metadata: { finalizers: null } } });
  };

  it('is refused again while the volume exists', async () => {
    const { exitCode, err } = await uninstall();
    expect(exitCode).toBe(1);
    expect(err).toContain('pv-1');
    expect(err).toContain('--orphan-volumes');
  });

  it('looks before it marks: nothing is changed where it is refused', async () => {
    const before = (await cluster.kube.get(vsphereDrivers, key)).metadata;
    expect((await uninstall()).exitCode).toBe(1);
    expect((await cluster.kube.get(vsphereDrivers, key)).metadata).toEqual(before);
  });

  it('waits for the operator when the volume is gone, whatever it said before', async () => {
    await cluster.kube.delete(persistentVolumes, { name: 'pv-1' });
    const [{ exitCode, err }] = await Promise.all([uninstall(), finish()]);
    expect(err).not.toContain('VolumesInUse');
    expect(exitCode).toBe(0);
  });

  it('does what its remedy says: leaves the volumes without a driver', async () => {
    const [{ exitCode, err }] = await Promise.all([uninstall('--orphan-volumes'), finish()]);
    expect(err).not.toContain('VolumesInUse');
    expect(exitCode).toBe(0);
    expect(await cluster.kube.find(persistentVolumes, { name: 'pv-1' })).toBeDefined();
  });

  it('leaves a namespace in which others have something, and names it', async () => {
    await cluster.kube.delete(persistentVolumes, { name: 'pv-1' });
    const metadata = { name: 'diary', namespace: 'vmware-system-vdo' };
    await cluster.kube.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    const [{ exitCode, err }] = await Promise.all([uninstall(), finish()]);
    expect(exitCode).toBe(0);
    expect(err).toContain('because it contains objects that do not belong to VDO (ConfigMap vmware-system-vdo/diary).');
    expect(await cluster.kube.find(configMaps, metadata)).toBeDefined();
    expect(await cluster.kube.find(namespaces, { name: 'vmware-system-csi' })).toBeUndefined();
  });
});
