import { annotationKeys } from '@vdo/config/names';
import { configMaps, persistentVolumes, secrets } from '@vdo/kube/types/core';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { joinNode } from './testing/join-node.ts';
import { account, createSimTestbed, namespace, type SimTestbed, server } from './testing/sim-testbed.ts';

const secondServer = 'vc2.example.com';
const secondAccount = { username: 'administrator@vsphere.local', password: 'obviously-fake-2' };
/** Region and zone of its own, one node, another administrator, and an older release. */
const secondModel: VSphereModel = {
  version: '7.0.3',
  administrator: secondAccount,
  datacenters: [
    {
      name: 'second',
      tags: { 'k8s-region': 'region-2' },
      clusters: [{ name: 'compute-c', tags: { 'k8s-zone': 'zone-c' }, hosts: [{ name: 'esx-c1.demo.example' }] }],
      datastores: [{ name: 'vmfs-c', type: 'VMFS', capacityGb: 1_024 }],
      networks: ['Kubernetes'],
      vms: [
        {
          name: 'node-6',
          host: 'esx-c1.demo.example',
          uuid: demoUuid(6),
          nics: [{ network: 'Kubernetes', ips: ['10.10.0.16'] }],
          extraConfig: { 'disk.EnableUUID': 'TRUE' },
        },
      ],
    },
  ],
};
const spec = {
  vcenters: [
    { server, credentialsSecret: 'vcenter' },
    { server: secondServer, credentialsSecret: 'second' },
  ],
  topology: { region: 'k8s-region', zone: 'k8s-zone' },
};

describe('two vCenters', { timeout: 60_000 }, () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await createSimTestbed({ otherVCenters: { [secondServer]: secondModel } });
    await testbed.putSecret(account);
    await testbed.putSecret(secondAccount, 'second');
    await joinNode(testbed.kube, 'node-1', { region: 'region-1', zone: 'zone-a' });
    await joinNode(testbed.kube, 'node-6', { region: 'region-2', zone: 'zone-c' });
  });
  afterEach(() => testbed.stop());
  const second = () => {
    const found = testbed.otherVCenter(secondServer);
    if (!found) throw new Error('there is no second vCenter');
    return found;
  };
  const installed = async () => {
    await testbed.describe(spec);
    await testbed.becomes('Ready', 'True', 'AllReady');
  };

  it('with nodes in both become Ready, each with one login of its own account', async () => {
    await installed();
    const status = (await testbed.drivers())?.status;
    expect(status?.versions?.vcenters).toMatchObject([
      { server, version: '8.0.3' },
      { server: secondServer, version: '7.0.3' },
    ]);
    expect(status?.nodes).toMatchObject({ total: 2, initialized: 2 });
    expect((status?.checks?.failing ?? []).filter(({ result }) => result === 'Fail')).toEqual([]);
    for (const vcenter of [testbed.vsphere, second()]) {
      const logins = vcenter.recorder.calls().filter(({ method }) => method === 'Login');
      expect(logins.map(({ result }) => result)).toEqual(['ok']);
    }
  });

  it('reach both drivers in one configuration, each with its own account', async () => {
    await installed();
    const config = await testbed.kube.get(configMaps, { name: 'vsphere-config', namespace });
    expect(config.data?.['vsphere.conf']).toContain(server);
    expect(config.data?.['vsphere.conf']).toContain(secondServer);
    const { data = {} } = await testbed.kube.get(secrets, { name: 'vsphere-credentials', namespace });
    const passwordOf = (name: string) => Buffer.from(data[`${name}.password`] ?? '', 'base64').toString();
    expect([server, secondServer].map(passwordOf)).toEqual([account.password, secondAccount.password]);
  });

  it('are told apart when one is away: it is named, the drivers run on, and Ready comes back by itself', async () => {
    await installed();
    second().control.restart(8 * 60_000);
    await testbed.clock.advance(6 * 60_000);
    const shown = await testbed.becomes('VCenterReachable', 'False', 'VCenterUnreachable');
    expect(shown.message).toContain(secondServer);
    expect(shown.message).not.toContain(` ${server}`);
    expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
    await testbed.clock.advance(3 * 60_000);
    await testbed.becomes('Ready', 'True', 'AllReady');
  });

  it('stay both while each has volumes: one that falls out of the spec is not given up, unless it is meant so', async () => {
    await installed();
    const instance = second().instanceUuid;
    await testbed.kube.create(persistentVolumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-1', annotations: { [annotationKeys.vcenterInstance]: instance } },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: 'volume-1' },
      },
    });
    await testbed.until('the count', async () => ((await testbed.drivers())?.status?.volumes?.total ?? 0) > 0, 4_000);
    expect((await testbed.drivers())?.status?.volumes).toMatchObject({
      total: 1,
      unplaced: 0,
      vcenters: [
        { server, volumes: 0 },
        { server: secondServer, volumes: 1 },
      ],
    });
    const alone = { vcenters: spec.vcenters.slice(0, 1), topology: spec.topology };
    const config = async () => (await testbed.kube.get(configMaps, { name: 'vsphere-config', namespace })).data;
    const before = await config();
    await testbed.describe(alone);
    const shown = await testbed.becomes('Stalled', 'True', 'VolumesInUse');
    expect(shown.message).toContain(`${secondServer} is missing from spec.vcenters, but 1 PersistentVolumes`);
    expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
    await testbed.clock.advance(5 * 60_000);
    expect(await config()).toEqual(before);
    await testbed.describe(spec);
    await testbed.becomes('Ready', 'True', 'AllReady');
    await testbed.describe(alone, { [annotationKeys.allowRemoval]: 'true' });
    await testbed.until('the vCenter to go', async () => !(await config())?.['vsphere.conf']?.includes(secondServer));
  });
});
