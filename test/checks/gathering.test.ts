import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import { type CheckGroup, type CheckOutcome, cadence, checkGroups } from '@vdo/checks/check';
import { valueIn } from '@vdo/checks/facts/reading';
import { runChecks } from '@vdo/checks/run-checks';
import { gatherFacts } from '@vdo/gather/gather-facts';
import { createGatherMemory } from '@vdo/gather/gather-memory';
import { namespaces, persistentVolumeClaims, secrets } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { modelWithSpare } from './cases-inventory.ts';
import { createCheckHouse, patchSpec } from './check-house.ts';
import { account, houseSpec, namespace, server } from './house-model.ts';
import { makeVolume, put, secretObject } from './house-objects.ts';
import { largeModel, largeNodes } from './large-cluster.ts';

const signal = new AbortController().signal;

const largeHouse = async (count: number) => {
  const house = await createCheckHouse({ model: largeModel(count), filled: false });
  await put(house.kube, namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await put(house.kube, secrets, secretObject('vcenter', account));
  const more = { nodes: largeNodes(count) };
  await house.gather(['credentials']);
  house.vsphere.recorder.clear();
  return { ...house, more };
};

const callsOf = (house: { readonly vsphere: { readonly recorder: { count(): number; clear(): void } } }): number => {
  const count = house.vsphere.recorder.count();
  house.vsphere.recorder.clear();
  return count;
};

describe('gathering', () => {
  it('takes as many calls as the inventory is deep, and one more per hundred nodes at most', async () => {
    const [small, large] = [await largeHouse(200), await largeHouse(1_000)];
    const facts = await large.gather(checkGroups, large.more);
    await small.gather(checkGroups, small.more);
    expect(facts.nodes.filter(({ vm, slots }) => vm && slots)).toHaveLength(1_000);
    const [few, many] = [callsOf(small), callsOf(large)];
    expect(few).toBeLessThanOrEqual(40);
    expect(many - few).toBeLessThanOrEqual(800 / 100);
  });

  it('takes no disk for an orphan whose claim is waiting for its PersistentVolume', async () => {
    const house = await createCheckHouse();
    const claim = await house.kube.create(persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'waiting', namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await makeVolume(house, `pvc-${claim.metadata.uid}`);
    await makeVolume(house, 'pvc-of-nobody');
    const { vcenters } = await house.gather(['storage']);
    expect(valueIn(vcenters[0]?.volumes)?.strangers).toMatchObject({ count: 1, first: [{ name: 'pvc-of-nobody' }] });
  });

  it('does not search again for VMs that it knows', async () => {
    const house = await largeHouse(200);
    const more = { ...house.more, memory: createGatherMemory() };
    await house.gather(['node'], more);
    const first = callsOf(house);
    const again = await house.gather(['node'], more);
    const second = callsOf(house);
    expect(again.nodes.filter(({ resolution }) => resolution?.state === 'found')).toHaveLength(200);
    // The clock and the VMs.
    expect([first > second, second]).toEqual([true, 2]);
  });

  it('notices a known VM that is another one now', async () => {
    const house = await largeHouse(20);
    const more = { ...house.more, memory: createGatherMemory() };
    await house.gather(['node'], more);
    house.vsphere.control.deleteVm('n-7');
    const { nodes } = await house.gather(['node'], more);
    const gone = nodes.filter(({ resolution }) => resolution?.state !== 'found').map(({ node }) => node.metadata.name);
    expect(gone).toEqual(['n-7']);
  });

  it('searches again when other datacenters are configured', async () => {
    const house = await createCheckHouse({ model: modelWithSpare() });
    const more = { memory: createGatherMemory() };
    await house.gather(['node'], more);
    patchSpec(house, (spec) => ({
      ...spec,
      vcenters: spec.vcenters.map((one) => ({ ...one, datacenters: ['spare'] })),
    }));
    const { nodes } = await house.gather(['node'], more);
    expect(new Set(nodes.map(({ elsewhere }) => elsewhere?.datacenter))).toEqual(new Set(['demo']));
  });

  it('keeps to 50 calls an hour per vCenter at the cadence of the groups', async () => {
    const house = await largeHouse(300);
    const more = { ...house.more, memory: createGatherMemory() };
    const hour = 3_600_000;
    await house.gather(checkGroups, more);
    callsOf(house);
    const due = (minute: number): readonly CheckGroup[] =>
      checkGroups.filter((group) => (minute * 60_000) % cadence[group].everyMs === 0);
    for (let minute = 5; minute <= hour / 60_000; minute += 5) {
      await house.clock.advance(5 * 60_000);
      await house.gather(due(minute), more);
    }
    // Keeping the session alive is among them.
    expect(callsOf(house)).toBeLessThanOrEqual(50);
  });

  it('reads anew after an hour what it remembers, although the clock was set back meanwhile', async () => {
    const house = await largeHouse(20);
    const memory = createGatherMemory();
    let aheadMs = 10 * 365 * 24 * 3_600_000;
    const clock = { ...house.clock, now: () => house.clock.now() + aheadMs };
    const gather = () => house.gather(checkGroups, { ...house.more, memory, clock });
    const remembered = () =>
      [memory.about, memory.sessions, memory.hosts, memory.slots].map((one) => [...one.values()]);
    await gather();
    const before = remembered();
    aheadMs = 0;
    await gather();
    expect(remembered()[0]?.[0]).toBe(before[0]?.[0]);
    await house.clock.advance(3_600_001);
    await gather();
    for (const [index, values] of remembered().entries())
      for (const [place, value] of values.entries()) expect(value).not.toBe(before[index]?.[place]);
  });

  it('stops when it is told to', async () => {
    const house = await createCheckHouse();
    const controller = new AbortController();
    const gathering = gatherFacts(house.deps(), { groups: checkGroups }, { signal: controller.signal });
    controller.abort(new VdoError({ code: 'Cancelled', message: 'stop', remedy: 'Nothing to do.' }));
    await expect(gathering).rejects.toSatisfy((error) => isVdoError(error, 'Cancelled'));
  });

  it('asks the API server for what the operator may read, and for nothing else', async () => {
    const house = await createCheckHouse();
    house.asked.clear();
    await house.gather();
    const places = [namespace, 'kube-system', 'vmware-system-csi'];
    const crds = ['volumesnapshotclasses', 'volumesnapshotcontents', 'volumesnapshots'];
    expect([...house.asked].sort()).toEqual(
      [
        `POST /api/v1/namespaces/${namespace}/pods`,
        `GET /api/v1/namespaces/${namespace}/pods`,
        `GET /api/v1/namespaces/${namespace}/secrets/vcenter`,
        `GET /api/v1/namespaces/${namespace}/secrets/vsphere-credentials`,
        `GET /api/v1/namespaces/${namespace}/configmaps/vsphere-login-guard`,
        `GET /api/v1/namespaces/${namespace}/configmaps/vsphere-csi-cluster-id`,
        `GET /api/v1/namespaces/${namespace}/configmaps/vsphere-csi-sync`,
        'GET /api/v1/namespaces/kube-system/services/kube-dns',
        'GET /api/v1/nodes',
        'GET /api/v1/persistentvolumes',
        ...crds.map(
          (name) => `GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}.snapshot.storage.k8s.io`,
        ),
        ...places.flatMap((place) => [
          `GET /apis/apps/v1/namespaces/${place}/daemonsets`,
          `GET /apis/apps/v1/namespaces/${place}/deployments`,
        ]),
        'GET /apis/storage.k8s.io/v1/csinodes',
        'GET /apis/storage.k8s.io/v1/storageclasses',
        'GET /apis/storage.k8s.io/v1/volumeattachments',
        'GET /version',
      ].sort(),
    );
  });

  it('reads nothing of a vCenter for groups that need none', async () => {
    const house = await createCheckHouse();
    house.vsphere.recorder.clear();
    await house.gather(['csi', 'versions', 'cluster']);
    expect(house.vsphere.recorder.count()).toBe(0);
  });
});

describe('a right that the account of the checks lacks', () => {
  const denied: readonly [string, object, string, string][] = [
    ['nodes', { group: '', resource: 'nodes' }, 'node/vm-found', 'nodes'],
    ['a Secret', { group: '', resource: 'secrets', name: 'vcenter' }, 'credentials/secret-keys', 'secrets'],
    [
      'StorageClasses',
      { group: 'storage.k8s.io', resource: 'storageclasses' },
      'storage/storage-classes',
      'storageclasses',
    ],
    [
      'PersistentVolumes',
      { group: '', resource: 'persistentvolumes' },
      'storage/in-tree-volumes-left',
      'persistentvolumes',
    ],
    ['CSINodes', { group: 'storage.k8s.io', resource: 'csinodes' }, 'csi/node-registered', 'csinodes'],
    ['DaemonSets', { group: 'apps', resource: 'daemonsets' }, 'csi/workloads-ready', 'daemonsets'],
    ['pods', { group: '', resource: 'pods', verb: 'list' }, 'versions/image-pull', 'pods'],
    ['proposing pods', { group: '', resource: 'pods', verb: 'create' }, 'cluster/admission-allows', 'pods'],
  ];
  it.each(denied)(
    'to read %s leaves its checks unknown and names the rule to add',
    async (_what, match, id, resource) => {
      const house = await createCheckHouse();
      house.kubeSim.faults.add({ match, effect: { kind: 'deny' } });
      const outcomes = await house.outcomes();
      const found = outcomes.find((outcome) => outcome.id === id && outcome.result === 'Unknown');
      expect(found).toMatchObject({ reason: 'KubeForbidden' });
      expect(found?.remedy).toContain(`resources: ["${resource}"]`);
      expect(outcomes.filter(({ result }) => result === 'Fail')).toEqual([]);
    },
  );
});

describe('two vCenters', () => {
  const named = (outcomes: readonly CheckOutcome[], name: string) =>
    new Set(outcomes.filter(({ object }) => object.name === name).map(({ result }) => result));

  it('of which one is away leave the checks of the other alone', async () => {
    const house = await createCheckHouse();
    const away = 'west.example.com';
    patchSpec(house, (spec) => ({
      ...spec,
      vcenters: [...spec.vcenters, { server: away, credentialsSecret: 'vcenter' }],
    }));
    const error = new VdoError({ code: 'VCenterUnreachable', message: 'no route', remedy: 'Open the port.' });
    const [east, west] = house.world.spec.vcenters;
    if (!east || !west) throw new Error('there are two');
    const vcenters = [
      { spec: east, vcenter: house.vcenter },
      { spec: west, vcenter: error },
    ];
    const outcomes = runChecks(
      allChecks,
      await gatherFacts({ ...house.deps(), vcenters }, { groups: checkGroups }, { signal }),
    );
    expect([...named(outcomes, server)].filter((result) => result !== 'Pass' && result !== 'Skipped')).toEqual([]);
    expect(named(outcomes, away)).toContain('Unknown');
    const failing = outcomes.filter(({ result }) => result === 'Fail').map(({ id, object }) => `${id} ${object.name}`);
    expect(failing).toEqual(['vcenter/tcp west.example.com', 'cluster/dns-resolves-vcenter west.example.com']);
    // Every node was found on the one that answers.
    expect(
      outcomes
        .filter(({ id, result }) => id.startsWith('node/') && result === 'Unknown')
        .map(({ object }) => object.kind),
    ).toEqual(['VCenter']);
  });
});

describe('a cluster before anything is installed', () => {
  it('can be judged with no more than a spec, a Secret and nodes', async () => {
    const house = await createCheckHouse({ filled: false, spec: { ...houseSpec(), cpi: undefined } });
    house.world.releases = { drivers: [] };
    const outcomes = await house.outcomes();
    const failing = outcomes.filter(({ result }) => result === 'Fail').map(({ id }) => id);
    expect(failing).toEqual(['credentials/secret-keys', 'csi/snapshot-crds', 'csi/snapshot-crds', 'csi/snapshot-crds']);
  });
});

describe('the checks', () => {
  it('take time as nodes do, not as their square', async () => {
    const measure = async (count: number): Promise<number> => {
      const house = await largeHouse(50);
      const facts = await house.gather(checkGroups, house.more);
      const nodes = Array.from({ length: count / 50 }, () => facts.nodes).flat();
      const unique = nodes.map((one, index) => ({
        ...one,
        node: { ...one.node, metadata: { ...one.node.metadata, name: `n-${index}` } },
      }));
      const large = { ...facts, nodes: unique };
      runChecks(allChecks, large);
      const started = performance.now();
      runChecks(allChecks, large);
      return performance.now() - started;
    };
    const [small, large] = [await measure(500), await measure(5_000)];
    // Ten times the nodes: a square would take a hundred times as long.
    expect(large / small).toBeLessThan(40);
  });
});
