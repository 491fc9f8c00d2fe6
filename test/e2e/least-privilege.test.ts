import { requiredPrivileges } from '@vdo/checks/privileges/required-privileges';
import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { isUninitialized } from '@vdo/cpi/decisions/taints';
import { createSimTestbed as createCpiTestbed } from '@vdo/cpi/testing/sim-testbed';
import { capability, createDomainTestbed, type DomainTestbed } from '@vdo/csi/testing/domain-testbed';
import { namespaces, nodes } from '@vdo/kube/types/core';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, it } from 'vitest';
import { bareModel, createPrivilegeTestbed, vdoAccount } from './least-privilege-testbed.ts';

const topology = { region: 'k8s-region', zone: 'k8s-zone' };
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'vmware-system-vdo' } };
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const addNodes = async ({ kube }: Pick<DomainTestbed, 'kube'>): Promise<void> => {
  for (const index of [1, 2, 3, 4, 5])
    await kube.create(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: `node-${index}` },
      spec: { providerID: `vsphere://${demoUuid(index)}` },
    });
};

const openStorage = async (csi: { readonly fileVolumes?: object }) => {
  const testbed = createDomainTestbed({ models: [bareModel()], account: vdoAccount });
  closers.push(() => testbed.close());
  await addNodes(testbed);
  const { clock, kube, sim } = testbed;
  const privileges = createPrivilegeTestbed({ clock, kube, sim, spec: { cpi: {}, csi } });
  return { testbed, privileges, ...(await privileges.createAccount()) };
};

describe('the account that vdoctl makes', () => {
  it('lets the cloud controller manager initialise every node, with its zone', async () => {
    const testbed = createCpiTestbed({ models: { 'vc.example.com': bareModel() }, account: vdoAccount });
    closers.push(() => testbed.stop());
    await testbed.client.create(namespaces, namespace);
    await testbed.putSecret(vdoAccount);
    for (const index of [1, 2, 3, 4, 5]) await testbed.join(index);
    const { clock, client: kube } = testbed;
    const privileges = createPrivilegeTestbed({ clock, kube, sim: testbed.vc(), spec: { cpi: {}, topology } });
    const { roles } = await privileges.createAccount();
    expect(roles.map(({ name }) => name)).toEqual(['ReadOnly']);
    void testbed.start();
    for (const index of [1, 2, 3, 4, 5]) {
      const node = await testbed.until(`node-${index} is initialized`, async () => {
        const found = await testbed.node(index);
        return isUninitialized(found) || !found.status?.addresses ? undefined : found;
      });
      expect(node.metadata.labels).toMatchObject({
        'topology.kubernetes.io/region': 'region-1',
        'topology.kubernetes.io/zone': index <= 3 ? 'zone-a' : 'zone-b',
      });
    }
    expect(privileges.refused()).toEqual([]);
    expect(privileges.used()).toEqual(new Set());
  });

  it('lets the storage driver do all it does with disks, and uses each privilege it got', async () => {
    const { testbed, privileges, roles } = await openStorage({});
    const { volumeId } = await testbed.create('pvc-1', {
      parameters: { storagepolicyname: 'vSAN Default Storage Policy' },
    });
    await testbed.publish(volumeId, 4);
    const { snapshot } = await testbed.call('createSnapshot', {
      name: 'snap-1',
      sourceVolumeId: volumeId,
      parameters: {},
    });
    await testbed.call('listSnapshots', { sourceVolumeId: volumeId, snapshotId: '', maxEntries: 0, startingToken: '' });
    const copy = await testbed.create('pvc-2', {
      volumeContentSource: { type: { case: 'snapshot', value: { snapshotId: snapshot?.snapshotId } } },
    });
    await testbed.call('deleteSnapshot', { snapshotId: snapshot?.snapshotId });
    const grown = { requiredBytes: 2n << 30n, limitBytes: 0n };
    await testbed.call('controllerExpandVolume', { volumeId, capacityRange: grown });
    const { entries = [] } = await testbed.call('listVolumes', { maxEntries: 0, startingToken: '' });
    expect(entries).toHaveLength(2);
    await testbed.unpublish(volumeId, 4);
    for (const id of [volumeId, copy.volumeId]) await testbed.remove(id);
    expect(testbed.sim.volumes.list()).toEqual([]);
    expect(privileges.refused()).toEqual([]);
    const given = roles.flatMap((role) => role.privileges).filter((one) => !one.startsWith('System.'));
    expect(privileges.used()).toEqual(new Set(given));
  });

  it('lets the storage driver share files', async () => {
    const { testbed, privileges } = await openStorage({ fileVolumes: {} });
    const many = capability('MULTI_NODE_MULTI_WRITER');
    const { volumeId } = await testbed.create('pvc-1', { volumeCapabilities: [many] });
    for (const node of [1, 5]) await testbed.publish(volumeId, node, { volumeCapability: many });
    await testbed.call('controllerExpandVolume', {
      volumeId,
      capacityRange: { requiredBytes: 2n << 30n, limitBytes: 0n },
    });
    for (const node of [1, 5]) await testbed.unpublish(volumeId, node);
    await testbed.remove(volumeId);
    expect(privileges.refused()).toEqual([]);
  });

  it('passes every check of privileges, and has no power besides', async () => {
    const { privileges } = await openStorage({ fileVolumes: {} });
    expect(new Set((await privileges.judge()).map(({ id, result }) => `${id} ${result}`))).toEqual(
      new Set([
        'node/vm-found Pass',
        'privileges/ancestors-readable Pass',
        'privileges/datastores Pass',
        'privileges/excess-privilege Pass',
        'privileges/file-services Pass',
        'privileges/node-vms Pass',
        'privileges/root Pass',
      ]),
    );
  });
});

