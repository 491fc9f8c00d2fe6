import { decodeSecretData } from '@vdo/config/credentials';
import { configMaps, secrets } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimTestbed, namespace, type SimTestbed, server } from './testing/sim-testbed.ts';

const cloud = { username: 'cpi@vsphere.local', password: 'obviously-fake-cpi' };
const storage = { username: 'csi@vsphere.local', password: 'obviously-fake-csi' };
const both = { cpi: { credentialsSecret: 'cloud' }, csi: { credentialsSecret: 'storage' } };
const images = { registry: 'registry.example' };

describe('drivers with accounts of their own', { timeout: 120_000 }, () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await createSimTestbed();
    await testbed.joinNode('node-1');
    await testbed.putSecret(account);
    await testbed.putSecret(cloud, 'cloud');
    await testbed.putSecret(storage, 'storage');
  });
  afterEach(() => testbed.stop());

  const dataOf = async (key: { readonly namespace: string; readonly name: string }) =>
    decodeSecretData((await testbed.kube.find(secrets, key))?.data ?? {});
  /** Who each native driver logs in as, by the Secret that its configuration names. */
  const usersOf = async () => {
    const users: Record<string, string | undefined> = {};
    for (const [driver, name] of [
      ['cpi', 'vsphere-cloud-controller-manager'],
      ['csi', 'vsphere-csi-controller'],
    ] as const) {
      const { template } = (await testbed.kube.get(deployments, { namespace, name })).spec;
      const [, map = ''] = /"configMap":\{"name":"([-a-z]+)"/.exec(JSON.stringify(template.spec.volumes)) ?? [];
      const { data } = await testbed.kube.get(configMaps, { namespace, name: map });
      const [, secret = ''] = /secretName: "?([-a-z]+)/.exec(data?.['vsphere.conf'] ?? '') ?? [];
      const found = await dataOf({ namespace, name: secret });
      users[driver] = `${found[`${server}.username`]} ${found[`${server}.password`]}`;
    }
    return users;
  };
  const text = ({ username, password }: typeof cloud): string => `${username} ${password}`;
  const generations = async () =>
    (await testbed.kube.list(deployments, { namespace })).items.map(({ metadata }) => metadata.generation);

  it('get them and no others, and give them up again', async () => {
    await testbed.describe(both);
    await testbed.becomes('Ready', 'True', 'AllReady');
    expect(await usersOf()).toEqual({ cpi: text(cloud), csi: text(storage) });
    await testbed.describe({ csi: both.csi });
    await testbed.until('the shared account', async () => (await usersOf())['cpi'] === text(account));
    await testbed.becomes('Ready', 'True', 'AllReady');
    expect(await usersOf()).toEqual({ cpi: text(account), csi: text(storage) });
    const left = async () => testbed.kube.find(secrets, { namespace, name: 'vsphere-credentials-cpi' });
    await testbed.until('the copy to go', async () => (await left()) === undefined);
  });

  it('follow a rotated one without a restart, and only the driver whose it is', async () => {
    await testbed.describe(both);
    await testbed.becomes('Ready', 'True', 'AllReady');
    const before = await generations();
    testbed.vsphere.control.setAccount({ username: cloud.username, password: 'obviously-fake-next' });
    await testbed.putSecret({ ...cloud, password: 'obviously-fake-next' }, 'cloud');
    await testbed.until('the new password', async () => (await usersOf())['cpi']?.endsWith('next'));
    expect(await usersOf()).toEqual({ cpi: `${cloud.username} obviously-fake-next`, csi: text(storage) });
    await testbed.becomes('Ready', 'True', 'AllReady');
    expect(await generations()).toEqual(before);
  });

  it('keep what works while vCenter rejects the new one, and the status names its Secret', async () => {
    await testbed.describe(both);
    await testbed.becomes('Ready', 'True', 'AllReady');
    await testbed.putSecret({ ...storage, password: 'never-accepted' }, 'storage');
    const shown = await testbed.becomes('CredentialsValid', 'False', 'VCenterLoginRejected');
    expect(shown.message).toContain('account of CSI, Secret storage');
    await testbed.clock.advance(10 * 60_000);
    expect(await usersOf()).toEqual({ cpi: text(cloud), csi: text(storage) });
    await testbed.putSecret(storage, 'storage');
    await testbed.becomes('Ready', 'True', 'AllReady');
  });

  it('are not installed before each account was accepted', async () => {
    await testbed.putSecret({ ...cloud, password: 'never-accepted' }, 'cloud');
    await testbed.describe(both);
    const shown = await testbed.becomes('CredentialsValid', 'False', 'VCenterLoginRejected');
    expect(shown.message).toContain('account of CPI, Secret cloud');
    expect((await testbed.kube.list(deployments, { namespace })).items).toEqual([]);
  });

  it('are told what the account of storage lacks, not that of the cloud controller manager', async () => {
    await testbed.describe({ cpi: { credentialsSecret: 'storage' }, csi: { credentialsSecret: 'cloud' } });
    await testbed.until('the check', async () => (await testbed.condition('PrivilegesSufficient'))?.status === 'False');
    const failing = (await testbed.drivers())?.status?.checks?.failing ?? [];
    const missing = failing.filter(({ id, result }) => id.startsWith('privileges/') && result === 'Fail');
    expect(missing.map(({ message }) => message?.split(' ')[0])).toContain('cpi@vsphere.local');
    expect(missing.filter(({ message }) => message?.includes('csi@vsphere.local'))).toEqual([]);
  });

  it('have them as upstream drivers too, each its own, and rotate without a restart', async () => {
    await testbed.describe({ distribution: 'Upstream', images, ...both });
    await testbed.becomes('Ready', 'True', 'AllReady', 12_000);
    const conf = async () =>
      (await dataOf({ namespace: 'vmware-system-csi', name: 'vsphere-config-secret' }))['csi-vsphere.conf'] ?? '';
    const ofCloud = await dataOf({ namespace: 'kube-system', name: 'vsphere-cloud-secret' });
    expect(ofCloud[`${server}.username`]).toBe(cloud.username);
    expect(await conf()).toContain(storage.password);
    const key = { namespace: 'vmware-system-csi', name: 'vsphere-csi-controller' };
    const before = (await testbed.kube.get(deployments, key)).metadata.generation;
    testbed.vsphere.control.setAccount({ username: storage.username, password: 'obviously-fake-next' });
    await testbed.putSecret({ ...storage, password: 'obviously-fake-next' }, 'storage');
    await testbed.until('the new password', async () => (await conf()).includes('obviously-fake-next'));
    expect((await testbed.kube.get(deployments, key)).metadata.generation).toBe(before);
  });
});
