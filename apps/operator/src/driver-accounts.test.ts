import { decodeSecretData } from '@vdo/config/credentials';
import { configMaps, secrets } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimHouse, namespace, type SimHouse, server } from './testing/sim-house.ts';

const cloud = { username: 'cpi@vsphere.local', password: 'obviously-fake-cpi' };
const storage = { username: 'csi@vsphere.local', password: 'obviously-fake-csi' };
const both = { cpi: { credentialsSecret: 'cloud' }, csi: { credentialsSecret: 'storage' } };
const images = { registry: 'registry.example' };

describe('drivers with accounts of their own', { timeout: 120_000 }, () => {
  let house: SimHouse;
  beforeEach(async () => {
    house = await createSimHouse();
    await house.joinNode('node-1');
    await house.putSecret(account);
    await house.putSecret(cloud, 'cloud');
    await house.putSecret(storage, 'storage');
  });
  afterEach(() => house.stop());

  const dataOf = async (key: { readonly namespace: string; readonly name: string }) =>
    decodeSecretData((await house.kube.find(secrets, key))?.data ?? {});
  /** Who each native driver logs in as, by the Secret that its configuration names. */
  const usersOf = async () => {
    const users: Record<string, string | undefined> = {};
    for (const [driver, name] of [
      ['cpi', 'vsphere-cloud-controller-manager'],
      ['csi', 'vsphere-csi-controller'],
    ] as const) {
      const { template } = (await house.kube.get(deployments, { namespace, name })).spec;
      const [, map = ''] = /"configMap":\{"name":"([-a-z]+)"/.exec(JSON.stringify(template.spec.volumes)) ?? [];
      const { data } = await house.kube.get(configMaps, { namespace, name: map });
      const [, secret = ''] = /secretName: "?([-a-z]+)/.exec(data?.['vsphere.conf'] ?? '') ?? [];
      const found = await dataOf({ namespace, name: secret });
      users[driver] = `${found[`${server}.username`]} ${found[`${server}.password`]}`;
    }
    return users;
  };
  const text = ({ username, password }: typeof cloud): string => `${username} ${password}`;
  const generations = async () =>
    (await house.kube.list(deployments, { namespace })).items.map(({ metadata }) => metadata.generation);

  it('get them and no others, and give them up again', async () => {
    await house.describe(both);
    await house.becomes('Ready', 'True', 'AllReady');
    expect(await usersOf()).toEqual({ cpi: text(cloud), csi: text(storage) });
    await house.describe({ csi: both.csi });
    await house.until('the shared account', async () => (await usersOf())['cpi'] === text(account));
    await house.becomes('Ready', 'True', 'AllReady');
    expect(await usersOf()).toEqual({ cpi: text(account), csi: text(storage) });
    const left = async () => house.kube.find(secrets, { namespace, name: 'vsphere-credentials-cpi' });
    await house.until('the copy to go', async () => (await left()) === undefined);
  });

  it('follow a rotated one without a restart, and only the driver whose it is', async () => {
    await house.describe(both);
    await house.becomes('Ready', 'True', 'AllReady');
    const before = await generations();
    house.vsphere.control.setAccount({ username: cloud.username, password: 'obviously-fake-next' });
    await house.putSecret({ ...cloud, password: 'obviously-fake-next' }, 'cloud');
    await house.until('the new password', async () => (await usersOf())['cpi']?.endsWith('next'));
    expect(await usersOf()).toEqual({ cpi: `${cloud.username} obviously-fake-next`, csi: text(storage) });
    await house.becomes('Ready', 'True', 'AllReady');
    expect(await generations()).toEqual(before);
  });

  it('keep what works while vCenter rejects the new one, and the status names its Secret', async () => {
    await house.describe(both);
    await house.becomes('Ready', 'True', 'AllReady');
    await house.putSecret({ ...storage, password: 'never-accepted' }, 'storage');
    const shown = await house.becomes('CredentialsValid', 'False', 'VCenterLoginRejected');
    expect(shown.message).toContain('account of CSI, Secret storage');
    await house.clock.advance(10 * 60_000);
    expect(await usersOf()).toEqual({ cpi: text(cloud), csi: text(storage) });
    await house.putSecret(storage, 'storage');
    await house.becomes('Ready', 'True', 'AllReady');
  });

  it('are not installed before each account was accepted', async () => {
    await house.putSecret({ ...cloud, password: 'never-accepted' }, 'cloud');
    await house.describe(both);
    const shown = await house.becomes('CredentialsValid', 'False', 'VCenterLoginRejected');
    expect(shown.message).toContain('account of CPI, Secret cloud');
    expect((await house.kube.list(deployments, { namespace })).items).toEqual([]);
  });

  it('are told what the account of storage lacks, not that of the cloud controller manager', async () => {
    await house.describe({ cpi: { credentialsSecret: 'storage' }, csi: { credentialsSecret: 'cloud' } });
    await house.until('the check', async () => (await house.condition('PrivilegesSufficient'))?.status === 'False');
    const failing = (await house.drivers())?.status?.checks?.failing ?? [];
    const missing = failing.filter(({ id, result }) => id.startsWith('privileges/') && result === 'Fail');
    expect(missing.map(({ message }) => message?.split(' ')[0])).toContain('cpi@vsphere.local');
    expect(missing.filter(({ message }) => message?.includes('csi@vsphere.local'))).toEqual([]);
  });

  it('have them as upstream drivers too, each its own, and rotate without a restart', async () => {
    await house.describe({ distribution: 'Upstream', images, ...both });
    await house.becomes('Ready', 'True', 'AllReady', 12_000);
    const conf = async () =>
      (await dataOf({ namespace: 'vmware-system-csi', name: 'vsphere-config-secret' }))['csi-vsphere.conf'] ?? '';
    const ofCloud = await dataOf({ namespace: 'kube-system', name: 'vsphere-cloud-secret' });
    expect(ofCloud[`${server}.username`]).toBe(cloud.username);
    expect(await conf()).toContain(storage.password);
    const key = { namespace: 'vmware-system-csi', name: 'vsphere-csi-controller' };
    const before = (await house.kube.get(deployments, key)).metadata.generation;
    house.vsphere.control.setAccount({ username: storage.username, password: 'obviously-fake-next' });
    await house.putSecret({ ...storage, password: 'obviously-fake-next' }, 'storage');
    await house.until('the new password', async () => (await conf()).includes('obviously-fake-next'));
    expect((await house.kube.get(deployments, key)).metadata.generation).toBe(before);
  });
});
