import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { persistentVolumeClaims, persistentVolumes, pods } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { csiDrivers } from '@vdo/kube/types/storage';
import { type DaemonSet, type Deployment, daemonSets, deployments } from '@vdo/kube/types/workloads';
import { releasesOf, renderWorld } from '@vdo/releases/testing/rendered-worlds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withUpstreamNames } from '../upstream/upstream-names.ts';
import { type LifecycleTestbed, startLifecycleTestbed } from './lifecycle-testbed.ts';
import { writerPod } from './lifecycle-writers.ts';
import { operatorNamespace } from './operator-testbed.ts';

let testbed: LifecycleTestbed;
const controller = { name: 'vsphere-csi-controller', namespace: 'vmware-system-csi' };
const node = { name: 'vsphere-csi-node', namespace: 'vmware-system-csi' };
const cloud = { name: 'vsphere-cloud-controller-manager', namespace: 'kube-system' };
const images = { registry: 'registry.example' };

const isOurMark = (key: string) => /^(app\.kubernetes\.io|vdo\.vmware\.com)\//.test(key);
const withoutMarks = <T>(value: T): T => {
  if (Array.isArray(value)) return value.map(withoutMarks) as T;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !isOurMark(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutMarks(one)])) as T;
};
/** What the release before has and ours has not. */
const asInstalledBefore = (object: AnyObject): AnyObject => {
  if (object.kind !== 'Deployment' && object.kind !== 'DaemonSet') return object;
  const workload = structuredClone(object) as unknown as Deployment;
  const { containers } = workload.spec.template.spec as {
    containers: { name: string; image: string; env?: object[] }[];
  };
  containers[0]?.env?.push({ name: 'FORMER_DAYS', value: 'yes' });
  containers.push({ name: 'old-sidecar', image: 'registry.example/old-sidecar:v1' });
  return workload as unknown as AnyObject;
};
/** The drivers as the upstream manifests bring them: same names, places and selectors, none of our labels, a release back. */
const manifests = (): readonly AnyObject[] => {
  const [cpi] = releasesOf('cpi', 'Upstream');
  const [, csi] = releasesOf('csi', 'Upstream');
  const releases = { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) };
  const spec = { vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter' }], images };
  // What ours allow in one namespace the upstream roles allow in all.
  const isOnlyOurs = ({ metadata }: AnyObject) => metadata.name?.endsWith(':local');
  return withUpstreamNames(renderWorld('Upstream', spec, { releases }))
    .filter((object) => !isOnlyOurs(object))
    .map(withoutMarks)
    .map(asInstalledBefore);
};
const install = async (args: readonly string[]): Promise<void> => {
  const objects = manifests();
  const isNamespace = ({ kind }: AnyObject) => kind === 'Namespace';
  const list = (items: readonly AnyObject[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await testbed.kubectl(['apply', '-f', '-'], { stdin: list(objects.filter(isNamespace)) });
  await testbed.kubectl([...args, '-f', '-'], { stdin: list(objects.filter((object) => !isNamespace(object))) });
  await testbed.until('the drivers of others to run', async () => {
    const { status } = await testbed.kube.get(deployments, controller);
    return (status?.readyReplicas ?? 0) > 0;
  });
};
const removeDrivers = async (): Promise<void> => {
  await testbed.kube.delete(vsphereDrivers, { name: 'cluster' });
  await testbed.until('the resource to go', async () => (await testbed.drivers()) === undefined);
};
const bothDrivers = () => ({ vcenters: [testbed.a.spec], cpi: {}, deletionPolicy: 'Orphan' });
const becomes = (distribution: string) =>
  testbed.until(`both drivers ${distribution}`, async () => {
    const drivers = (await testbed.drivers())?.status?.drivers?.filter(({ kind }) => kind !== 'CNI') ?? [];
    const isThere = drivers.every((driver) => driver.distribution === distribution && !driver.target);
    return drivers.length === 2 && isThere && (await testbed.condition('Ready'))?.status === 'True';
  });
const containersOf = ({ spec }: Deployment | DaemonSet) => spec.template.spec.containers;
const managersOf = ({ metadata }: Deployment | DaemonSet) =>
  (metadata.managedFields ?? []).filter(({ subresource }) => !subresource).map(({ manager }) => manager);
/** Every object of ours and the state that a write would move. */
const states = async (): Promise<string> => {
  const kinds = 'configmaps,serviceaccounts,services,roles,rolebindings,clusterroles,clusterrolebindings,csidrivers';
  const marked = ['-A', '-l', 'app.kubernetes.io/managed-by=vdo', '-o'];
  const format = (field: string) =>
    `jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.${field}}{"\\n"}{end}`;
  return [
    await testbed.kubectl(['get', kinds, ...marked, format('resourceVersion')]),
    await testbed.kubectl(['get', 'deployments,daemonsets', ...marked, format('generation')]),
  ].join('\n');
};
const writesOn = async (): Promise<void> => {
  const lines = testbed.writers.written('running');
  await testbed.until('the pod to write on', async () => testbed.writers.written('running') > lines);
  expect(testbed.writers.starts('running')).toBe(1);
};

describe('drivers that others installed, on a real API server', () => {
  beforeAll(async () => {
    testbed = await startLifecycleTestbed();
    await testbed.putSecret(testbed.a);
    await testbed.joinNode(testbed.a, true);
    // A pod that writes onto a volume, whose driver is then gone.
    await testbed.describe({ vcenters: [testbed.a.spec], deletionPolicy: 'Orphan' });
    await testbed.becomesReady();
    await testbed.apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'anywhere' },
      provisioner: 'csi.vsphere.vmware.com',
    });
    await testbed.claim('running', 'anywhere');
    await testbed.kube.create(pods, writerPod('running'));
    await testbed.until('the pod to write', async () => testbed.writers.written('running') > 0);
    await removeDrivers();
  });
  afterAll(async () => {
    await testbed?.stop();
  });

  it('by hand become ours where they are, with nothing left of before, while pods write on', async () => {
    await install(['apply']);
    await testbed.kubectl([
      '-n',
      controller.namespace,
      'annotate',
      'deployment',
      controller.name,
      'example.com/mine=yes',
    ]);
    const before = {
      controller: await testbed.kube.get(deployments, controller),
      node: await testbed.kube.get(daemonSets, node),
      driver: await testbed.kube.get(csiDrivers, { name: 'csi.vsphere.vmware.com' }),
    };
    expect(managersOf(before.controller)).toContain('kubectl-client-side-apply');
    await testbed.describe({ ...bothDrivers(), distribution: 'Upstream', images });
    await becomes('Upstream');
    const taken = await testbed.kube.get(deployments, controller);
    const takenNode = await testbed.kube.get(daemonSets, node);
    expect([taken.metadata.uid, takenNode.metadata.uid]).toEqual([
      before.controller.metadata.uid,
      before.node.metadata.uid,
    ]);
    for (const workload of [taken, takenNode]) {
      expect(managersOf(workload)).toContain('vdo-operator');
      expect(managersOf(workload)).not.toContain('kubectl-client-side-apply');
      expect(containersOf(workload).map(({ name }) => name)).not.toContain('old-sidecar');
      expect(JSON.stringify(containersOf(workload))).not.toContain('FORMER_DAYS');
    }
    expect(taken.metadata.annotations).toMatchObject({ 'example.com/mine': 'yes' });
    const driver = await testbed.kube.get(csiDrivers, { name: 'csi.vsphere.vmware.com' });
    expect(driver.metadata.uid).toBe(before.driver.metadata.uid);
    // Their rights were wider than what the drivers need.
    const rights = await testbed.kubectl(['get', 'clusterroles,clusterrolebindings', '-o', 'name']);
    for (const name of [
      'vsphere-csi-controller-role',
      'vsphere-csi-node-cluster-role',
      'system:cloud-controller-manager',
    ])
      expect(rights).not.toMatch(new RegExp(`/${name}$`, 'm'));
    await writesOn();
  });

  it('are not written again once they are ours', async () => {
    const before = await states();
    await testbed.recheck();
    expect(await states()).toBe(before);
  });

  it('by the operator of upstream VDO are left to it while it runs, and give way when it is stopped', async () => {
    await removeDrivers();
    // Its client writes with the name of its program.
    await install(['create', '--field-manager=manager']);
    await testbed.apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'vdo-controller-manager', namespace: operatorNamespace },
      spec: {
        selector: { matchLabels: { 'control-plane': 'controller-manager' } },
        template: {
          metadata: { labels: { 'control-plane': 'controller-manager' } },
          spec: { containers: [{ name: 'manager', image: 'registry.example/vdo-operator:0.7.0' }] },
        },
      },
    });
    const before = await testbed.kube.get(deployments, controller);
    const kept = { configmaps: 'internal-feature-states.csi.vsphere.vmware.com', secrets: 'vsphere-config-secret' };
    await testbed.describe(bothDrivers());
    const stalled = await testbed.until('the operator to stand back', async () => {
      const found = await testbed.condition('Stalled');
      return found?.reason === 'DriverManagedElsewhere' ? found : undefined;
    });
    expect((await testbed.kube.get(deployments, controller)).metadata.generation).toBe(before.metadata.generation);
    const [, remedy = ''] = /: kubectl (-n \S+ delete deployment \S+[a-z])\./.exec(stalled.message ?? '') ?? [];
    await testbed.kubectl(remedy.split(' '));
    await becomes('Native');
    for (const [resource, key] of [
      [deployments, controller],
      [daemonSets, node],
      [daemonSets, cloud],
    ] as const)
      expect(await testbed.kube.find<Deployment | DaemonSet>(resource, key)).toBeUndefined();
    // Only what our inventory knows is ours to prune.
    for (const [kind, name] of Object.entries(kept))
      expect(await testbed.kubectl(['get', kind, name, '-n', controller.namespace, '-o', 'name'])).toContain(name);
    await writesOn();
  });

  it('leave their volumes, which are served on', async () => {
    const { spec } = await testbed.kube.get(persistentVolumeClaims, { name: 'running', namespace: 'default' });
    const volume = await testbed.kube.get(persistentVolumes, { name: spec.volumeName ?? '' });
    expect(testbed.a.sim.volumes.list().map(({ id }) => id)).toEqual([volume.spec.csi?.volumeHandle]);
    await testbed.claim('later', 'anywhere');
    await testbed.kube.create(pods, writerPod('later'));
    await testbed.until('the second pod to write', async () => testbed.writers.written('later') > 0);
    expect(await testbed.writers.readBack('running')).toBeGreaterThan(0);
    await testbed.kubectl(['delete', 'pods,pvc', '--all', '-n', 'default', '--wait=false']);
    await testbed.until(
      'the volumes to go',
      async () => (await testbed.kube.list(persistentVolumes)).items.length === 0,
    );
    expect(testbed.a.sim.volumes.list()).toEqual([]);
  });
});
