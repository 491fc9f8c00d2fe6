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
import { createCheckTestbed, patchSpec } from './check-testbed.ts';
import { largeModel, largeNodes } from './large-cluster.ts';
import { account, namespace, server, testbedSpec } from './testbed-model.ts';
import { makeVolume, put, secretObject } from './testbed-objects.ts';

const signal = new AbortController().signal;

const largeTestbed = async (count: number) => {
  const testbed = await createCheckTestbed({ model: largeModel(count), filled: false });
  await put(testbed.kube, namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await put(testbed.kube, secrets, secretObject('vcenter', account));
  const more = { nodes: largeNodes(count) };
  await testbed.gather(['credentials']);
  testbed.vsphere.recorder.clear();
  return { ...testbed, more };
};

const callsOf = (testbed: { readonly vsphere: { readonly recorder: { count(): number; clear(): void } } }): number => {
  const count = testbed.vsphere.recorder.count();
  testbed.vsphere.recorder.clear();
  return count;
};

describe('gathering', () => {
  it('takes as many calls as the inventory is deep, and one more per hundred nodes at most', async () => {
    const [small, large] = [await largeTestbed(200), await largeTestbed(1_000)];
    const facts = await large.gather(checkGroups, large.more);
    await small.gather(checkGroups, small.more);
    expect(facts.nodes.filter(({ vm, slots }) => vm && slots)).toHaveLength(1_000);
    const [few, many] = [callsOf(small), callsOf(large)];
    expect(few).toBeLessThanOrEqual(40);
    expect(many - few).toBeLessThanOrEqual(800 / 100);
  });

  it('takes no disk for an orphan whose claim is waiting for its PersistentVolume', async () => {
    const testbed = await createCheckTestbed();
    const claim = await testbed.kube.create(persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'waiting', namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await makeVolume(testbed, `pvc-${claim.metadata.uid}`);
    await makeVolume(testbed, 'pvc-of-nobody');
    const { vcenters } = await testbed.gather(['storage']);
    expect(valueIn(vcenters[0]?.volumes)?.orphans).toMatchObject({ count: 1, first: [{ name: 'pvc-of-nobody' }] });
  });

  it('does not search again for VMs that it knows', async () => {
    const testbed = await largeTestbed(200);
    const more = { ...testbed.more, memory: createGatherMemory() };
    await testbed.gather(['node'], more);
    const first = callsOf(testbed);
    const again = await testbed.gather(['node'], more);
    const second = callsOf(testbed);
    expect(again.nodes.filter(({ resolution }) => resolution?.state === 'found')).toHaveLength(200);
    // The clock and the VMs.
    expect([first > second, second]).toEqual([true, 2]);
  });

  it('notices a known VM that is another one now', async () => {
    const testbed = await largeTestbed(20);
    const more = { ...testbed.more, memory: createGatherMemory() };
    await testbed.gather(['node'], more);
    testbed.vsphere.control.deleteVm('n-7');
    const { nodes } = await testbed.gather(['node'], more);
    const gone = nodes.filter(({ resolution }) => resolution?.state !== 'found').map(({ node }) => node.metadata.name);
    expect(gone).toEqual(['n-7']);
  });

  it('searches again when other datacenters are configured', async () => {
    const testbed = await createCheckTestbed({ model: modelWithSpare() });
    const more = { memory: createGatherMemory() };
    await testbed.gather(['node'], more);
    patchSpec(testbed, (spec) => ({
      ...spec,
      vcenters: spec.vcenters.map((one) => ({ ...one, datacenters: ['spare'] })),
    }));
    const { nodes } = await testbed.gather(['node'], more);
    expect(new Set(nodes.map(({ elsewhere }) => elsewhere?.datacenter))).toEqual(new Set(['demo']));
  });

  it('keeps to 50 calls an hour per vCenter at the cadence of the groups', async () => {
    const testbed = await largeTestbed(300);
    const more = { ...testbed.more, memory: createGatherMemory() };
    const hour = 3_600_000;
    await testbed.gather(checkGroups, more);
    callsOf(testbed);
    const due = (minute: number): readonly CheckGroup[] =>
      checkGroups.filter((group) => (minute * 60_000) % cadence[group].everyMs === 0);
    for (let minute = 5; minute <= hour / 60_000; minute += 5) {
      await testbed.clock.advance(5 * 60_000);
      await testbed.gather(due(minute), more);
    }
    // Keeping the session alive is among them.
    expect(callsOf(testbed)).toBeLessThanOrEqual(50);
  });

  it('reads anew after an hour what it remembers, although the clock was set back meanwhile', async () => {
    const testbed = await largeTestbed(20);
    const memory = createGatherMemory();
    let aheadMs = 10 * 365 * 24 * 3_600_000;
    const clock = { ...testbed.clock, now: () => testbed.clock.now() + aheadMs };
    const gather = () => testbed.gather(checkGroups, { ...testbed.more, memory, clock });
    const remembered = () =>
      [memory.about, memory.sessions, memory.hosts, memory.slots].map((one) => [...one.values()]);
    await gather();
    const before = remembered();
    aheadMs = 0;
    await gather();
    expect(remembered()[0]?.[0]).toBe(before[0]?.[0]);
    await testbed.clock.advance(3_600_001);
    await gather();
    for (const [index, values] of remembered().entries())
      for (const [place, value] of values.entries()) expect(value).not.toBe(before[index]?.[place]);
  });

  it('stops when it is told to', async () => {
    const testbed = await createCheckTestbed();
    const controller = new AbortController();
    const gathering = gatherFacts(testbed.deps(), { groups: checkGroups }, { signal: controller.signal });
    controller.abort(new VdoError({ code: 'Cancelled', message: 'stop', remedy: 'Nothing to do.' }));
    await expect(gathering).rejects.toSatisfy((error) => isVdoError(error, 'Cancelled'));
  });

  it('asks the API server for what the operator may read, and for nothing else', async () => {
    const testbed = await createCheckTestbed();
    testbed.asked.clear();
    await testbed.gather();
    const places = [namespace, 'kube-system', 'vmware-system-csi'];
    const crds = ['volumesnapshotclasses', 'volumesnapshotcontents', 'volumesnapshots'];
    expect([...testbed.asked].sort()).toEqual(
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
    const testbed = await createCheckTestbed();
    testbed.vsphere.recorder.clear();
    await testbed.gather(['csi', 'versions', 'cluster']);
    expect(testbed.vsphere.recorder.count()).toBe(0);
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
      const testbed = await createCheckTestbed();
      testbed.kubeSim.faults.add({ match, effect: { kind: 'deny' } });
      const outcomes = await testbed.outcomes();
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
    const testbed = await createCheckTestbed();
    const away = 'west.example.com';
    patchSpec(testbed, (spec) => ({
      ...spec,
      vcenters: [...spec.vcenters, { server: away, credentialsSecret: 'vcenter' }],
    }));
    const error = new VdoError({ code: 'VCenterUnreachable', message: 'no route', remedy: 'Open the port.' });
    const [east, west] = testbed.world.spec.vcenters;
    if (!east || !west) throw new Error('there are two');
    const vcenters = [
      { spec: east, vcenter: testbed.vcenter },
      { spec: west, vcenter: error },
    ];
    const outcomes = runChecks(
      allChecks,
      await gatherFacts({ ...testbed.deps(), vcenters }, { groups: checkGroups }, { signal }),
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
    const testbed = await createCheckTestbed({ filled: false, spec: { ...testbedSpec(), cpi: undefined } });
    testbed.world.releases = { drivers: [] };
    const outcomes = await testbed.outcomes();
    const failing = outcomes.filter(({ result }) => result === 'Fail').map(({ id }) => id);
    expect(failing).toEqual(['credentials/secret-keys', 'csi/snapshot-crds', 'csi/snapshot-crds', 'csi/snapshot-crds']);
  });
});

describe('the checks', () => {
  it('take time as nodes do, not as their square', async () => {
    const measure = async (count: number): Promise<number> => {
      const testbed = await largeTestbed(50);
      const facts = await testbed.gather(checkGroups, testbed.more);
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