const everyRole = requiredPrivileges({ csi: vsphereDriversSpec.shape.csi.parse({ fileVolumes: {} }) });
const table = everyRole.flatMap(({ name, privileges, check }) =>
  privileges.filter((one) => !one.startsWith('System.')).map((privilege) => ({ role: name, privilege, check })),
);

describe('without a single privilege', () => {
  it('covers the table', () => {
    expect(table.length).toBeGreaterThanOrEqual(6);
  });

  it.each(table)('$privilege of $role, $check fails, and says which', async ({ role, privilege, check }) => {
    const { privileges } = await openStorage({ fileVolumes: {} });
    await privileges.asAdministrator(async ({ authorization }) => {
      const found = (await authorization.roles()).find(({ name }) => name === role);
      if (!found) throw new Error(`no role ${role}`);
      const rest = found.privileges.filter((one) => one !== privilege);
      await authorization.updateRole({ ...found, privileges: rest });
    });
    const failed = (await privileges.judge()).filter(({ result }) => result === 'Fail');
    expect(failed.map(({ id }) => id)).toEqual([check]);
    expect(failed[0]?.message).toContain(privilege);
  });
});

describe('without a single permission', () => {
  it('a named check fails, but for hosts that run no node and datastores that have a twin', async () => {
    const { privileges, grants } = await openStorage({});
    const unnoticed: string[] = [];
    for (const { ref: entity, path, role, propagate } of grants) {
      const roleId = await privileges.asAdministrator(async ({ authorization }) => {
        const id = (await authorization.roles()).find(({ name }) => name === role)?.id ?? 0;
        await authorization.removePermission({ entity, principal: vdoAccount.username, group: false });
        return id;
      });
      const outcomes = await privileges.judge();
      if (!outcomes.some(({ result }) => result === 'Fail')) unnoticed.push(path);
      await privileges.asAdministrator(({ authorization }) =>
        authorization.setPermission({ entity, principal: vdoAccount.username, group: false, roleId, propagate }),
      );
    }
    expect(unnoticed.sort()).toEqual([
      '/demo/datastore/shared-vmfs',
      '/demo/datastore/vsanDatastore',
      '/demo/host/compute-b/esx-b3.demo.example',
    ]);
  });
});
