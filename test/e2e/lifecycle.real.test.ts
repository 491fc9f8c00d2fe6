import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { nodes, persistentVolumeClaims, persistentVolumes, pods } from '@vdo/kube/types/core';
import { csiDrivers, csiNodes } from '@vdo/kube/types/storage';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LifecycleHouse, startLifecycleHouse } from './lifecycle-house.ts';
import type { ZoneVCenter } from './lifecycle-vcenters.ts';
import { writerPod } from './lifecycle-writers.ts';
import { operatorNamespace } from './operator-house.ts';

let house: LifecycleHouse;
/** When the drivers were being removed: a pod that still ends may find its rights gone. */
const removals: { readonly fromMs: number; readonly toMs: number }[] = [];
/** Everything that was there before the first installation. */
let before: ReadonlySet<string>;

/** Each object of each kind that the API server serves. */
const sweep = async (): Promise<readonly string[]> => {
  const kinds = (await house.kubectl(['api-resources', '--verbs=list', '-o', 'name'])).trim().split('\n');
  const listed = kinds.filter((kind) => !/^(events|events\.events\.k8s\.io|componentstatuses)$/.test(kind));
  const format = '{range .items[*]}{.kind} {.metadata.namespace}/{.metadata.name}{"\\n"}{end}';
  const text = await house.kubectl(['get', listed.join(','), '-A', '-o', `jsonpath=${format}`]);
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
  await house.recount();
  await house.kube.delete(vsphereDrivers, { name: 'cluster' });
  await house.until('the resource to go', async () => (await house.drivers()) === undefined);
  // The pods of the drivers end after their workloads.
  const left = async () => (await house.kube.list(pods, { namespace: operatorNamespace })).items;
  await house.until('the last pods to go', async () => (await left()).length === 0);
  removals.push({ fromMs, toMs: Date.now() });
};

