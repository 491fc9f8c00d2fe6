import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { namespaces, persistentVolumes } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { cnsCreateVolume } from '@vdo/vsphere/wire/methods/cns';
import { moref } from '@vdo/vsphere/wire/moref';
import { make } from '@vdo/vsphere/wire/schema';
import { CnsBlockBackingDetails } from '@vdo/vsphere/wire/types/cns';
import { createRawClient } from '@vdo/vsphere-sim/testing/raw-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimTestbed, namespace, type SimTestbed } from './testing/sim-testbed.ts';

const controller = { name: 'vsphere-csi-controller', namespace };

describe('a cluster that has volumes and no note of its id', { timeout: 60_000 }, () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await createSimTestbed();
    await testbed.joinNode('node-1');
    await testbed.putSecret(account);
  });
  afterEach(() => testbed.stop());

  /** A volume that vCenter lists under this id, with its PersistentVolume here. */
  const volumeUnder = async (clusterId: string) => {
    const { vsphere } = testbed;
    const vim = createRawClient(vsphere.handler);
    await vim.login(account.username, account.password);
    const cns = createRawClient(vsphere.handler, { path: '/vsanHealth', jar: vim.jar });
    const containerCluster = { clusterType: 'KUBERNETES', clusterId, vSphereUser: account.username };
    const spec = {
      name: 'pvc-1',
      volumeType: 'BLOCK',
      datastores: [],
      metadata: { containerCluster, entityMetadata: [] },
      backingObjectDetails: make(CnsBlockBackingDetails, { capacityInMb: 1024n }),
    };
    await cns.call(cnsCreateVolume, { _this: moref('CnsVolumeManager', 'cns-volume-manager'), createSpecs: [spec] });
    const { id } = await testbed.until('the volume', async () => vsphere.volumes.list()[0]);
    await testbed.kube.create(persistentVolumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-1' },
      spec: { capacity: { storage: '1Gi' }, csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: id } },
    });
  };

  it('is told the id that vCenter has on record, takes nothing silently, and goes on when it is accepted', async () => {
    await volumeUnder('made-at-random-long-ago');
    await testbed.describe();
    const stalled = await testbed.becomes('Stalled', 'True', 'ClusterIdMismatch');
    expect(stalled.message).toContain(`"clusterId":"made-at-random-long-ago"`);
    expect(await testbed.condition('Ready')).toMatchObject({ status: 'False', reason: 'ClusterIdMismatch' });
    expect(await testbed.kube.find(deployments, controller)).toBeUndefined();
    // As the message says.
    const body = { spec: { csi: { clusterId: 'made-at-random-long-ago' } } };
    await testbed.kube.patch(vsphereDrivers, { name: 'cluster' }, { type: 'merge', body });
    await testbed.becomes('Ready', 'True', 'AllReady');
  });

  it('is refused a wrong one in the spec', async () => {
    await volumeUnder('right');
    await testbed.describe({ csi: { clusterId: 'wrong' } });
    const stalled = await testbed.becomes('Stalled', 'True', 'ClusterIdMismatch');
    expect(stalled.message).toMatch(/under the cluster ID right .* use the cluster ID wrong/);
    expect(await testbed.kube.find(deployments, controller)).toBeUndefined();
  });

  it('goes on under the UID of kube-system, which was its id before', async () => {
    const { metadata } = await testbed.kube.get(namespaces, { name: 'kube-system' });
    await volumeUnder(metadata.uid ?? '');
    await testbed.describe();
    await testbed.becomes('Ready', 'True', 'AllReady');
  });

  it('keeps an id of its own where the volumes of another one were brought along on purpose', async () => {
    await volumeUnder('another-cluster');
    await testbed.describe({}, { 'vdo.vmware.com/foreign-volumes': 'true' });
    await testbed.becomes('Ready', 'True', 'AllReady');
  });
});
