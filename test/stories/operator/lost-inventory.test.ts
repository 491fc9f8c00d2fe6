import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { clusterRoleBindings } from '@vdo/kube/types/cluster';
import { configMaps } from '@vdo/kube/types/core';
import { csiDrivers } from '@vdo/kube/types/storage';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { meanwhile } from '../troubles.ts';
import { namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const inventory = { namespace, name: 'vdo-inventory' };
const ours = { labelSelector: 'app.kubernetes.io/managed-by=vdo' };
const controller = { namespace, name: 'vsphere-csi-controller' };

const left = async ({ kube }: OperatorStory) =>
  [
    ...(await kube.list(deployments, ours)).items,
    ...(await kube.list(daemonSets, ours)).items,
    ...(await kube.list(clusterRoleBindings, ours)).items,
    ...(await kube.list(csiDrivers, ours)).items,
    ...(await kube.list(configMaps, ours)).items,
  ].map(({ metadata }) => metadata.name);

const uninstall = async (story: OperatorStory) => {
  await story.kube.delete(vsphereDrivers, { name: 'cluster' });
  await story.until('the resource to go', async () => (await story.drivers()) === undefined);
};

/** The operator is away while something happens to its inventory. */
const whileAway = async (happens: (story: OperatorStory) => Promise<unknown>) => {
  const story = await openOperatorStory();
  const first = story.start();
  await story.install();
  first.kill();
  await story.advance(30_000);
  await happens(story);
  return story;
};

// Issue 17, 3: what is missing is not empty.
describe('an inventory', () => {
  it('that is lost is made anew, and an uninstallation leaves nothing', async () => {
    const story = await whileAway(({ kube }) => kube.delete(configMaps, inventory));
    await story.kube.delete(vsphereDrivers, { name: 'cluster' });
    story.start('operator-2');
    await story.until('the resource to go', async () => (await story.drivers()) === undefined);
    expect(await left(story)).toEqual([]);
  });

  it('that nobody can read is made anew', async () => {
    const story = await whileAway(({ kube }) =>
      kube.patch(configMaps, inventory, { type: 'merge', body: { data: { objects: '[{"kind":' } } }),
    );
    await story.kube.delete(vsphereDrivers, { name: 'cluster' });
    story.start('operator-2');
    await story.until('the resource to go', async () => (await story.drivers()) === undefined);
    expect(await left(story)).toEqual([]);
  });

  it('from an older backup forgets nothing, even under a running operator', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install({ csi: undefined });
    const old = await story.kube.get(configMaps, inventory);
    await story.describe();
    await story.until('storage to come', () => story.kube.find(deployments, controller));
    await story.becomes('Ready', 'True', 'AllReady');
    await story.kube.patch(configMaps, inventory, { type: 'merge', body: { data: old.data } });
    await story.describe({ csi: undefined });
    await story.until('storage to go', async () => (await story.kube.find(deployments, controller)) === undefined);
    await uninstall(story);
    expect(await left(story)).toEqual([]);
  });

  it('does not make the operator touch what others made under the same label', async () => {
    const story = await whileAway(({ kube }) => kube.delete(configMaps, inventory));
    const foreign = { namespace, name: 'of-somebody-else' };
    const labels = { 'app.kubernetes.io/managed-by': 'vdo' };
    await story.kube.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...foreign, labels } });
    story.start('operator-2');
    await uninstall(story);
    expect(await left(story)).toEqual(['of-somebody-else']);
  });

  it('that knows other incarnations does not let an uninstallation succeed while drivers run', async () => {
    const story = await whileAway(async ({ kube }) => {
      const restored = await kube.get(deployments, controller);
      await kube.delete(deployments, controller);
      const { uid: _, resourceVersion: __, managedFields: ___, ...metadata } = restored.metadata;
      await kube.create(deployments, { ...restored, metadata }, { fieldManager: 'velero' });
    });
    await story.kube.delete(vsphereDrivers, { name: 'cluster' });
    story.start('operator-2');
    const shown = await story.becomes('Ready', 'False', 'DriverManagedElsewhere');
    expect(shown.message).toContain('kubectl -n vmware-system-vdo delete deployment vsphere-csi-controller');
    await story.kube.delete(deployments, controller);
    await story.until('the resource to go', async () => (await story.drivers()) === undefined);
  });

  it('does not let the resource go when a backup comes back at the last moment', async () => {
    const story = await openOperatorStory();
    const operator = story.start();
    await story.install();
    const {
      uid: _,
      resourceVersion: __,
      managedFields: ___,
      ...metadata
    } = (await story.kube.get(deployments, controller)).metadata;
    const restored = { ...(await story.kube.get(deployments, controller)), metadata };
    // The notes go last, when everything has been seen to be gone.
    operator.onKube(
      meanwhile(/DELETE .*configmaps\/vsphere-csi-sync$/, () =>
        story.kube.create(deployments, restored, { fieldManager: 'velero' }),
      ),
    );
    await story.kube.delete(vsphereDrivers, { name: 'cluster' });
    await story.becomes('Ready', 'False', 'DriverManagedElsewhere');
    await story.kube.delete(deployments, controller);
    await story.until('the resource to go', async () => (await story.drivers()) === undefined);
  });
});