const storageClass = (name: string, zone?: string) =>
  house.apply({
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
  house.until(`claim ${name} to be bound`, async () => {
    const { spec, status } = await house.kube.get(persistentVolumeClaims, { name, namespace: 'default' });
    if (status?.phase !== 'Bound') return undefined;
    return house.kube.get(persistentVolumes, { name: spec.volumeName ?? '' });
  });
const startWriter = async (name: string, storageClassName: string) => {
  await house.claim(name, storageClassName);
  await house.kube.create(pods, writerPod(name));
  await house.until(`${name} to write`, async () => house.writers.written(name) > 0);
};
const removeVolumes = async () => {
  await house.kubectl(['delete', 'pods,pvc', '--all', '-n', 'default', '--wait=false']);
  await house.until('the volumes to go', async () => (await house.kube.list(persistentVolumes)).items.length === 0);
};
const volumesOf = ({ sim }: ZoneVCenter) => sim.volumes.list().map(({ id }) => id);
const runs = (version: string) =>
  house.until(`both drivers at ${version}`, async () => {
    const status = (await house.drivers())?.status;
    const drivers = (status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
    return (
      drivers.length === 2 &&
      drivers.every((driver) => driver.version === version && !driver.target) &&
      (await house.condition('Ready'))?.status === 'True'
    );
  });

/** How long Kubernetes waits for the controller's pods before it calls the rollout failed. */
const giveUpAfter = (progressDeadlineSeconds: number) =>
  house.kube.patch(
    deployments,
    { name: 'vsphere-csi-controller', namespace: operatorNamespace },
    { type: 'merge', body: { spec: { progressDeadlineSeconds } } },
  );

const twoVCenters = () => ({
  vcenters: [house.a.spec, house.b.spec],
  topology: { region: 'k8s-region', zone: 'k8s-zone' },
  cpi: {},
  updates: house.updates,
});

describe('the life of the drivers on a real API server', () => {
  beforeAll(async () => {
    house = await startLifecycleHouse();
    await Promise.all([house.a, house.b].map(house.putSecret));
    const ownLease = `Lease ${operatorNamespace}/vdo-operator`;
    const settled = await house.until('the operator to lead', async () => {
      const found = await sweep();
      return found.includes(ownLease) ? found : undefined;
    });
    before = new Set(settled);
  });
  afterAll(async () => {
    await house?.stop();
  });

  describe('storage alone', () => {
    it('becomes Ready without a cloud provider, and binds a claim', async () => {
      await house.joinNode(house.a, true);
      await house.describe({ vcenters: [house.a.spec] });
      await house.becomesReady();
      expect(await house.condition('NodesInitialized')).toMatchObject({ status: 'Unknown', reason: 'NotManaged' });
      const names = (await house.kube.list(deployments, { namespace: operatorNamespace })).items;
      expect(names.map(({ metadata }) => metadata.name)).toEqual(['vsphere-csi-controller']);
      await storageClass('anywhere');
      await startWriter('alone', 'anywhere');
      const volume = await bound('alone');
      expect(volumesOf(house.a)).toEqual([volume.spec.csi?.volumeHandle]);
    });

    it('leaves nothing but what must stay', async () => {
      await removeVolumes();
      await removeDrivers();
      await house.kube.delete(nodes, { name: house.a.node.name });
      await leavesOnly([...storageLeases, ...storageNotes, 'StorageClass /anywhere']);
    });
  });

  describe('two vCenters', () => {
    it('become Ready with a node in each', async () => {
      for (const zone of [house.a, house.b]) await house.joinNode(zone, false);
      await house.publish(100, { cpi: ['0.1.0'], csi: ['0.1.0'] });
      await house.describe(twoVCenters());
      await runs('0.1.0');
      expect((await house.drivers())?.status?.nodes).toMatchObject({ total: 2, initialized: 2 });
      for (const { node, zone } of [house.a, house.b]) {
        const { spec, metadata } = await house.kube.get(nodes, { name: node.name });
        expect(spec.providerID).toBe(`vsphere://${node.uuid}`);
        expect(metadata.labels).toMatchObject({ 'topology.kubernetes.io/zone': zone });
      }
    });

    it('each hold the volumes of their zone, mounted where they can be reached', async () => {
      for (const { zone } of [house.a, house.b]) {
        await storageClass(zone, zone);
        await startWriter(`in-${zone}`, zone);
      }
      for (const place of [house.a, house.b]) {
        const volume = await bound(`in-${place.zone}`);
        expect(volumesOf(place)).toEqual([volume.spec.csi?.volumeHandle]);
        const pod = await house.kube.get(pods, { name: `in-${place.zone}`, namespace: 'default' });
        expect(pod.spec.nodeName).toBe(place.node.name);
      }
    });
  });

  const writing = () => [house.a, house.b].map(({ zone }) => `in-${zone}`);

  describe('an upgrade', () => {
    it('crosses three matrix versions while pods write and new ones come, always available', async () => {
      const finish = await house.followAvailable();
      const versions = ['0.1.0', '0.1.1', '0.1.2', '0.1.3'];
      for (const [index, version] of versions.slice(1).entries()) {
        const offered = versions.slice(0, index + 2);
        const lines = writing().map(house.writers.written);
        await house.publish(101 + index, { cpi: offered, csi: offered });
        await startWriter(`during-${index}`, index % 2 === 0 ? house.a.zone : house.b.zone);
        await runs(version);
        for (const [position, name] of writing().entries())
          expect(house.writers.written(name)).toBeGreaterThan(lines[position] ?? 0);
      }
      expect(await finish()).toEqual(['True/DriversRunning']);
      await house.until('the health of a volume to be noted on its claim', async () => {
        const { metadata } = await house.kube.get(persistentVolumeClaims, { name: 'during-0', namespace: 'default' });
        return metadata.annotations?.['volumehealth.storage.kubernetes.io/health'] === 'accessible';
      });
      for (const name of [...writing(), 'during-0', 'during-1', 'during-2']) {
        expect(house.writers.starts(name)).toBe(1);
        expect(await house.writers.readBack(name)).toBeGreaterThan(0);
      }
    });

    it('to a release that does not start goes back by itself, and nobody who writes notices', async () => {
      const finish = await house.followAvailable();
      const good = ['0.1.3'];
      house.broken.set('0.1.4', { role: 'controller', how: 'crash' });
      // Not ours to set: how long Kubernetes waits is other people's, and the test does not want to wait ten minutes.
      await giveUpAfter(8);
      await house.publish(110, { cpi: good, csi: [...good, '0.1.4'] });
      await house.until('the upgrade to begin', async () =>
        (await house.drivers())?.status?.drivers?.some(({ target }) => target === '0.1.4'),
      );
      await startWriter('meanwhile', house.a.zone);
      const shown = await house.until('the release to be given up', async () => {
        const found = await house.condition('Upgradeable');
        return found?.reason === 'UpgradeRolledBack' ? found : undefined;
      });
      expect(shown.message).toMatch(/0\.1\.4: .*vsphere-csi-controller.*Kubernetes gave the rollout up/);
      await runs('0.1.3');
      // On a busy machine a good controller takes longer than that as well, and the next story is about its nodes.
      await giveUpAfter(600);
      expect(await house.reasons()).toEqual(expect.arrayContaining(['UpgradeFailed', 'RollbackStarted']));
      expect(await finish()).toEqual(['True/DriversRunning']);
      for (const name of [...writing(), 'meanwhile']) {
        expect(house.writers.starts(name)).toBe(1);
        expect(await house.writers.readBack(name)).toBeGreaterThan(0);
      }
    });
  });

  describe('a release that does not get anywhere', () => {
    const deadline = { progressDeadline: '15s' };
    const goesBack = async (version: string, serial: number, breakage: Parameters<typeof house.broken.set>[1]) => {
      const finish = await house.followAvailable();
      house.broken.set(version, breakage);
      await house.describe({ ...twoVCenters(), updates: { ...house.updates, ...deadline } });
      await house.publish(serial, { cpi: ['0.1.3'], csi: ['0.1.3', version] });
      const shown = await house.until('the release to be given up', async () => {
        const found = await house.condition('Upgradeable');
        return found?.reason === 'UpgradeRolledBack' && found.message?.includes(version) ? found : undefined;
      });
      await runs('0.1.3');
      expect(await finish()).toEqual(['True/DriversRunning']);
      for (const name of writing()) {
        expect(house.writers.starts(name)).toBe(1);
        expect(await house.writers.readBack(name)).toBeGreaterThan(0);
      }
      return shown.message ?? '';
    };
    const state = async () => {
      const keys = { namespace: operatorNamespace };
      const [controller, node] = await Promise.all([
        house.kube.get(deployments, { ...keys, name: 'vsphere-csi-controller' }),
        house.kube.get(daemonSets, { ...keys, name: 'vsphere-csi-node' }),
      ]);
      const told = (await house.reasons()).filter((reason) => /^(Upgrade|Rollback)/.test(reason));
      return [controller.metadata.generation, node.metadata.generation, told.length];
    };

    it('because the pods of the nodes crash goes back by itself, says which, and is not tried again', async () => {
      const message = await goesBack('0.1.5', 111, { role: 'node', how: 'crash' });
      expect(message).toMatch(/0\.1\.5: .*DaemonSet \S+vsphere-csi-node.*nothing has moved for \d+ seconds/);
      const failed = (await house.kubectl(['get', 'events', '-A', '-o', 'jsonpath={.items[*].message}'])).includes(
        'CSI 0.1.5 is taken back to 0.1.3',
      );
      expect(failed).toBe(true);
      const before = await state();
      await house.anotherLook();
      expect(await state()).toEqual(before);
    });

    it('because its pods never become ready goes back before Kubernetes would give it up', async () => {
      const message = await goesBack('0.1.6', 112, { role: 'controller', how: 'hang' });
      expect(message).toMatch(/0\.1\.6: .*Deployment \S+vsphere-csi-controller.*nothing has moved for \d+ seconds/);
    });
  });

  it('a switch of the distribution and back touches neither volumes nor who writes onto them', async () => {
    const finish = await house.followAvailable();
    await house.publish(120, { cpi: ['0.1.3'], csi: ['0.1.3'] });
    const volumes = [...volumesOf(house.a), ...volumesOf(house.b)];
    const driverKey = { name: 'csi.vsphere.vmware.com' };
    const { uid } = (await house.kube.get(csiDrivers, driverKey)).metadata;
    for (const distribution of ['Upstream', 'Native']) {
      const lines = writing().map(house.writers.written);
      await house.describe({ ...twoVCenters(), distribution, images: { registry: 'registry.example' } });
      await house.until(`both drivers ${distribution}`, async () => {
        const drivers = (await house.drivers())?.status?.drivers?.filter(({ kind }) => kind !== 'CNI') ?? [];
        const isThere = drivers.every((driver) => driver.distribution === distribution && !driver.target);
        return isThere && (await house.condition('Ready'))?.status === 'True';
      });
      for (const [position, name] of writing().entries())
        expect(house.writers.written(name)).toBeGreaterThan(lines[position] ?? 0);
      const theirs = (await house.kube.list(daemonSets, { namespace: 'vmware-system-csi' })).items.length;
      expect(theirs > 0).toBe(distribution === 'Upstream');
    }
    expect(await finish()).toEqual(['True/DriversRunning']);
    expect([...volumesOf(house.a), ...volumesOf(house.b)]).toEqual(volumes);
    expect((await house.kube.get(csiDrivers, driverKey)).metadata.uid).toBe(uid);
    for (const name of writing()) {
      expect(house.writers.starts(name)).toBe(1);
      expect(await house.writers.readBack(name)).toBeGreaterThan(0);
    }
  });

  it('ends with nothing left but what must stay', async () => {
    await removeVolumes();
    expect([...volumesOf(house.a), ...volumesOf(house.b)]).toEqual([]);
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
    for (const { spec } of (await house.kube.list(csiNodes)).items) expect(spec.drivers ?? []).toEqual([]);
  });

  it('needed no right that its accounts do not have', async () => {
    const isRemoval = (at = '') =>
      removals.some(({ fromMs, toMs }) => Date.parse(at) >= fromMs && Date.parse(at) <= toMs);
    const ours = (await house.auditEvents()).filter(({ user }) =>
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
