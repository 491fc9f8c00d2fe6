import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { nodes, persistentVolumeClaims, persistentVolumes, pods } from '@vdo/kube/types/core';
import { csiDrivers, csiNodes } from '@vdo/kube/types/storage';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LifecycleTestbed, startLifecycleTestbed } from './lifecycle-testbed.ts';
import type { ZoneVCenter } from './lifecycle-vcenters.ts';
import { writerPod } from './lifecycle-writers.ts';
import { operatorNamespace } from './operator-testbed.ts';

let testbed: LifecycleTestbed;
/** When the drivers were being removed: a pod that still ends may find its rights gone. */
const removals: { readonly fromMs: number; readonly toMs: number }[] = [];
/** Everything that was there before the first installation. */
let before: ReadonlySet<string>;

/** Each object of each kind that the API server serves. */
const sweep = async (): Promise<readonly string[]> => {
  const kinds = (await testbed.kubectl(['api-resources', '--verbs=list', '-o', 'name'])).trim().split('\n');
  const listed = kinds.filter((kind) => !/^(events|events\.events\.k8s\.io|componentstatuses)$/.test(kind));
  const format = '{range .items[*]}{.kind} {.metadata.namespace}/{.metadata.name}{"\\n"}{end}';
  const text = await testbed.kubectl(['get', listed.join(','), '-A', '-o', `jsonpath=${format}`]);
  return text.trim().split('\n').sort();
};

/** Names that other controllers use as well: who holds them next is not ours to say. */
const storageLeases = [
  'csi-vsphere-vmware-com',
  'external-attacher-leader-csi-vsphere-vmware-com',
  'external-resizer-csi-vsphere-vmware-com',
  'vsphere-syncer',
].map((name) => `Lease vmware-system-csi/${name}`);
/** Whose volumes are whose, and which passwords must not be tried again: a next installation has to know. */
const storageNotes = ['vsphere-csi-cluster-id', 'vsphere-csi-sync', 'vsphere-login-guard'].map(
  (name) => `ConfigMap ${operatorNamespace}/${name}`,
);
const leavesOnly = async (expected: readonly string[]): Promise<void> => {
  const left = (await sweep()).filter((object) => !before.has(object));
  expect(left).toEqual([...expected].sort());
};
const removeDrivers = async (): Promise<void> => {
  const fromMs = Date.now();
  // Admission decides by what the operator has counted, which is as old as it may be.
  await testbed.recount();
  await testbed.kube.delete(vsphereDrivers, { name: 'cluster' });
  await testbed.until('the resource to go', async () => (await testbed.drivers()) === undefined);
  // The pods of the drivers end after their workloads.
  const left = async () => (await testbed.kube.list(pods, { namespace: operatorNamespace })).items;
  await testbed.until('the last pods to go', async () => (await left()).length === 0);
  removals.push({ fromMs, toMs: Date.now() });
};

const storageClass = (name: string, zone?: string) =>
  testbed.apply({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'csi.vsphere.vmware.com',
    ...(zone === undefined
      ? {}
      : { allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: [zone] }] }] }),
  });
/** The volume behind a claim, once it is bound. */
const bound = (name: string) =>
  testbed.until(`claim ${name} to be bound`, async () => {
    const { spec, status } = await testbed.kube.get(persistentVolumeClaims, { name, namespace: 'default' });
    if (status?.phase !== 'Bound') return undefined;
    return testbed.kube.get(persistentVolumes, { name: spec.volumeName ?? '' });
  });
