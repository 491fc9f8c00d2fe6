import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { configMaps, namespaces, secrets } from '@vdo/kube/types/core';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';
import { account, namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const csiController = { namespace, name: 'vsphere-csi-controller' };
const followingMatrix = async (updates: object = {}): Promise<OperatorStory> => {
  const story = await openOperatorStory();
  story.start();
  await story.publish(5, both('1.0.0'));
  await story.install({ updates: { ...fromConfigMap, ...updates } });
  return story;
};
const versionOf = async (story: OperatorStory, kind: 'CPI' | 'CSI') =>
  (await story.drivers())?.status?.drivers?.find((one) => one.kind === kind)?.version;
const putData = (story: OperatorStory, data: Readonly<Record<string, string>>) =>
  story.kube.update(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: 'vcenter' },
    stringData: data,
  });

// What docs/ promise, against people and clusters that do the worst at the worst time.
describe('an operator whose', () => {
  it('matrix is deleted and comes back as an older one while an upgrade waits keeps what runs', async () => {
    const story = await followingMatrix({ policy: 'Manual' });
    await story.publish(6, both('1.0.0', '1.0.1'));
    await story.until('the announcement', async () =>
      (await story.drivers())?.status?.drivers?.some(({ available }) => available === '1.0.1'),
    );
    await story.kube.delete(configMaps, { namespace, name: 'matrix' });
    await story.advance(60_000);
    await story.publish(4, both('0.9.0'));
    await story.advance(10 * 60_000);
    expect(await versionOf(story, 'CSI')).toBe('1.0.0');
    expect((await story.drivers())?.status?.versions?.matrix?.serial).toBe(6);
    expect(await story.condition('Upgradeable')).toMatchObject({ status: 'False' });
    await story.describe({ updates: { ...fromConfigMap, policy: 'Manual', versions: { cpi: '1.0.1', csi: '1.0.1' } } });
    await story.until('the upgrade that was named', async () => (await versionOf(story, 'CSI')) === '1.0.1', 6_000);
  });

  it('namespace is deleted under the drivers brings them back', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install({ distribution: 'Upstream', images: { registry: 'registry.example.com' } });
    const place = { namespace: 'vmware-system-csi', name: 'vsphere-csi-controller' };
    const { uid } = (await story.kube.get(deployments, place)).metadata;
    await story.kube.delete(namespaces, { name: 'vmware-system-csi' });
    await story.until(
      'new drivers',
      async () => {
        const found = await story.kube.find(deployments, place);
        return found && found.metadata.uid !== uid && (await story.condition('Ready'))?.status === 'True';
      },
      6_000,
    );
    expect(await story.kube.find(daemonSets, { ...place, name: 'vsphere-csi-node' })).toBeDefined();
  });

  it('Secret gets other keys says so, keeps the account that works, and takes the next one', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    const held = async () => (await story.kube.get(secrets, { namespace, name: 'vsphere-credentials' })).data;
    const before = await held();
    await putData(story, { user: 'administrator@vsphere.local', pass: 'obviously-fake' });
    await story.becomes('CredentialsValid', 'False', 'SecretKeysMissing');
    await story.advance(10 * 60_000);
    expect(await held()).toEqual(before);
    expect(await story.condition('Available')).toMatchObject({ status: 'True' });
    await putData(story, {
      'vc.example.com.username': account.username,
      'vc.example.com.password': account.password,
    });
    await story.becomes('Ready', 'True', 'AllReady');
  });

  it('resource gets a twin serves the first, and lets the twin go without a trace', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    const { uid } = (await story.kube.get(deployments, csiController)).metadata;
    const first = await story.kube.get(vsphereDrivers, { name: 'cluster' });
    const twin = { apiVersion: first.apiVersion, kind: first.kind, metadata: { name: 'twin' }, spec: first.spec };
    const made = await story.kube.create(vsphereDrivers, twin).then(
      () => true,
      () => false,
    );
    await story.advance(60_000);
    if (made) await story.kube.delete(vsphereDrivers, { name: 'twin' });
    await story.advance(60_000);
    expect(await story.kube.find(vsphereDrivers, { name: 'twin' })).toBeUndefined();
    expect((await story.kube.get(deployments, csiController)).metadata.uid).toBe(uid);
    expect(await story.condition('Ready')).toMatchObject({ status: 'True' });
  });

  it('definition is replaced goes on', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    const key = { name: 'vspheredrivers.vdo.vmware.com' };
    const found = await story.kube.get(customResourceDefinitions, key);
    await story.kube.update(customResourceDefinitions, {
      ...found,
      metadata: { ...found.metadata, annotations: { 'example.com/again': 'yes' } },
    });
    await story.advance(5_000);
    await story.describe({ csi: { replicas: 2 } });
    await story.until(
      'the new wish',
      async () =>
        (await story.kube.get(deployments, csiController)).spec.replicas === 2 &&
        (await story.condition('Ready'))?.status === 'True',
    );
  });

  it('pods are taken away in the middle of a removal ends it when they are back', async () => {
    const story = await openOperatorStory();
    const operator = story.start();
    await story.install();
    await story.kube.delete(vsphereDrivers, { name: 'cluster' });
    await story.until('the first deletion', async () => !(await story.kube.find(deployments, csiController)));
    operator.kill();
    await story.kube.delete(secrets, { namespace, name: 'vcenter' });
    await story.kube.delete(configMaps, { namespace, name: 'vdo-inventory' });
    story.network.up = false;
    await story.advance(5 * 60_000);
    story.start('operator-2');
    await story.until('the end', async () => (await story.drivers()) === undefined, 3_000);
    const ours = { labelSelector: 'app.kubernetes.io/managed-by=vdo' };
    for (const resource of [configMaps, secrets, deployments, daemonSets] as const)
      expect((await story.kube.list<never>(resource as never, ours)).items).toEqual([]);
  });

  it.each([403])('writes a webhook refuses with %i for three minutes goes on afterwards', async (code) => {
    const story = await followingMatrix();
    const heal = story.kubeSim.faults.add({
      match: { resource: 'deployments', verb: 'patch' },
      effect: { kind: 'error', code, reason: code === 403 ? 'Forbidden' : 'BadRequest' },
    });
    await story.publish(6, both('1.0.0', '1.0.1'));
    await story.advance(60_000);
    expect(await story.condition('Degraded')).toMatchObject({ status: 'True' });
    expect(await story.condition('Available')).toMatchObject({ status: 'True' });
    await story.advance(2 * 60_000);
    heal();
    await story.until('the upgrade', async () => (await versionOf(story, 'CSI')) === '1.0.1', 1_800);
    await story.becomes('Ready', 'True', 'AllReady');
  });

  it('API server answers from the past ends an upgrade all the same', async () => {
    const story = await followingMatrix();
    const heal = story.kubeSim.faults.add({ match: { verb: 'get' }, effect: { kind: 'stale', revisions: 40 } });
    await story.publish(6, both('1.0.0', '1.0.1'));
    await story.advance(3 * 60_000);
    heal();
    await story.until('the upgrade', async () => (await versionOf(story, 'CSI')) === '1.0.1', 6_000);
    await story.becomes('Ready', 'True', 'AllReady');
    expect((await story.warnings()).map(({ reason }) => reason)).not.toContain('UpgradeFailed');
  });
});