const startWriter = async (name: string, storageClassName: string) => {
  await testbed.claim(name, storageClassName);
  await testbed.kube.create(pods, writerPod(name));
  await testbed.until(`${name} to write`, async () => testbed.writers.written(name) > 0);
};
const removeVolumes = async () => {
  await testbed.kubectl(['delete', 'pods,pvc', '--all', '-n', 'default', '--wait=false']);
  await testbed.until('the volumes to go', async () => (await testbed.kube.list(persistentVolumes)).items.length === 0);
};
const volumesOf = ({ sim }: ZoneVCenter) => sim.volumes.list().map(({ id }) => id);
const runs = (version: string) =>
  testbed.until(`both drivers at ${version}`, async () => {
    const status = (await testbed.drivers())?.status;
    const drivers = (status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
    return (
      drivers.length === 2 &&
      drivers.every((driver) => driver.version === version && !driver.target) &&
      (await testbed.condition('Ready'))?.status === 'True'
    );
  });

/** How long Kubernetes waits for the controller's pods before it calls the rollout failed. */
const giveUpAfter = (progressDeadlineSeconds: number) =>
  testbed.kube.patch(
    deployments,
    { name: 'vsphere-csi-controller', namespace: operatorNamespace },
    { type: 'merge', body: { spec: { progressDeadlineSeconds } } },
  );

const twoVCenters = () => ({
  vcenters: [testbed.a.spec, testbed.b.spec],
  topology: { region: 'k8s-region', zone: 'k8s-zone' },
  cpi: {},
  updates: testbed.updates,
});

describe('the life of the drivers on a real API server', () => {
  beforeAll(async () => {
    testbed = await startLifecycleTestbed();
    await Promise.all([testbed.a, testbed.b].map(testbed.putSecret));
    const ownLease = `Lease ${operatorNamespace}/vdo-operator`;
    const settled = await testbed.until('the operator to lead', async () => {
      const found = await sweep();
      return found.includes(ownLease) ? found : undefined;
    });
    before = new Set(settled);
  });
  afterAll(async () => {
    await testbed?.stop();
  });

  describe('storage alone', () => {
    it('becomes Ready without a cloud provider, and binds a claim', async () => {
      await testbed.joinNode(testbed.a, true);
      await testbed.describe({ vcenters: [testbed.a.spec] });
      await testbed.becomesReady();
      expect(await testbed.condition('NodesInitialized')).toMatchObject({ status: 'Unknown', reason: 'NotManaged' });
      const names = (await testbed.kube.list(deployments, { namespace: operatorNamespace })).items;
      expect(names.map(({ metadata }) => metadata.name)).toEqual(['vsphere-csi-controller']);
      await storageClass('anywhere');
      await startWriter('alone', 'anywhere');
      const volume = await bound('alone');
      expect(volumesOf(testbed.a)).toEqual([volume.spec.csi?.volumeHandle]);
    });

    it('leaves nothing but what must stay', async () => {
      await removeVolumes();
      await removeDrivers();
      await testbed.kube.delete(nodes, { name: testbed.a.node.name });
      await leavesOnly([...storageLeases, ...storageNotes, 'StorageClass /anywhere']);
    });
  });

  describe('two vCenters', () => {
    it('become Ready with a node in each', async () => {
      for (const zone of [testbed.a, testbed.b]) await testbed.joinNode(zone, false);
      await testbed.publish(100, { cpi: ['0.1.0'], csi: ['0.1.0'] });
      await testbed.describe(twoVCenters());
      await runs('0.1.0');
      expect((await testbed.drivers())?.status?.nodes).toMatchObject({ total: 2, initialized: 2 });
      for (const { node, zone } of [testbed.a, testbed.b]) {
        const { spec, metadata } = await testbed.kube.get(nodes, { name: node.name });
        expect(spec.providerID).toBe(`vsphere://${node.uuid}`);
        expect(metadata.labels).toMatchObject({ 'topology.kubernetes.io/zone': zone });
      }
    });

    it('each hold the volumes of their zone, mounted where they can be reached', async () => {
      for (const { zone } of [testbed.a, testbed.b]) {
        await storageClass(zone, zone);
        await startWriter(`in-${zone}`, zone);
      }
      for (const place of [testbed.a, testbed.b]) {
        const volume = await bound(`in-${place.zone}`);
        expect(volumesOf(place)).toEqual([volume.spec.csi?.volumeHandle]);
        const pod = await testbed.kube.get(pods, { name: `in-${place.zone}`, namespace: 'default' });
        expect(pod.spec.nodeName).toBe(place.node.name);
      }
    });
  });

  const writing = () => [testbed.a, testbed.b].map(({ zone }) => `in-${zone}`);

  describe('an upgrade', () => {
    it('crosses three matrix versions while pods write and new ones come, always available', async () => {
      const finish = await testbed.followAvailable();
      const versions = ['0.1.0', '0.1.1', '0.1.2', '0.1.3'];
      for (const [index, version] of versions.slice(1).entries()) {
        const offered = versions.slice(0, index + 2);
        const lines = writing().map(testbed.writers.written);
        await testbed.publish(101 + index, { cpi: offered, csi: offered });
        await startWriter(`during-${index}`, index % 2 === 0 ? testbed.a.zone : testbed.b.zone);
        await runs(version);
        for (const [position, name] of writing().entries())
          expect(testbed.writers.written(name)).toBeGreaterThan(lines[position] ?? 0);
      }
      expect(await finish()).toEqual(['True/DriversRunning']);
      await testbed.until('the health of a volume to be noted on its claim', async () => {
        const { metadata } = await testbed.kube.get(persistentVolumeClaims, { name: 'during-0', namespace: 'default' });
        return metadata.annotations?.['volumehealth.storage.kubernetes.io/health'] === 'accessible';
      });
      for (const name of [...writing(), 'during-0', 'during-1', 'during-2']) {
        expect(testbed.writers.starts(name)).toBe(1);
        expect(await testbed.writers.readBack(name)).toBeGreaterThan(0);
      }
    });

    it('to a release that does not start goes back by itself, and nobody who writes notices', async () => {
      const finish = await testbed.followAvailable();
      const good = ['0.1.3'];
      testbed.broken.set('0.1.4', { role: 'controller', how: 'crash' });
      // Not ours to set: how long Kubernetes waits is other people's, and the test does not want to wait ten minutes.
      await giveUpAfter(8);
      await testbed.publish(110, { cpi: good, csi: [...good, '0.1.4'] });
      await testbed.until('the upgrade to begin', async () =>
        (await testbed.drivers())?.status?.drivers?.some(({ target }) => target === '0.1.4'),
      );
      await startWriter('meanwhile', testbed.a.zone);
      const shown = await testbed.until('the release to be given up', async () => {
        const found = await testbed.condition('Upgradeable');
        return found?.reason === 'UpgradeRolledBack' ? found : undefined;
      });
      expect(shown.message).toMatch(/0\.1\.4: .*vsphere-csi-controller.*Kubernetes reported ProgressDeadlineExceeded/);
      await runs('0.1.3');
      // On a busy machine a good controller takes longer than that as well, and the next story is about its nodes.
      await giveUpAfter(600);
      expect(await testbed.reasons()).toEqual(expect.arrayContaining(['UpgradeFailed', 'RollbackStarted']));
      expect(await finish()).toEqual(['True/DriversRunning']);
      for (const name of [...writing(), 'meanwhile']) {
        expect(testbed.writers.starts(name)).toBe(1);
        expect(await testbed.writers.readBack(name)).toBeGreaterThan(0);
      }
    });
  });

  describe('a release that does not get anywhere', () => {
    const deadline = { progressDeadline: '15s' };
    const goesBack = async (version: string, serial: number, breakage: Parameters<typeof testbed.broken.set>[1]) => {
      const finish = await testbed.followAvailable();
      testbed.broken.set(version, breakage);
      await testbed.describe({ ...twoVCenters(), updates: { ...testbed.updates, ...deadline } });
      await testbed.publish(serial, { cpi: ['0.1.3'], csi: ['0.1.3', version] });
      const shown = await testbed.until('the release to be given up', async () => {
        const found = await testbed.condition('Upgradeable');
        return found?.reason === 'UpgradeRolledBack' && found.message?.includes(version) ? found : undefined;
      });
      await runs('0.1.3');
      expect(await finish()).toEqual(['True/DriversRunning']);
      for (const name of writing()) {
        expect(testbed.writers.starts(name)).toBe(1);
        expect(await testbed.writers.readBack(name)).toBeGreaterThan(0);
      }
      return shown.message ?? '';
    };
    const state = async () => {
      const keys = { namespace: operatorNamespace };
      const [controller, node] = await Promise.all([
        testbed.kube.get(deployments, { ...keys, name: 'vsphere-csi-controller' }),
        testbed.kube.get(daemonSets, { ...keys, name: 'vsphere-csi-node' }),
      ]);
      const reported = (await testbed.reasons()).filter((reason) => /^(Upgrade|Rollback)/.test(reason));
      return [controller.metadata.generation, node.metadata.generation, reported.length];
    };

    it('because the pods of the nodes crash goes back by itself, says which, and is not tried again', async () => {
      const message = await goesBack('0.1.5', 111, { role: 'node', how: 'crash' });
      expect(message).toMatch(/0\.1\.5: .*DaemonSet \S+vsphere-csi-node.*there was no progress for \d+ seconds/);
      const failed = (await testbed.kubectl(['get', 'events', '-A', '-o', 'jsonpath={.items[*].message}'])).includes(
        'CSI 0.1.5 failed and is rolled back to 0.1.3',
      );
      expect(failed).toBe(true);
      const before = await state();
      await testbed.recheck();
      expect(await state()).toEqual(before);
    });

    it('because its pods never become ready goes back before Kubernetes would give it up', async () => {
      const message = await goesBack('0.1.6', 112, { role: 'controller', how: 'hang' });
      expect(message).toMatch(/0\.1\.6: .*Deployment \S+vsphere-csi-controller.*there was no progress for \d+ seconds/);
    });
  });

  it('a switch of the distribution and back touches neither volumes nor who writes onto them', async () => {
    const finish = await testbed.followAvailable();
    await testbed.publish(120, { cpi: ['0.1.3'], csi: ['0.1.3'] });
    const volumes = [...volumesOf(testbed.a), ...volumesOf(testbed.b)];
    const driverKey = { name: 'csi.vsphere.vmware.com' };
    const { uid } = (await testbed.kube.get(csiDrivers, driverKey)).metadata;
    for (const distribution of ['Upstream', 'Native']) {
      const lines = writing().map(testbed.writers.written);
      await testbed.describe({ ...twoVCenters(), distribution, images: { registry: 'registry.example' } });
      await testbed.until(`both drivers ${distribution}`, async () => {
        const drivers = (await testbed.drivers())?.status?.drivers?.filter(({ kind }) => kind !== 'CNI') ?? [];
        const isThere = drivers.every((driver) => driver.distribution === distribution && !driver.target);
        return isThere && (await testbed.condition('Ready'))?.status === 'True';
      });
      for (const [position, name] of writing().entries())
        expect(testbed.writers.written(name)).toBeGreaterThan(lines[position] ?? 0);
      const theirs = (await testbed.kube.list(daemonSets, { namespace: 'vmware-system-csi' })).items.length;
      expect(theirs > 0).toBe(distribution === 'Upstream');
    }
    expect(await finish()).toEqual(['True/DriversRunning']);
    expect([...volumesOf(testbed.a), ...volumesOf(testbed.b)]).toEqual(volumes);
    expect((await testbed.kube.get(csiDrivers, driverKey)).metadata.uid).toBe(uid);
    for (const name of writing()) {
      expect(testbed.writers.starts(name)).toBe(1);
      expect(await testbed.writers.readBack(name)).toBeGreaterThan(0);
    }
  });

  it('ends with nothing left but what must stay', async () => {
    await removeVolumes();
    expect([...volumesOf(testbed.a), ...volumesOf(testbed.b)]).toEqual([]);
    await removeDrivers();
    const ofTheTest = ['a', 'b'].flatMap((letter) => [
      `CSINode /node-${letter}`,
      `Node /node-${letter}`,
      `StorageClass /zone-${letter}`,
    ]);
    const matrix = `ConfigMap ${operatorNamespace}/matrix`;
    await leavesOnly([
      ...['Lease kube-system/cloud-controller-manager', ...storageLeases, ...storageNotes],
      ...['StorageClass /anywhere', ...ofTheTest, matrix],
    ]);
    for (const { spec } of (await testbed.kube.list(csiNodes)).items) expect(spec.drivers ?? []).toEqual([]);
  });

  it('needed no right that its accounts do not have', async () => {
    const isRemoval = (at = '') =>
      removals.some(({ fromMs, toMs }) => Date.parse(at) >= fromMs && Date.parse(at) <= toMs);
    const ours = (await testbed.auditEvents()).filter(({ user }) =>
      user.username.startsWith(`system:serviceaccount:${operatorNamespace}:`),
    );
    const accounts = new Set(ours.map(({ user }) => user.username.split(':').at(-1)));
    expect([...accounts].sort()).toEqual([
      'vdo-operator',
      'vsphere-cloud-controller-manager',
      'vsphere-csi-controller',
      'vsphere-csi-node',
    ]);
    const refused = ours.filter(
      ({ responseStatus, requestReceivedTimestamp }) =>
        responseStatus?.code === 403 && !isRemoval(requestReceivedTimestamp),
    );
    expect(refused.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
  });
});
